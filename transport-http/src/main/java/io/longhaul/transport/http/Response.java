package io.longhaul.transport.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The response to one request. For one thread at a time. */
final class Response {

    private static final byte[] NOTHING = new byte[0];
    private static final int NO_CONTENT = 204;
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

    /** A second of Unix time, and how it is written. */
    private record Date(long second, String text) {}

    private static volatile Date date = new Date(-1, "");

    private final HttpConnection connection;
    private final @Nullable RequestHead request;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private boolean sent;
    private boolean last = true;

    /** @param request what is answered, or null for what is no request */
    Response(HttpConnection connection, @Nullable RequestHead request) {
        this.connection = connection;
        this.request = request;
    }

    Response header(String name, String value) {
        if (!Fields.isToken(name) || !Fields.isValue(value)) {
            throw new IllegalArgumentException("This cannot be a header field: " + name);
        }
        headers.put(name, value);
        return this;
    }

    Response headers(Map<String, String> all) {
        all.forEach(this::header);
        return this;
    }

    void clear() {
        headers.clear();
    }

    /** Whether it has been sent, or begun to be. */
    boolean isSent() {
        return sent;
    }

    /** Whether the connection ends with it, which it then says; true until it is sent. */
    boolean isLast() {
        return last;
    }

    void send(int status) throws IOException {
        send(status, NOTHING);
    }

    void send(int status, byte[] body) throws IOException {
        // "A server MUST NOT send a Content-Length header field in any response with a status code of ... 204."
        if (status != NO_CONTENT) {
            header("Content-Length", String.valueOf(body.length));
        }
        // "The server MUST NOT send content in the response" to HEAD.
        boolean silent = request != null && request.method().equals("HEAD");
        connection.write(head(status), silent ? NOTHING : body);
    }

    /** A body of a length that is not known yet. Its head goes out with its first bytes. */
    Stream stream(int status) {
        boolean chunked = request != null && !request.old();
        if (chunked) {
            header("Transfer-Encoding", "chunked");
        }
        return new Stream(connection, head(status), chunked);
    }

    /** The time as a header field has it, written once in each second. */
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
        if (sent) {
            throw new IllegalStateException("This request has been answered already");
        }
        sent = true;
        last = request == null || request.isLast() || connection.endsAfterThis();
        if (last) {
            header("Connection", "close");
        }
        var head = new StringBuilder(256)
                .append("HTTP/1.1 ")
                .append(status)
                .append(' ')
                .append(Responses.reason(status))
                .append("\r\nDate: ")
                .append(date());
        headers.forEach(
                (name, value) -> head.append("\r\n").append(name).append(": ").append(value));
        return head.append("\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The body of a response in parts. For one thread at a time. */
    static final class Stream {

        private static final byte[] LINE_END = Responses.ascii("\r\n");
        private static final byte[] LAST_CHUNK = Responses.ascii("0\r\n\r\n");

        private final HttpConnection connection;
        private final boolean chunked;
        private byte[] head;
        private boolean ended;

        private Stream(HttpConnection connection, byte[] head, boolean chunked) {
            this.connection = connection;
            this.head = head;
            this.chunked = chunked;
        }

        /** Writes a part that is not empty, in one piece where it fits. */
        void write(byte[] part) throws IOException {
            if (ended) {
                throw new IOException("The body has ended");
            }
            if (chunked) {
                connection.write(
                        takeHead(), Responses.ascii(Integer.toHexString(part.length) + "\r\n"), part, LINE_END);
            } else {
                connection.write(takeHead(), part);
            }
        }

        /** Says that the body has ended; without chunks the end of the connection does. */
        void end() throws IOException {
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
