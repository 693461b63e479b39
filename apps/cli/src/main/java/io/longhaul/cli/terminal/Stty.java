// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The terminal of this process, by {@code stty} and the signals of POSIX. */
final class Stty implements Tty {
    private static final int PATIENCE_SECONDS = 5;
    private static final Map<String, WindowEvent> SIGNALS =
            Map.of("WINCH", WindowEvent.RESIZED, "TSTP", WindowEvent.STOPPING, "CONT", WindowEvent.CONTINUED);

    @Override
    public Optional<Size> size() {
        try {
            var parts = stty("size").split(" ", -1);
            if (parts.length == 2 && parts[0].matches("[1-9]\\d{0,3}") && parts[1].matches("[1-9]\\d{0,3}")) {
                return Optional.of(new Size(Integer.parseInt(parts[1]), Integer.parseInt(parts[0])));
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    @Override
    public Keys keys(Consumer<WindowEvent> listener) throws IOException {
        var before = stty("-g");
        stty("-icanon", "-echo", "min", "1", "time", "0");
        var handlers = SIGNALS.entrySet().stream()
                .map(signal -> Interrupts.handle(signal.getKey(), () -> listener.accept(signal.getValue())))
                .toList();
        return () -> {
            handlers.forEach(Runnable::run);
            try {
                stty(before);
            } catch (IOException e) {
                Screen.standardError()
                        .println("longhaul: the terminal could not be set back (" + e.getMessage()
                                + "): stty sane does so");
            }
        };
    }

    /**
     * Sends SIGTSTP, not SIGSTOP: the system ignores SIGTSTP where no shell could continue the process. A program sends
     * it, because the JVM raises only signals that it handles itself.
     */
    @Override
    public void stop() throws IOException {
        run("sh", "-c", "kill -TSTP " + ProcessHandle.current().pid());
    }

    private static String stty(String... words) throws IOException {
        var line = new ArrayList<String>();
        line.add("stty");
        line.addAll(List.of(words));
        return run(line.toArray(String[]::new));
    }

    /** Runs a program with the terminal as its input, and gives what it prints. */
    private static String run(String... line) throws IOException {
        var process = new ProcessBuilder(line)
                .redirectInput(new File("/dev/tty"))
                .redirectErrorStream(true)
                .start();
        try (var output = process.getInputStream()) {
            var said = new String(output.readAllBytes(), StandardCharsets.US_ASCII).strip();
            if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0) {
                return said;
            }
            throw new IOException(String.join(" ", line) + ": " + said);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(String.join(" ", line) + " was interrupted", e);
        } finally {
            process.destroy();
        }
    }
}
