// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The bytes of one request, written once and sent many times: only the id is changed in place. For one thread. */
final class RequestBytes {

    private static final String ID = "1000000000";

    private final ByteBuffer bytes;

    /** The position of the id, or -1 where there is none. */
    private final int id;

    private RequestBytes(String head, String body) {
        var all = (head + body).getBytes(StandardCharsets.UTF_8);
        bytes = ByteBuffer.allocateDirect(all.length).put(all);
        id = body.contains(ID) ? head.length() + body.indexOf(ID) : -1;
    }

    /**
     * A request.
     *
     * @param headers header lines, each with its line end
     * @param rest    the rest of the body after its id
     */
    static RequestBytes request(String host, String headers, String rest) {
        return post(host, headers, "{\"jsonrpc\":\"2.0\",\"id\":" + ID + "," + rest + "}");
    }

    static RequestBytes notification(String host, String headers, String rest) {
        return post(host, headers, "{\"jsonrpc\":\"2.0\"," + rest + "}");
    }

    private static RequestBytes post(String host, String headers, String body) {
        var length = body.getBytes(StandardCharsets.UTF_8).length;
        var head = "POST /mcp HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/json\r\n"
                + "Accept: application/json, text/event-stream\r\n" + headers + "Content-Length: " + length
                + "\r\n\r\n";
        return new RequestBytes(head, body);
    }

    /** The request that opens the side stream of a session. */
    static RequestBytes get(String host, String headers) {
        return new RequestBytes(
                "GET /mcp HTTP/1.1\r\nHost: " + host + "\r\nAccept: text/event-stream\r\n" + headers + "\r\n", "");
    }

    /** The bytes with this id. Write them completely before the next call of this method. */
    ByteBuffer numbered(long number) {
        var left = number;
        for (var i = ID.length() - 1; id >= 0 && i > 0; i--) {
            bytes.put(id + i, (byte) ('0' + left % 10));
            left /= 10;
        }
        return bytes.rewind();
    }
}
