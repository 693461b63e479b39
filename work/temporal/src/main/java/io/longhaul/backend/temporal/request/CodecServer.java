// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal.request;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.longhaul.engine.secret.Secret;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A codec server: an HTTP server with {@code /encode} and {@code /decode}, as Temporal's web pages and command line use
 * one. Each takes and gives {@code {"payloads": [...]}}.
 *
 * @param url     the address before {@code /encode}
 * @param headers of each request, which are read for it
 */
public record CodecServer(URI url, String namespace, Map<String, Secret> headers) implements WorkflowCodec {

    /** Temporal takes no payloads of more than 4 MiB; as JSON they have a third more. */
    private static final int LONGEST = 8 << 20;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    public CodecServer {
        headers = Map.copyOf(headers);
    }

    @Override
    public List<Payload> encode(List<Payload> plain) throws CodecException, InterruptedException {
        return post("/encode", plain);
    }

    @Override
    public List<Payload> decode(List<Payload> encoded) throws CodecException, InterruptedException {
        return post("/decode", encoded);
    }

    private List<Payload> post(String path, List<Payload> payloads) throws CodecException, InterruptedException {
        if (payloads.isEmpty()) {
            return payloads;
        }
        var request = request(path);
        try {
            var body = JsonFormat.printer()
                    .print(Payloads.newBuilder().addAllPayloads(payloads).build());
            var response = HTTP.send(request.POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofInputStream());
            try (var in = response.body()) {
                return read(response.statusCode(), in.readNBytes(LONGEST + 1), payloads.size());
            }
        } catch (InvalidProtocolBufferException e) {
            throw new CodecException("the codec server at " + url + " gives no payloads", false, e);
        } catch (IOException e) {
            throw new CodecException("the codec server at " + url + " cannot be reached", true, e);
        }
    }

    private HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .header("X-Namespace", namespace);
        headers.forEach((name, value) -> {
            try {
                request.header(name, value.read());
            } catch (IOException e) {
                throw new UncheckedIOException("the header " + name + " of the codec server cannot be used", e);
            }
        });
        return request;
    }

    private List<Payload> read(int status, byte[] body, int expected)
            throws CodecException, InvalidProtocolBufferException {
        if (status != OK) {
            var isPassing = status == TOO_MANY || status >= SERVER_ERROR;
            throw new CodecException("the codec server at " + url + " answers with " + status, isPassing, null);
        }
        var payloads = Payloads.newBuilder();
        if (body.length <= LONGEST) {
            JsonFormat.parser().ignoringUnknownFields().merge(new String(body, StandardCharsets.UTF_8), payloads);
        }
        if (payloads.getPayloadsCount() != expected) {
            throw new CodecException(
                    "the codec server at " + url + " gives other payloads than were sent", false, null);
        }
        return payloads.getPayloadsList();
    }
}
