// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.text.SafeText;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An output stream that a person may see. All text for the stream passes through this class, so that control characters
 * have no effect on a terminal: {@link SafeText} replaces them. A file or a pipe that does not take a result is a
 * {@link Problem}; a terminal that is gone is ignored. Thread-safe.
 */
public final class Screen {
    private static final String BROKEN_PIPE = "Broken pipe";
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final String GREEN = "\u001b[32m";
    private static final String RESET = "\u001b[0m";

    private static final String CUT_LONG_LINES = "\u001b[?7l";
    private static final String WRAP_LONG_LINES = "\u001b[?7h";

    /** Opens the alternate buffer of the terminal, without a cursor, and with long lines cut at the edge. */
    private static final String OPEN_WINDOW = "\u001b[?1049h\u001b[?25l" + CUT_LONG_LINES;

    private static final String CLOSE_WINDOW = WRAP_LONG_LINES + "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String REST_OF_WINDOW = "\u001b[J";

    private final OutputStream stream;
    private final boolean verbatim;
    private @Nullable IOException failure;

    private Screen(OutputStream stream, boolean verbatim) {
        this.stream = stream;
        this.verbatim = verbatim;
    }

    /** A stream whose text is always made harmless, even without a terminal. */
    public static Screen of(OutputStream stream) {
        return new Screen(stream, false);
    }

    /** Standard output: results go unchanged into files and pipes, and are made harmless for a terminal. */
    static Screen ofResults(OutputStream stream, boolean isTerminal) {
        return new Screen(stream, !isTerminal);
    }

    /** The present standard error of this process, to which logs go. */
    public static Screen standardError() {
        return of(System.err);
    }

    public void println(String text) {
        send(clean(text) + System.lineSeparator());
    }

    /** Writes bytes into a file or a pipe; false for a stream whose text is made harmless, which takes no bytes. */
    public boolean write(byte[] bytes) {
        if (verbatim) {
            send(bytes);
        }
        return verbatim;
    }

    public void println() {
        send(System.lineSeparator());
    }

    /** Prints the beginning of a line, which is shown at once. */
    public void print(String text) {
        send(clean(text));
    }

    public void trace(Throwable error) {
        print(traceOf(error));
    }

    /** The stack trace of an error, as lines. */
    public static String traceOf(Throwable error) {
        var trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace, true));
        return trace.toString();
    }

    /** Redraws the line of the cursor. A line that wrapped could not be erased, so that what does not fit is cut. */
    void redraw(String line, boolean coloured) {
        var text = (coloured ? GREEN : "") + SafeText.line(line) + (coloured ? RESET : "");
        send(CLEAR_LINE + CUT_LONG_LINES + text + WRAP_LONG_LINES);
    }

    void eraseLine() {
        send(CLEAR_LINE);
    }

    /** Takes the whole window; {@link #closeWindow} restores its earlier contents. */
    void openWindow() {
        send(OPEN_WINDOW);
    }

    void closeWindow() {
        send(CLOSE_WINDOW);
    }

    /**
     * Draws all lines of the window, in colour where that is wanted. Each line is erased before it is written, because
     * after the last column the cursor still stands on that column.
     */
    void draw(List<Window.Line> lines, boolean coloured) {
        var text = new StringBuilder(HOME);
        for (int i = 0; i < lines.size(); i++) {
            text.append(i == 0 ? "" : "\r\n")
                    .append(i == lines.size() - 1 ? REST_OF_WINDOW : REST_OF_LINE)
                    .append(rendered(lines.get(i), coloured));
        }
        send(text.toString());
    }

    private static String rendered(Window.Line line, boolean coloured) {
        var text = SafeText.row(line.text());
        var style = line.style();
        return style == Window.Style.PLAIN || style.isColour() && !coloured
                ? text
                : "\u001b[" + style.rendition + "m" + text + RESET;
    }

    /** Makes this screen the standard error of the process, to which logs and stack traces go. */
    public void becomeStandardError() {
        System.setErr(new PrintStream(new Bytes(this), true, StandardCharsets.UTF_8));
    }

    /**
     * Checks that a file or a pipe has taken all output. After a failure nothing more is written: output with a gap
     * could pass for whole.
     *
     * @throws Problem where it has not
     */
    public synchronized void expectWritten() {
        if (failure != null && BROKEN_PIPE.equals(failure.getMessage())) {
            throw new Problem(Problem.Kind.READER_GONE, "the reader of the output has left");
        }
        if (failure != null) {
            throw new Problem(Problem.Kind.OUTPUT, "the output cannot be written: " + failure.getMessage());
        }
    }

    private void send(String text) {
        send(text.getBytes(StandardCharsets.UTF_8));
    }

    private synchronized void send(byte[] bytes) {
        expectWritten();
        try {
            stream.write(bytes);
            stream.flush();
        } catch (IOException e) {
            failure = verbatim ? e : null;
            expectWritten();
        }
    }

    private String clean(String text) {
        return verbatim ? text : SafeText.block(text);
    }

    /** Takes the UTF-8 bytes of a print stream, which writes whole characters. */
    private static final class Bytes extends OutputStream {
        private final Screen screen;

        Bytes(Screen screen) {
            this.screen = screen;
        }

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            screen.print(new String(bytes, offset, length, StandardCharsets.UTF_8));
        }
    }
}
