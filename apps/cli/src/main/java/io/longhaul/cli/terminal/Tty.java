// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** A terminal that can be used as a window: its size, its single keys, and its events. Thread-safe. */
public interface Tty {
    /** No terminal. */
    Tty NONE = new Tty() {
        @Override
        public Optional<Size> size() {
            return Optional.empty();
        }

        @Override
        public Keys keys(Consumer<WindowEvent> listener) throws IOException {
            throw new IOException("there is no terminal");
        }

        @Override
        public void stop() {}
    };

    /** The size of a window in characters. */
    record Size(int columns, int rows) {}

    /** The events of a window other than keys. */
    enum WindowEvent {
        RESIZED,
        /** The user suspends the program by Ctrl-Z: call {@link #stop}. */
        STOPPING,
        /** The program goes on after it was stopped, and the terminal may be in another mode. */
        CONTINUED
    }

    /** The mode in which the terminal gives single keys, until this is closed. */
    interface Keys extends AutoCloseable {
        @Override
        void close();
    }

    /** The size at present; empty where there is no window. */
    Optional<Size> size();

    /**
     * Has each key given at once, without echo. Ctrl-C stays a signal.
     *
     * @param listener receives events until the keys are closed, on any thread
     * @throws IOException where the terminal cannot do that
     */
    Keys keys(Consumer<WindowEvent> listener) throws IOException;

    /** Suspends this process as Ctrl-Z does, until it is continued. Do not call this while single keys are given. */
    void stop() throws IOException;
}
