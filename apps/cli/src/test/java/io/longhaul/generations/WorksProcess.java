// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.cli.StartedJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A process of {@link WorksNode}. */
final class WorksProcess {

    /** Stands among what the process says for its end. */
    private static final String END = "";

    private final Process process;
    private @Nullable URI uri;
    private final Runnable begun;
    /** What it says that is no beginning. */
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    /**
     * Begins to start.
     *
     * @param begun runs when a slow tool has begun there
     */
    WorksProcess(String database, String name, Runnable begun) {
        this.begun = begun;
        try {
            process = new ProcessBuilder(StartedJvm.command(WorksNode.class, database, name))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(() -> read(process.inputReader()));
    }

    private void read(BufferedReader lines) {
        lines.lines().forEach(line -> {
            if (line.equals(WorksNode.BEGUN)) {
                begun.run();
            } else {
                said.add(line);
            }
        });
        said.add(END);
    }

    private String awaitLine() {
        try {
            var line = said.take();
            if (line.equals(END)) {
                throw new AssertionError("a node has ended");
            }
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Where it is, once it answers. */
    URI uri() {
        if (uri == null) {
            uri = URI.create(awaitLine());
        }
        return uri;
    }

    /** Gives a command of {@link WorksNode}, and returns when it is done. */
    void command(String word) {
        var writer = process.outputWriter();
        try {
            writer.write(word + "\n");
            writer.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var answer = awaitLine();
        if (!answer.equals(word)) {
            throw new AssertionError("a node was told \"" + word + "\", and said \"" + answer + "\"");
        }
    }

    /** SIGKILL: it gets no chance to hand anything back. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }
}
