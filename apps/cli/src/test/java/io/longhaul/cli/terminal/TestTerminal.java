// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A terminal whose user is a test. */
public final class TestTerminal {
    /** Where each frame of a window begins. */
    private static final String FRAME = "\u001b[H";

    /** The environment of somebody who has no servers. */
    private static final Map<String, String> NOBODY = Map.of(
            "NO_COLOR",
            "1",
            "XDG_STATE_HOME",
            Path.of("target", "no-state").toAbsolutePath().toString());

    private final PipedInputStream in = new PipedInputStream(1 << 16);
    private final PipedOutputStream keys = new PipedOutputStream();
    private final Written out = new Written();
    private final Written err = new Written();
    private final Terminal terminal;

    private TestTerminal(Terminal.Facts facts) {
        this(facts, Tty.NONE, null, NOBODY);
    }

    /** @param results takes the results in place of {@link #out} */
    private TestTerminal(Terminal.Facts facts, Tty tty, @Nullable OutputStream results, Map<String, String> env) {
        try {
            in.connect(keys);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var screen = Screen.ofResults(results == null ? out.stream() : results, facts.showsOut());
        terminal = new Terminal(in, screen, Screen.of(err.stream()), facts, env, tty);
    }

    /** Somebody sits there. */
    public static TestTerminal interactive() {
        return new TestTerminal(new Terminal.Facts(true, false, true, 80));
    }

    /** Somebody sits there who also sees the results. */
    public static TestTerminal watched() {
        return new TestTerminal(new Terminal.Facts(true, true, true, 80));
    }

    /** Somebody sits in front of a window. */
    public static TestTerminal window(Tty tty) {
        return new TestTerminal(new Terminal.Facts(true, true, true, 80), tty, null, NOBODY);
    }

    /** Nobody is there. */
    public static TestTerminal silent() {
        return new TestTerminal(Terminal.Facts.NONE);
    }

    /** Nobody is there, and the environment has these variables. */
    public static TestTerminal with(Map<String, String> env) {
        return new TestTerminal(Terminal.Facts.NONE, Tty.NONE, null, env);
    }

    /** Nobody is there, and results go into a file or a pipe. */
    public static TestTerminal into(OutputStream results) {
        return new TestTerminal(Terminal.Facts.NONE, Tty.NONE, results, NOBODY);
    }

    public Terminal terminal() {
        return terminal;
    }

    public TestTerminal type(String line) {
        return press(line + "\n");
    }

    /** Sends what keys send. */
    public TestTerminal press(String text) {
        try {
            keys.write(text.getBytes(StandardCharsets.UTF_8));
            keys.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Ends the input, as a terminal that is gone does. */
    public void hangUp() {
        try {
            keys.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String out() {
        return out.text();
    }

    public String err() {
        return err.text();
    }

    /** What was written to standard error, write by write. */
    public List<String> errWrites() {
        return err.writes();
    }

    /** What the window shows, line by line, without colours and styles. */
    public String frame() {
        var all = out.text();
        int last = all.lastIndexOf(FRAME);
        return last < 0 ? "" : all.substring(last + FRAME.length()).replaceAll("\u001b\\[[?\\d]*[a-zA-Z]|\r", "");
    }

    /** Waits until the window shows {@code text}. */
    public String awaitFrame(String text) throws InterruptedException {
        out.await(() -> frame().contains(text));
        return frame();
    }

    /** Waits until the results have {@code text}. */
    public void awaitOut(String text) throws InterruptedException {
        out.await(() -> out.text().contains(text));
    }

    /** Waits until standard error shows {@code text}. */
    public void awaitErr(String text) throws InterruptedException {
        err.await(() -> err.text().contains(text));
    }

    private static final class Written extends ByteArrayOutputStream {
        private final List<String> writes = new ArrayList<>();

        PrintStream stream() {
            return new PrintStream(this, true, StandardCharsets.UTF_8);
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            super.write(bytes, offset, length);
            writes.add(new String(bytes, offset, length, StandardCharsets.UTF_8));
            notifyAll();
        }

        @Override
        public synchronized void write(int one) {
            super.write(one);
            notifyAll();
        }

        synchronized List<String> writes() {
            return List.copyOf(writes);
        }

        synchronized String text() {
            return toString(StandardCharsets.UTF_8);
        }

        synchronized void await(BooleanSupplier shown) throws InterruptedException {
            while (!shown.getAsBoolean()) {
                wait(10_000);
            }
        }
    }
}
