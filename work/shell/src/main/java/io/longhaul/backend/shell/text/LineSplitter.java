// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.text;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Splits bytes into lines. A line feed ends a line. A carriage return ends one state of the line, as progress bars use
 * it, and the following text overwrites that state. Only the first {@value #LONGEST} bytes of a state are kept. Not
 * thread-safe.
 */
public final class LineSplitter {

    public static final int LONGEST = 128 * 1024;

    /**
     * One state of a line.
     *
     * @param bytes   the bytes without the end of the line; not to be changed
     * @param isCut   whether the state was longer than the kept bytes
     * @param isState whether the line has, or may yet have, other states
     * @param isLast  whether this is the last state of the line
     * @param end     the position after the state in the whole output
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Line(byte[] bytes, boolean isCut, boolean isState, boolean isLast, long end) {}

    private final ByteArrayOutputStream state = new ByteArrayOutputStream();
    private Optional<Line> before = Optional.empty();
    private long position;
    private long wholeTo;
    private boolean tooLong;
    private boolean unfinished;

    /** @param position the position of the first byte in the whole output */
    public LineSplitter(long position) {
        this.position = position;
        wholeTo = position;
    }

    /** The position up to which bytes were added. */
    public long position() {
        return position;
    }

    /** The position behind the last whole line. */
    public long wholeTo() {
        return wholeTo;
    }

    public void add(byte[] bytes, Consumer<Line> lines) {
        for (byte b : bytes) {
            position++;
            switch (b) {
                case '\n' -> endLine(lines);
                case '\r' -> endState(lines);
                default -> append(b);
            }
        }
    }

    /** Ends a line without a line feed, and continues at the position {@code next}. */
    public void finish(long next, Consumer<Line> lines) {
        if (unfinished || before.isPresent()) {
            endLine(lines);
        }
        position = next;
        wholeTo = next;
    }

    private void append(byte b) {
        unfinished = true;
        if (state.size() < LONGEST) {
            state.write(b);
        } else {
            tooLong = true;
        }
    }

    /** Ends a state; a carriage return with nothing before it, or before a line feed, has no effect. */
    private void endState(Consumer<Line> lines) {
        if (unfinished) {
            var line = taken(true, false);
            before = Optional.of(line);
            lines.accept(line);
        }
    }

    private void endLine(Consumer<Line> lines) {
        var last = !unfinished && before.isPresent()
                ? new Line(before.get().bytes(), before.get().isCut(), true, true, position)
                : taken(before.isPresent(), true);
        before = Optional.empty();
        wholeTo = position;
        lines.accept(last);
    }

    private Line taken(boolean isState, boolean isLast) {
        var line = new Line(state.toByteArray(), tooLong, isState, isLast, position);
        state.reset();
        tooLong = false;
        unfinished = false;
        return line;
    }
}
