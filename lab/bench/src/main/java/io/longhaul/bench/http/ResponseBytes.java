// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The response to one request on a connection, reused for the next request. For one thread. */
final class ResponseBytes {

    private static final byte[] HEAD_END = ascii("\r\n\r\n");
    private static final byte[] LINE_END = ascii("\r\n");
    private static final String LENGTH = "Content-Length";
    private static final byte[] LAST_CHUNK = ascii("\r\n0\r\n\r\n");

    private byte[] bytes = new byte[1 << 12];
    private int size;
    private int head;

    /** The length of the response in bytes, or -1 where the last chunk ends it. */
    private int whole;

    void clear() {
        size = 0;
        head = 0;
    }

    /** Keeps only the head of a stream that goes on. */
    void forget() {
        size = head;
    }

    /** Takes the bytes that have arrived; true where the response is complete. */
    boolean read(SocketChannel channel, ByteBuffer arrived) throws IOException {
        if (channel.read(arrived.clear()) < 0) {
            throw new IOException("the server closed a connection: " + this);
        }
        arrived.flip();
        while (bytes.length - size < arrived.remaining()) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
        var taken = arrived.remaining();
        arrived.get(bytes, size, taken);
        size += taken;
        return isWhole();
    }

    private boolean isWhole() {
        if (head == 0) {
            var end = find(HEAD_END, 0, size);
            if (end < 0) {
                return false;
            }
            head = end + HEAD_END.length;
            var length = value(LENGTH);
            whole = length < 0 ? -1 : head + number(length);
        }
        return whole < 0
                ? size >= head + LAST_CHUNK.length - 2 && find(LAST_CHUNK, size - LAST_CHUNK.length, size) >= 0
                : size >= whole;
    }

    /** The position of a header field's value, or -1 where there is none. Names may have any case. */
    private int value(String name) {
        for (var i = 2; i < head - name.length(); i++) {
            if (bytes[i - 1] == '\n' && bytes[i + name.length()] == ':' && isNamed(name, i)) {
                return i + name.length() + 2;
            }
        }
        return -1;
    }

    private boolean isNamed(String name, int at) {
        for (var k = 0; k < name.length(); k++) {
            if ((bytes[at + k] | 0x20) != (name.charAt(k) | 0x20)) {
                return false;
            }
        }
        return true;
    }

    /** The value of a header field, empty where it is missing. */
    String header(String name) {
        var from = value(name);
        return from < 0 ? "" : new String(bytes, from, find(LINE_END, from, head) - from, StandardCharsets.US_ASCII);
    }

    boolean hasHead() {
        return head > 0;
    }

    /** Whether this text has arrived, even in an incomplete response. */
    boolean contains(byte[] text) {
        return find(text, 0, size) >= 0;
    }

    /** Whether the response is as expected: of a status 2xx, and with {@code expected} in its body. */
    boolean isGood(byte[] expected) {
        return bytes[9] == '2' && (expected.length == 0 || find(expected, head, size) >= 0);
    }

    /** The text between two texts; fails where they are missing. */
    String between(String before, String after) {
        var text = toString();
        var from = text.indexOf(before);
        var to = from < 0 ? -1 : text.indexOf(after, from + before.length());
        if (to < 0) {
            throw new IllegalStateException("no " + before + " in " + text);
        }
        return text.substring(from + before.length(), to);
    }

    private int number(int from) {
        var number = 0;
        for (var i = from; bytes[i] >= '0' && bytes[i] <= '9'; i++) {
            number = number * 10 + bytes[i] - '0';
        }
        return number;
    }

    private int find(byte[] wanted, int from, int to) {
        for (var i = from; i <= to - wanted.length; i++) {
            var k = 0;
            while (k < wanted.length && bytes[i + k] == wanted[k]) {
                k++;
            }
            if (k == wanted.length) {
                return i;
            }
        }
        return -1;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
        return new String(bytes, 0, size, StandardCharsets.UTF_8);
    }
}
