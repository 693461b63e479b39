// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import io.longhaul.protocol.RandomText;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.transport.streamable.request.HttpRefusal;
import io.longhaul.transport.streamable.stream.LegacyConnection;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * HTTP with SSE, the deprecated transport of the revision before Streamable HTTP: a client opens one stream, gets the
 * address for POST on it, and gets every answer on it. The session ends with the stream; tasks go on. Thread-safe.
 */
final class LegacySse {

    private static final int ID_BYTES = 18;

    private final Endpoint endpoint;
    private final int most;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, LegacyConnection> connections = new ConcurrentHashMap<>();
    private final AtomicInteger streams = new AtomicInteger();

    /** @param most the most streams that are open at once */
    LegacySse(Endpoint endpoint, int most) {
        this.endpoint = endpoint;
        this.most = most;
    }

    /** Serves one stream until it ends. Returns null, or the reason why no stream was opened. */
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

    /** Accepts a message of a client. Returns null, or the reason why the message was refused. */
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
        return RandomText.of(random, ID_BYTES);
    }
}
