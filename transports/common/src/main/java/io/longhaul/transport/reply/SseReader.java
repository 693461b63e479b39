// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.reply;

import io.longhaul.protocol.transport.client.StreamEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads server-sent events of the HTML standard one at a time, and stores no more than one event. Events of a type
 * other than {@code message} lose their data, since only that type carries messages. For one thread.
 */
public final class SseReader {

    private static final int CHUNK = 8 * 1024;
    private static final int MAX_RETRY_DIGITS = 9;

    /** An event exceeds the limit of bytes. */
    public static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLargeException(int limit) {
            super("An event has more than " + limit + " bytes");
        }
    }

    private final InputStream in;
    private final int limit;
    private final byte[] chunk = new byte[CHUNK];
    private int position;
    private int end;
    private boolean first = true;
    private boolean afterCr;

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private boolean hasData;
    private String type = "";
    private @Nullable String id;
    private @Nullable Duration retry;

    /**
     * Reads from {@code in}, which the caller closes.
     *
     * @param limit bytes of one event, and of one line
     */
    public SseReader(InputStream in, int limit) {
        this.in = in;
        this.limit = limit;
    }

    /**
     * Blocks until the next event with data, an id or a time. An event that the end of the stream cuts off does not
     * count.
     *
     * @return empty at the end of the stream
     * @throws TooLargeException when an event exceeds the limit; the stream cannot be read further
     */
    public Optional<StreamEvent> next() throws IOException {
        return readEvent() ? Optional.of(take()) : Optional.empty();
    }

    /**
     * Blocks until the next event.
     *
     * @return the data of the event; empty where the event has another type, and at the end of the stream
     */
    Optional<String> nextOf(String wanted) throws IOException {
        if (!readEvent()) {
            return Optional.empty();
        }
        var text = type.equals(wanted) ? data.toString(StandardCharsets.UTF_8) : null;
        take();
        return Optional.ofNullable(text);
    }

    private boolean readEvent() throws IOException {
        while (readLine()) {
            if (line.size() > 0) {
                field(line.toByteArray());
            } else if (hasData || id != null || retry != null) {
                return true;
            } else {
                type = "";
            }
        }
        return false;
    }

    private StreamEvent take() {
        var isMessage = type.isEmpty() || type.equals("message");
        var event = new StreamEvent(id, retry, isMessage ? data.toByteArray() : new byte[0]);
        data.reset();
        hasData = false;
        type = "";
        id = null;
        retry = null;
        return event;
    }

    /** Lines end with LF, CR or both; a CR ends its line at once, whether an LF follows or not. */
    private boolean readLine() throws IOException {
        line.reset();
        while (true) {
            if (position == end && !fill()) {
                return false;
            }
            if (afterCr && chunk[position] == '\n') {
                position++;
            }
            afterCr = false;
            var from = position;
            while (position < end && chunk[position] != '\n' && chunk[position] != '\r') {
                position++;
            }
            if (line.size() + position - from > limit + "data: ".length()) {
                throw new TooLargeException(limit);
            }
            line.write(chunk, from, position - from);
            if (position < end) {
                afterCr = chunk[position++] == '\r';
                skipByteOrderMark();
                return true;
            }
        }
    }

    private boolean fill() throws IOException {
        position = 0;
        end = Math.max(0, in.read(chunk, 0, CHUNK));
        return end > 0;
    }

    private void skipByteOrderMark() {
        if (first) {
            first = false;
            var bytes = line.toByteArray();
            if (bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF) {
                line.reset();
                line.write(bytes, 3, bytes.length - 3);
            }
        }
    }

    private void field(byte[] text) throws TooLargeException {
        var colon = 0;
        while (colon < text.length && text[colon] != ':') {
            colon++;
        }
        if (colon == 0) {
            return;
        }
        var name = new String(text, 0, colon, StandardCharsets.UTF_8);
        var from = Math.min(text.length, colon + 1);
        from += from < text.length && text[from] == ' ' ? 1 : 0;
        switch (name) {
            case "data" -> addData(text, from);
            case "event" -> type = string(text, from);
            case "id" -> setId(string(text, from));
            case "retry" -> setRetry(string(text, from));
            default -> {}
        }
    }

    private void addData(byte[] text, int from) throws TooLargeException {
        if (hasData) {
            data.write('\n');
        }
        hasData = true;
        data.write(text, from, text.length - from);
        if (data.size() > limit) {
            throw new TooLargeException(limit);
        }
    }

    private void setId(String value) {
        if (value.indexOf('\0') < 0) {
            id = value;
        }
    }

    private void setRetry(String value) {
        if (!value.isEmpty()
                && value.length() <= MAX_RETRY_DIGITS
                && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            retry = Duration.ofMillis(Long.parseLong(value));
        }
    }

    private static String string(byte[] text, int from) {
        return new String(text, from, text.length - from, StandardCharsets.UTF_8);
    }
}
