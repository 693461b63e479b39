// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.Parsed;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Learns from a server's answer. Only requests that begin a connection are learned: their answer describes the server,
 * and is the same for equal requests while the server is the same.
 */
final class HandshakeLearner {
    private static final Set<String> METHODS = Set.of("initialize", "server/discover");
    private static final byte[] OTHER_ID = "\"an-id-that-no-host-has\"".getBytes(StandardCharsets.US_ASCII);

    private final JsonRpcCodec codec = new JsonRpcCodec(WireLimits.DEFAULT);

    /** The handshake of a request and its answer, both without a line end; empty where there is nothing to learn. */
    Optional<KnownHandshake> of(byte[] request, byte[] answer) {
        if (!(message(request) instanceof JsonRpcMessage.Request asked)
                || !METHODS.contains(asked.method())
                || !(message(answer) instanceof JsonRpcMessage.Result told)
                || !told.id().equals(asked.id())) {
            return Optional.empty();
        }
        var id = JsonRpcCodec.encode(asked.id()).bytes();
        for (int at = indexOf(request, id, 0); at >= 0; at = indexOf(request, id, at + 1)) {
            var before = Arrays.copyOf(request, at);
            var after = Arrays.copyOfRange(request, at + id.length, request.length);
            if (isAroundId(before, after, asked)) {
                return known(before, after, answer, id).filter(one -> Arrays.equals(one.answerTo(request), answer));
            }
        }
        return Optional.empty();
    }

    private static Optional<KnownHandshake> known(byte[] before, byte[] after, byte[] answer, byte[] id) {
        int from = KnownHandshake.ANSWER_START.length + id.length;
        return from > answer.length
                ? Optional.empty()
                : Optional.of(new KnownHandshake(before, after, Arrays.copyOfRange(answer, from, answer.length)));
    }

    /** Whether replacing the bytes between the parts of a request changes only the id. */
    private boolean isAroundId(byte[] before, byte[] after, JsonRpcMessage.Request asked) {
        var changed = new ByteArrayOutputStream();
        changed.writeBytes(before);
        changed.writeBytes(OTHER_ID);
        changed.writeBytes(after);
        return message(changed.toByteArray()) instanceof JsonRpcMessage.Request(var id, var method, var params)
                && JsonRpcCodec.encode(id).equals(Json.raw(OTHER_ID))
                && method.equals(asked.method())
                && params.equals(asked.params());
    }

    private @Nullable JsonRpcMessage message(byte[] line) {
        return codec.parse(line) instanceof Parsed.Message read ? read.message() : null;
    }

    private static int indexOf(byte[] all, byte[] part, int from) {
        for (int i = from; i <= all.length - part.length; i++) {
            if (Arrays.equals(all, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        return -1;
    }
}
