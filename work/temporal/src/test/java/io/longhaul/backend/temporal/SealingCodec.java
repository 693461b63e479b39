// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.sun.net.httpserver.HttpExchange;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.payload.codec.PayloadCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The codec of a deployer: encrypts each payload, and takes none that is not encrypted. */
final class SealingCodec implements PayloadCodec {

    static final String ENCODING = "binary/encrypted";

    private static final SecretKey KEY = new SecretKeySpec(new byte[32], "AES");
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final SecureRandom random = new SecureRandom();

    /** The converter of its workers, which encode the messages of failures too. */
    static DataConverter converter() {
        return new CodecDataConverter(DefaultDataConverter.newDefaultInstance(), List.of(new SealingCodec()), true);
    }

    @Override
    public List<Payload> encode(List<Payload> plain) {
        return plain.stream().map(this::sealed).toList();
    }

    private Payload sealed(Payload plain) {
        var nonce = new byte[NONCE];
        random.nextBytes(nonce);
        var data = ByteString.copyFrom(nonce).concat(ByteString.copyFrom(crypt(1, nonce, plain.toByteArray())));
        return Payload.newBuilder()
                .putMetadata("encoding", ByteString.copyFromUtf8(ENCODING))
                .setData(data)
                .build();
    }

    @Override
    public List<Payload> decode(List<Payload> sealed) {
        return sealed.stream().map(SealingCodec::opened).toList();
    }

    private static Payload opened(Payload sealed) {
        if (!ENCODING.equals(sealed.getMetadataOrThrow("encoding").toStringUtf8())) {
            throw new IllegalArgumentException("a payload is not encrypted");
        }
        try {
            var nonce = sealed.getData().substring(0, NONCE).toByteArray();
            return Payload.parseFrom(
                    crypt(2, nonce, sealed.getData().substring(NONCE).toByteArray()));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static byte[] crypt(int mode, byte[] nonce, byte[] data) {
        try {
            var cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, KEY, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(data);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Answers a request to a codec server. */
    void serve(HttpExchange exchange) throws IOException {
        var payloads = Payloads.newBuilder();
        JsonFormat.parser()
                .merge(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8), payloads);
        var coded = exchange.getRequestURI().getPath().endsWith("/encode")
                ? encode(payloads.getPayloadsList())
                : decode(payloads.getPayloadsList());
        var body = JsonFormat.printer()
                .print(Payloads.newBuilder().addAllPayloads(coded))
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
