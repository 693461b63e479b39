// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** A terminal that can be taken as a window: its size, its keys one by one, and what happens to it. Thread-safe. */
public interface Tty {
    /** No terminal. */
    Tty NONE = new Tty() {
        @Override
        public Optional<Size> size() {
            return Optional.empty();
        }

        @Override
        public Keys keys(Consumer<Happening> listener) throws IOException {
            throw new IOException("there is no terminal");
        }

        @Override
        public void stop() {}
    };

    /** How many characters fit into a window. */
    record Size(int columns, int rows) {}

    /** What happens to a window beside keys. */
    enum Happening {
        RESIZED,
        /** The user wants the program out of the way for a while, by Ctrl-Z: call {@link #stop}. */
        STOPPING,
        /** The program goes on after it was stopped, and the terminal may be in another mode. */
        CONTINUED
    }

    /** A terminal that gives single keys, until this is closed. */
    interface Keys extends AutoCloseable {
        @Override
        void close();
    }

    /** The size at present; empty where there is no window. */
    Optional<Size> size();

    /**
     * Has each key given at once, and shown nowhere. Ctrl-C stays a signal.
     *
     * @param listener is told what happens until then, by any thread
     * @throws IOException where the terminal cannot do that
     */
    Keys keys(Consumer<Happening> listener) throws IOException;

    /** Stops this process as Ctrl-Z stops any other, until it is continued. Not while keys are given singly. */
    void stop() throws IOException;
}
