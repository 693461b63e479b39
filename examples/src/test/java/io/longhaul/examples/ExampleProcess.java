// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import io.longhaul.examples.HaltingServer.When;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A {@link HaltingServer} as a process.
 *
 * @param at     where it serves; null where it has ended before
 * @param halted is done when the server halts, or ends
 * @param steps  the number of steps that it has recorded, when it has ended
 */
record ExampleProcess(
        Process process,
        CompletableFuture<@Nullable URI> at,
        CompletableFuture<Void> halted,
        CompletableFuture<Integer> steps) {

    /**
     * Starts one in a folder, and returns when it serves. Another connection may have the port for a moment: then it is
     * started again.
     */
    static ExampleProcess start(Path folder, String example, int port, int halt, When when) throws IOException {
        var log = folder.resolve("server.log");
        var arguments = List.of(example, String.valueOf(port), String.valueOf(halt), when.name());
        for (int tries = 0; tries < 10; tries++) {
            var process = java(HaltingServer.class, arguments)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            var server = new ExampleProcess(
                    process, new CompletableFuture<>(), new CompletableFuture<>(), new CompletableFuture<>());
            Thread.ofVirtual().start(server::follow);
            if (server.at.join() != null) {
                return server;
            }
        }
        throw new IOException("the server did not start:\n" + Files.readString(log));
    }

    /** A program of this project in a JVM that starts soon, as the builds do that the program runs. */
    static ProcessBuilder java(Class<?> main, List<String> arguments) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command);
        builder.environment().put("MAVEN_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        return builder;
    }

    URI url() {
        return Objects.requireNonNull(at.join());
    }

    private void follow() {
        int count = 0;
        try (var said = process.inputReader()) {
            for (var line = said.readLine(); line != null; line = said.readLine()) {
                if (line.equals(HaltingServer.HALTS)) {
                    halted.complete(null);
                } else if (line.equals(HaltingServer.STEP)) {
                    count++;
                } else {
                    at.complete(URI.create(line.substring(HaltingServer.AT.length())));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            at.complete(null);
            steps.complete(count);
            halted.complete(null);
        }
    }

    /** SIGKILL, by the handle, which leaves what was said to be read. Gives how many steps it has recorded. */
    int kill() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
        return steps.join();
    }
}
