// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.transport.streamable.request.RequestHead;
import io.longhaul.transport.streamable.stream.Responder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The response to one request. For one thread at a time. */
final class Response extends Responder {

    private static final byte[] NOTHING = new byte[0];
    private static final Map<Integer, String> REASONS = Map.ofEntries(
            Map.entry(200, "OK"),
            Map.entry(202, "Accepted"),
            Map.entry(204, "No Content"),
            Map.entry(206, "Partial Content"),
            Map.entry(308, "Permanent Redirect"),
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(406, "Not Acceptable"),
            Map.entry(409, "Conflict"),
            Map.entry(410, "Gone"),
            Map.entry(413, "Content Too Large"),
            Map.entry(414, "URI Too Long"),
            Map.entry(415, "Unsupported Media Type"),
            Map.entry(416, "Range Not Satisfiable"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(431, "Request Header Fields Too Large"),
            Map.entry(500, "Internal Server Error"),
            Map.entry(501, "Not Implemented"),
            Map.entry(502, "Bad Gateway"),
            Map.entry(503, "Service Unavailable"),
            Map.entry(505, "HTTP Version Not Supported"));

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

    /** A second of Unix time, and its text in a header field. */
    private record Date(long second, String text) {}

    private static volatile Date date = new Date(-1, "");

    private final HttpConnection connection;
    private final @Nullable RequestHead request;
    private boolean last = true;

    /** @param request the request, or null for a malformed one */
    Response(HttpConnection connection, @Nullable RequestHead request) {
        this.connection = connection;
        this.request = request;
    }

    /**
     * Whether the connection ends after this response, which then has {@code Connection: close}; true until the
     * response is sent.
     */
    boolean isLast() {
        return last;
    }

    @Override
    public void send(int status, byte[] body) throws IOException {
        if (hasLength(status)) {
            header("Content-Length", String.valueOf(body.length));
        }
        connection.write(head(status), isSilent() ? NOTHING : body);
    }

    /** "The server MUST NOT send content in the response" to HEAD. */
    private boolean isSilent() {
        return request != null && request.method().equals("HEAD");
    }

    @Override
    public Stream stream(int status) {
        // "A sender MUST NOT send a Content-Length header field in any message that contains a Transfer-Encoding".
        boolean chunked = request != null && !request.old() && !headers.containsKey("Content-Length");
        if (chunked) {
            header("Transfer-Encoding", "chunked");
        }
        return new Body(connection, head(status), chunked && !isSilent());
    }

    @Override
    public void detach() {
        connection.detach(this);
    }

    /** The time as a header field, formatted once in each second. */
    private static String date() {
        var second = Instant.now().getEpochSecond();
        var known = date;
        if (known.second() != second) {
            known = new Date(second, DATE.format(Instant.ofEpochSecond(second).atOffset(ZoneOffset.UTC)));
            date = known;
        }
        return known.text();
    }

    private byte[] head(int status) {
        begin();
        last = request == null || request.isLast() || connection.endsAfterThis();
        if (last) {
            header("Connection", "close");
        }
        var head = new StringBuilder(256)
                .append("HTTP/1.1 ")
                .append(status)
                .append(' ')
                // "A client SHOULD ignore the reason-phrase content."
                .append(REASONS.getOrDefault(status, ""))
                .append("\r\nDate: ")
                .append(date());
        headers.forEach(
                (name, value) -> head.append("\r\n").append(name).append(": ").append(value));
        return head.append("\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The body of a response in parts. */
    private static final class Body implements Stream {

        private static final byte[] LINE_END = HttpConnection.ascii("\r\n");
        private static final byte[] LAST_CHUNK = HttpConnection.ascii("0\r\n\r\n");

        private final HttpConnection connection;
        private final boolean chunked;
        private byte[] head;
        private boolean ended;

        private Body(HttpConnection connection, byte[] head, boolean chunked) {
            this.connection = connection;
            this.head = head;
            this.chunked = chunked;
        }

        /** Writes a part, in one piece where it fits. */
        @Override
        public void write(byte[] part) throws IOException {
            if (ended) {
                throw new IOException("The body has ended");
            }
            if (chunked) {
                connection.write(
                        takeHead(), HttpConnection.ascii(Integer.toHexString(part.length) + "\r\n"), part, LINE_END);
            } else {
                connection.write(takeHead(), part);
            }
        }

        /** Ends the body; without chunks the end of the connection marks the end of the body. */
        @Override
        public void end() throws IOException {
            if (ended) {
                return;
            }
            ended = true;
            connection.write(takeHead(), chunked ? LAST_CHUNK : NOTHING);
        }

        private byte[] takeHead() {
            var taken = head;
            head = NOTHING;
            return taken;
        }
    }
}
