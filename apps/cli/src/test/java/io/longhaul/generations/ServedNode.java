// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.cli.StartedJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A process of {@code serve}, over a data folder of its own; it can be killed, and started again. Not thread-safe. */
final class ServedNode {

    private static final String AT = "longhaul: at ";
    private static final String FOR_WORK = "longhaul: to no client";

    private final Path file;
    private final Path data;
    private final List<String> options;
    private @Nullable Process process;
    private @Nullable URI uri;

    ServedNode(Path file, Path data) {
        this(file, data, "--http", "0");
    }

    ServedNode(Path file, Path data, String... options) {
        this.file = file;
        this.data = data;
        this.options = List.of(options);
    }

    /** Returns when it answers. */
    void start() {
        try {
            var command = new ArrayList<>(StartedJvm.program());
            command.addAll(List.of("serve", file.toString(), "--data", data.toString()));
            command.addAll(options);
            var started = new ProcessBuilder(command).redirectErrorStream(true).start();
            process = started;
            uri = address(started.inputReader());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Null where the server has no port for clients. */
    private static @Nullable URI address(BufferedReader lines) throws IOException {
        var said = new StringBuilder();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(AT) || line.startsWith(FOR_WORK)) {
                // What it says later would fill the pipe.
                Thread.ofVirtual().start(() -> drain(lines));
                return line.startsWith(AT) ? URI.create(line.substring(AT.length())) : null;
            }
            said.append(line).append('\n');
        }
        throw new IOException("the server did not start:\n" + said);
    }

    private static void drain(BufferedReader lines) {
        try {
            lines.transferTo(Writer.nullWriter());
        } catch (IOException e) {
            // The process has ended.
        }
    }

    /** Empty while it does not run. */
    @Nullable
    URI uri() {
        return uri;
    }

    /** SIGKILL: it gets no chance to hand anything back. */
    void kill() {
        end(Process::destroyForcibly);
    }

    /** SIGTERM: it ends as an operator wants it. */
    void stop() {
        end(Process::destroy);
    }

    private void end(Consumer<Process> signal) {
        var running = process;
        uri = null;
        if (running != null) {
            signal.accept(running);
            running.onExit().join();
        }
    }
}
