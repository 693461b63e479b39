package io.longhaul.transport.http;

import io.helidon.http.DirectHandler;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;

/** The transport's own responses. */
final class Responses {

    static final Header JSON = HeaderValues.createCached("Content-Type", "application/json");
    static final Header EVENT_STREAM = HeaderValues.createCached("Content-Type", "text/event-stream");
    static final Header NO_CACHE = HeaderValues.createCached("Cache-Control", "no-cache, no-transform");
    static final Header NO_BUFFERING = HeaderValues.createCached("X-Accel-Buffering", "no");

    private Responses() {}

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Says that a message was taken whose answer goes elsewhere. */
    static void accepted(ServerResponse response) {
        response.status(Status.ACCEPTED_202).send();
    }

    /** Turns a request down. Its body is not read, so that the connection must be closed where it has one. */
    static void refuse(Refusal refusal, boolean unreadBody, ServerResponse response) {
        response.status(Status.create(refusal.status()));
        refusal.headers().forEach((name, value) -> response.headers().set(HeaderNames.create(name), value));
        if (unreadBody) {
            response.header(HeaderValues.CONNECTION_CLOSE);
            HttpConnection.current().refusedUnread();
        }
        response.header(JSON);
        response.send(Errors.body(Errors.INVALID_REQUEST, refusal.message()));
    }

    static void internalError(ServerResponse response) {
        response.status(Status.INTERNAL_SERVER_ERROR_500);
        response.header(JSON);
        response.send(Errors.body(Errors.INTERNAL_ERROR, "The server failed to answer: see its log"));
    }

    /** What Helidon itself turns down, such as a broken request line, said in our words and without its own. */
    static DirectHandlers direct() {
        var handlers = DirectHandlers.builder();
        for (var type : DirectHandler.EventType.values()) {
            handlers.addHandler(type, Responses::direct);
        }
        return handlers.build();
    }

    private static DirectHandler.TransportResponse direct(
            DirectHandler.TransportRequest request,
            DirectHandler.EventType type,
            Status status,
            ServerResponseHeaders headers,
            String message) {
        HttpConnection.current().refusedUnread();
        headers.set(JSON);
        var failed = status.code() >= Status.INTERNAL_SERVER_ERROR_500.code();
        var body = failed
                ? Errors.body(Errors.INTERNAL_ERROR, "The server failed to answer: see its log")
                : Errors.body(Errors.INVALID_REQUEST, sentence(status));
        return DirectHandler.TransportResponse.builder()
                .status(status)
                .headers(headers)
                .keepAlive(false)
                .entity(body)
                .build();
    }

    private static String sentence(Status status) {
        return status.code() == Status.REQUEST_ENTITY_TOO_LARGE_413.code()
                ? "The body is larger than this server takes: send less at once"
                : "The request is not well-formed HTTP, or its headers are too large";
    }
}
