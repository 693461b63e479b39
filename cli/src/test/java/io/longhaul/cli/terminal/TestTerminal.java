package io.longhaul.cli.terminal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A terminal whose user is a test. */
public final class TestTerminal {
    private final PipedInputStream in = new PipedInputStream(1 << 16);
    private final PipedOutputStream keys = new PipedOutputStream();
    private final Written out = new Written();
    private final Written err = new Written();
    private final Terminal terminal;

    private TestTerminal(Terminal.Facts facts) {
        try {
            in.connect(keys);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var results = Screen.ofResults(out.stream(), facts.showsOut());
        terminal = new Terminal(in, results, Screen.of(err.stream()), facts, Map.of("NO_COLOR", "1"));
    }

    /** Somebody sits there. */
    public static TestTerminal interactive() {
        return new TestTerminal(new Terminal.Facts(true, false, true, 80));
    }

    /** Somebody sits there who also sees the results. */
    public static TestTerminal watched() {
        return new TestTerminal(new Terminal.Facts(true, true, true, 80));
    }

    /** Nobody is there. */
    public static TestTerminal silent() {
        return new TestTerminal(Terminal.Facts.NONE);
    }

    public Terminal terminal() {
        return terminal;
    }

    public TestTerminal type(String line) {
        try {
            keys.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            keys.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public String out() {
        return out.text();
    }

    public String err() {
        return err.text();
    }

    /** Waits until standard error shows {@code text}. */
    public void awaitErr(String text) throws InterruptedException {
        err.await(text);
    }

    private static final class Written extends ByteArrayOutputStream {
        PrintStream stream() {
            return new PrintStream(this, true, StandardCharsets.UTF_8);
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            super.write(bytes, offset, length);
            notifyAll();
        }

        @Override
        public synchronized void write(int one) {
            super.write(one);
            notifyAll();
        }

        synchronized String text() {
            return toString(StandardCharsets.UTF_8);
        }

        synchronized void await(String text) throws InterruptedException {
            while (!text().contains(text)) {
                wait(10_000);
            }
        }
    }
}
