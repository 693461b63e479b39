// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One of the streams that a person may be looking at. All text comes to it through here, from any author, and
 * control characters in it do nothing to a terminal: {@link SafeText} says what becomes of them. Thread-safe.
 */
public final class Screen {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final String GREEN = "\u001b[32m";
    private static final String RESET = "\u001b[0m";

    /** The other buffer of the terminal, without a cursor, and with long lines cut at the edge. */
    private static final String OPEN_WINDOW = "\u001b[?1049h\u001b[?25l\u001b[?7l";

    private static final String CLOSE_WINDOW = "\u001b[?7h\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String REST_OF_WINDOW = "\u001b[J";

    private final PrintStream stream;
    private final boolean verbatim;

    private Screen(PrintStream stream, boolean verbatim) {
        this.stream = stream;
        this.verbatim = verbatim;
    }

    /** A stream whose text is made harmless, whether a terminal shows it or not. */
    static Screen of(PrintStream stream) {
        return new Screen(stream, false);
    }

    /** Standard output: results go into files and pipes as they are, and are made harmless for a terminal. */
    static Screen ofResults(PrintStream stream, boolean isTerminal) {
        return new Screen(stream, !isTerminal);
    }

    /** What this process's standard error is at present, to which logs go. */
    public static Screen standardError() {
        return of(System.err);
    }

    /** Prints lines of text. */
    public void println(String text) {
        stream.println(clean(text));
    }

    /** Writes bytes into a file or a pipe; false where text is made harmless, and bytes have no place. */
    public boolean write(byte[] bytes) {
        if (verbatim) {
            stream.write(bytes, 0, bytes.length);
            stream.flush();
        }
        return verbatim;
    }

    public void println() {
        stream.println();
    }

    /** Prints the beginning of a line, which is seen at once. */
    public void print(String text) {
        stream.print(clean(text));
        stream.flush();
    }

    /** Prints where an error comes from. */
    public void trace(Throwable error) {
        print(traceOf(error));
    }

    /** Where an error comes from, in lines. */
    public static String traceOf(Throwable error) {
        var trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace, true));
        return trace.toString();
    }

    /** Draws the line anew that the cursor is in. */
    void redraw(String line, boolean coloured) {
        stream.print(CLEAR_LINE + (coloured ? GREEN : "") + SafeText.line(line) + (coloured ? RESET : ""));
        stream.flush();
    }

    void eraseLine() {
        stream.print(CLEAR_LINE);
        stream.flush();
    }

    /** Takes the whole window; what it showed comes back by {@link #closeWindow}. */
    void openWindow() {
        stream.print(OPEN_WINDOW);
        stream.flush();
    }

    void closeWindow() {
        stream.print(CLOSE_WINDOW);
        stream.flush();
    }

    /**
     * Draws all lines of the window; colours are left out where they are not wanted. Each line is erased before it is
     * written: behind the last column, the cursor stands on it still.
     */
    void draw(List<Window.Line> lines, boolean coloured) {
        var text = new StringBuilder(HOME);
        for (int i = 0; i < lines.size(); i++) {
            text.append(i == 0 ? "" : "\r\n")
                    .append(i == lines.size() - 1 ? REST_OF_WINDOW : REST_OF_LINE)
                    .append(rendered(lines.get(i), coloured));
        }
        stream.print(text);
        stream.flush();
    }

    private static String rendered(Window.Line line, boolean coloured) {
        var text = SafeText.row(line.text());
        var style = line.style();
        return style == Window.Style.PLAIN || style.isColour() && !coloured
                ? text
                : "\u001b[" + style.rendition + "m" + text + RESET;
    }

    /** From now on this process's standard error, where logs and stack traces go, is this screen. */
    public void becomeStandardError() {
        System.setErr(new PrintStream(new Bytes(this), true, StandardCharsets.UTF_8));
    }

    private String clean(String text) {
        return verbatim ? text : SafeText.block(text);
    }

    /** Text as UTF-8, several characters at a time and none in halves, as print streams write it. */
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
