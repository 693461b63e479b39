package io.longhaul.cli.terminal;

import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/**
 * One of the streams that a person may be looking at. All text comes to it through here, from any author, and
 * control characters in it do nothing to a terminal: {@link SafeText} says what becomes of them. Thread-safe.
 */
public final class Screen {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final String GREEN = "\u001b[32m";
    private static final String RESET = "\u001b[0m";

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
