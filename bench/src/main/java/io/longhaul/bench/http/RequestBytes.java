package io.longhaul.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One request as it goes over the wire, written once and sent many times: only its id is changed in place. For one
 * thread.
 */
final class RequestBytes {

    private static final String ID = "1000000000";

    private final ByteBuffer bytes;
    private final int id;

    /**
     * @param headers each with its line end
     * @param rest    of the body, behind its id
     */
    RequestBytes(String host, String headers, String rest) {
        var body = "{\"jsonrpc\":\"2.0\",\"id\":" + ID + "," + rest + "}";
        var length = body.getBytes(StandardCharsets.UTF_8).length;
        var head = "POST /mcp HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/json\r\n"
                + "Accept: application/json, text/event-stream\r\n" + headers + "Content-Length: " + length
                + "\r\n\r\n";
        var all = (head + body).getBytes(StandardCharsets.UTF_8);
        bytes = ByteBuffer.allocateDirect(all.length).put(all);
        id = head.length() + body.indexOf(ID);
    }

    /** The bytes with this id, to be written as a whole before they are asked for again. */
    ByteBuffer numbered(long number) {
        var left = number;
        for (var i = ID.length() - 1; i > 0; i--) {
            bytes.put(id + i, (byte) ('0' + left % 10));
            left /= 10;
        }
        return bytes.rewind();
    }
}
