// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A second JVM that runs a main class of the tests; killed without mercy when it is closed. */
final class OtherJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    OtherJvm(Class<?> main, String... arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    long pid() {
        return process.pid();
    }

    /** Gives it a line to read. */
    void tell(String line) throws IOException {
        var in = process.outputWriter(StandardCharsets.UTF_8);
        in.write(line + "\n");
        in.flush();
    }

    /** The next line that it prints; null when it is dead and all was read. */
    @org.jspecify.annotations.Nullable
    String line() throws IOException {
        return out.readLine();
    }

    /** Kills it with SIGKILL, and waits until it is gone; what it had printed can still be read. */
    void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        kill();
        out.close();
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
