package io.longhaul.bench.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A program of this package in a process of its own, which ends with its input. */
final class ChildProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader out;

    private ChildProcess(Process process) {
        this.process = process;
        out = process.inputReader();
    }

    /** Starts it by the Java of this process. */
    static ChildProcess start(String classPath, Class<?> main, String... args) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                main.getName()));
        command.addAll(List.of(args));
        return new ChildProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The next line that it prints. */
    String line() throws IOException {
        var line = out.readLine();
        if (line == null) {
            throw new IOException("a process of the bench has ended: see above");
        }
        return line;
    }

    /** Gives it a line, and waits for the line that answers. */
    String ask(String line) throws IOException {
        process.outputWriter().append(line).append('\n').flush();
        return line();
    }

    /** What all its threads have used so far. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** Kills it, as what it has stored is of no use any more, and waits until it has ended. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
