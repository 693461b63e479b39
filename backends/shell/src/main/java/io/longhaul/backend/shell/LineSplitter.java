package io.longhaul.backend.shell;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Cuts bytes into lines. A line ends with a line feed, a carriage return (as progress bars write) or both. Only its
 * first {@value #LONGEST} bytes are kept. Not thread-safe.
 */
final class LineSplitter {

    static final int LONGEST = 8 * 1024;

    /** Colours and movements of the cursor on a terminal (ECMA-48, 5.4). */
    private static final Pattern TERMINAL_CODES = Pattern.compile("\u001b\\[[0-?]*[ -/]*[@-~]");

    /**
     * One line.
     *
     * @param text without its end, with U+FFFD for what is not UTF-8
     * @param end  the place behind it in the whole output
     */
    record Line(String text, long end) {}

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long position;
    private boolean tooLong;
    private boolean unfinished;
    private boolean afterReturn;

    /**
     * @param position    where it begins in the whole output
     * @param afterReturn whether the byte before that is a carriage return
     */
    LineSplitter(long position, boolean afterReturn) {
        this.position = position;
        this.afterReturn = afterReturn;
    }

    /** The place up to which bytes were added. */
    long position() {
        return position;
    }

    void add(byte[] bytes, Consumer<Line> lines) {
        for (byte b : bytes) {
            position++;
            if (b == '\n' && afterReturn) {
                afterReturn = false;
                continue;
            }
            afterReturn = b == '\r';
            if (b == '\n' || b == '\r') {
                end(lines);
            } else {
                append(b);
            }
        }
    }

    /** Ends a line that no line feed has ended, and goes on at {@code next}. */
    void finish(long next, Consumer<Line> lines) {
        if (unfinished) {
            end(lines);
        }
        afterReturn = false;
        position = next;
    }

    private void append(byte b) {
        unfinished = true;
        if (line.size() < LONGEST) {
            line.write(b);
        } else {
            tooLong = true;
        }
    }

    private void end(Consumer<Line> lines) {
        var text = TERMINAL_CODES.matcher(line.toString(StandardCharsets.UTF_8)).replaceAll("");
        lines.accept(new Line(tooLong ? text + "…" : text, position));
        line.reset();
        tooLong = false;
        unfinished = false;
    }
}
