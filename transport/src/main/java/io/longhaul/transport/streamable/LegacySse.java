// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import io.longhaul.protocol.transport.Endpoint;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * HTTP with SSE, the deprecated transport of the revision before Streamable HTTP: a client opens one stream, is told
 * there where to post, and gets every answer on that stream. Its session is the stream, and ends with it; tasks go on.
 * Thread-safe.
 */
final class LegacySse {

    private static final int ID_BYTES = 18;

    private final Endpoint endpoint;
    private final int most;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, LegacyConnection> connections = new ConcurrentHashMap<>();
    private final AtomicInteger streams = new AtomicInteger();

    /** @param most how many streams may be open at once */
    LegacySse(Endpoint endpoint, int most) {
        this.endpoint = endpoint;
        this.most = most;
    }

    /** Serves one stream until it ends. Null, or why there is none. */
    @Nullable
    HttpRefusal listen(HttpExchange exchange) throws InterruptedException {
        if (streams.incrementAndGet() > most) {
            streams.decrementAndGet();
            return new HttpRefusal(503, "Too many streams are open: try again later", Map.of("Retry-After", "10"));
        }
        try {
            var stream = exchange.open(Map.of());
            var connection = new LegacyConnection(newId(), exchange.principal(), exchange.remoteAddress(), stream);
            connections.put(connection.id(), connection);
            try {
                stream.sendAs(
                        "endpoint",
                        (Routes.MESSAGES + "?sessionId=" + connection.id()).getBytes(StandardCharsets.US_ASCII));
                stream.awaitEnd();
            } finally {
                connections.remove(connection.id());
                connection.end();
                endpoint.closed(connection);
            }
            return null;
        } finally {
            streams.decrementAndGet();
        }
    }

    /** Takes a message of one of the clients; null, or why it is not taken. */
    @Nullable
    HttpRefusal post(@Nullable String session, HttpExchange exchange, byte[] message) {
        if (session == null) {
            return new HttpRefusal(400, "There is no sessionId: post to the address of the stream's endpoint event");
        }
        var connection = connections.get(session);
        if (connection == null || !connection.belongsTo(exchange.principal())) {
            return gone();
        }
        return switch (connection.accept(message, exchange, endpoint)) {
            case ACCEPTED -> null;
            case GONE -> gone();
            case TOO_MANY ->
                new HttpRefusal(
                        503, "Too many messages wait for an answer: read the stream", Map.of("Retry-After", "1"));
        };
    }

    private static HttpRefusal gone() {
        return new HttpRefusal(404, "No such session: it ended with its stream. Open " + Routes.SSE + " again");
    }

    private String newId() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
