// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A program in a process of its own, which ends when its input ends. For one thread. */
public final class ChildProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader out;

    private ChildProcess(Process process) {
        this.process = process;
        out = process.inputReader();
    }

    /** Starts a program whose standard error goes to the standard error of this process. */
    public static ChildProcess start(List<String> command) throws IOException {
        return start(command, ProcessBuilder.Redirect.INHERIT);
    }

    /** Starts a program whose standard error is discarded. */
    public static ChildProcess startSilently(List<String> command) throws IOException {
        return start(command, ProcessBuilder.Redirect.DISCARD);
    }

    private static ChildProcess start(List<String> command, ProcessBuilder.Redirect err) throws IOException {
        return new ChildProcess(new ProcessBuilder(command).redirectError(err).start());
    }

    /** Starts a class of the bench, of this build or of another one. */
    public static ChildProcess start(String classPath, Class<?> main, String... args) throws IOException {
        return start(java(classPath, main.getName(), args));
    }

    /** The command that runs a class by the Java of this process. */
    public static List<String> java(String classPath, String main, String... args) {
        var command = new ArrayList<>(java());
        // The bench reads what a program prints, so loggers must not write there.
        command.addAll(List.of(
                "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
                "-Dslf4j.internal.verbosity=ERROR",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                main));
        command.addAll(List.of(args));
        return command;
    }

    /** The Java of this process, with the garbage collector of all measurements. */
    public static List<String> java() {
        return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC");
    }

    /** The next line that the program prints. */
    public String line() throws IOException {
        var line = out.readLine();
        if (line == null) {
            throw new IOException("a process of the bench has ended: see above");
        }
        return line;
    }

    public URI address() throws IOException {
        var line = line();
        while (!line.startsWith("http://")) {
            line = line();
        }
        return URI.create(line);
    }

    public void tell(String line) throws IOException {
        process.outputWriter().append(line).append('\n').flush();
    }

    /** Sends the program a line, and waits for the line that answers. */
    public String ask(String line) throws IOException {
        tell(line);
        return line();
    }

    /** The CPU time of all its threads so far. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** Ends the input of the program, and waits until the program has ended. */
    public void end() throws IOException, InterruptedException {
        process.outputWriter().close();
        process.waitFor();
    }

    /** Kills the program, whose stored data is no longer needed, and waits until it has ended. */
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
