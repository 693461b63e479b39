// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Lines that a person types. The latest reader gets the next line, so that an urgent question comes before an open one.
 * Waiting can be interrupted. Thread-safe.
 */
public final class LineInput {
    private final InputStream in;
    private final Deque<CompletableFuture<Optional<String>>> askers = new ArrayDeque<>();
    private boolean reading;

    public LineInput(InputStream in) {
        this.in = in;
    }

    /**
     * The next line, or empty at the end of the input. The terminal keeps lines that were typed earlier. Its input ends
     * each time that Ctrl-D is pressed.
     */
    public Optional<String> next() throws InterruptedException {
        var asker = new CompletableFuture<Optional<String>>();
        synchronized (this) {
            askers.push(asker);
            if (!reading) {
                reading = true;
                Thread.ofPlatform().daemon().name("terminal-input").start(this::read);
            }
            notifyAll();
        }
        try {
            return asker.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            synchronized (this) {
                askers.remove(asker);
            }
        }
    }

    private void read() {
        var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        try {
            var line = Optional.<String>empty();
            do {
                awaitAsker();
                line = Optional.ofNullable(reader.readLine());
                give(line);
            } while (line.isPresent());
        } catch (IOException e) {
            give(Optional.empty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void awaitAsker() throws InterruptedException {
        while (askers.isEmpty()) {
            wait();
        }
    }

    private synchronized void give(Optional<String> line) {
        if (line.isEmpty()) {
            reading = false;
            askers.forEach(asker -> asker.complete(line));
            askers.clear();
        } else if (!askers.isEmpty()) {
            askers.pop().complete(line);
        }
    }
}
