package io.longhaul.transport.http;

import io.longhaul.protocol.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The transport's own responses. */
final class Responses {

    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final int SERVER_ERROR = 500;
    private static final Map<Integer, String> REASONS = Map.ofEntries(
            Map.entry(OK, "OK"),
            Map.entry(ACCEPTED, "Accepted"),
            Map.entry(204, "No Content"),
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(406, "Not Acceptable"),
            Map.entry(409, "Conflict"),
            Map.entry(413, "Content Too Large"),
            Map.entry(414, "URI Too Long"),
            Map.entry(415, "Unsupported Media Type"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(431, "Request Header Fields Too Large"),
            Map.entry(SERVER_ERROR, "Internal Server Error"),
            Map.entry(501, "Not Implemented"),
            Map.entry(503, "Service Unavailable"),
            Map.entry(505, "HTTP Version Not Supported"));

    private Responses() {}

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** What a status line says beside the number; "a client SHOULD ignore the reason-phrase content". */
    static String reason(int status) {
        return REASONS.getOrDefault(status, "");
    }

    /** Says that a message was taken whose answer goes elsewhere. */
    static void accepted(Response response) throws IOException {
        response.send(ACCEPTED);
    }

    /** Gives a document that changes seldom, and is no secret. */
    static void document(Json document, Response response) throws IOException {
        response.header("Content-Type", "application/json")
                .header("Cache-Control", "max-age=300")
                .send(OK, document.bytes());
    }

    /** Turns a request down. Where its body is not read, the connection ends with that. */
    static void refuse(HttpRefusal refusal, Response response) throws IOException {
        json(response.headers(refusal.headers()), refusal.status(), Errors.INVALID_REQUEST, refusal.message());
    }

    static void internalError(Response response) throws IOException {
        json(response, SERVER_ERROR, Errors.INTERNAL_ERROR, "The server failed to answer: see its log");
    }

    private static void json(Response response, int status, int code, String message) throws IOException {
        response.header("Content-Type", "application/json").send(status, Errors.body(code, message));
    }
}
