// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A terminal of 80 by 24, or another size, that writes down what is done to it. */
public final class TestTty implements Tty {
    private final List<String> done = new ArrayList<>();
    private Size size = new Size(80, 24);
    private @Nullable Consumer<WindowEvent> listener;
    private boolean givesKeys = true;

    @Override
    public synchronized Optional<Size> size() {
        return Optional.of(size);
    }

    @Override
    public synchronized Keys keys(Consumer<WindowEvent> told) throws IOException {
        if (!givesKeys) {
            throw new IOException("stty: not found");
        }
        done.add("keys");
        listener = told;
        return () -> {
            synchronized (this) {
                done.add("lines");
                listener = null;
            }
        };
    }

    @Override
    public synchronized void stop() {
        done.add("stopped");
    }

    /** From now on single keys cannot be had. */
    public synchronized TestTty withoutKeys() {
        givesKeys = false;
        return this;
    }

    public synchronized void resize(int columns, int rows) {
        size = new Size(columns, rows);
        happen(WindowEvent.RESIZED);
    }

    public synchronized void happen(WindowEvent happening) {
        if (listener != null) {
            listener.accept(happening);
        }
    }

    /** In which mode the terminal was, one after the other: {@code keys}, {@code lines}, {@code stopped}. */
    public synchronized List<String> done() {
        return List.copyOf(done);
    }
}
