// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import sun.misc.Signal;

/** What happens when the user presses Ctrl-C, or the process is ended in an orderly way. */
public final class Interrupts {
    private Interrupts() {}

    /** Runs {@code action} on each Ctrl-C, instead of ending the process. */
    public static void onInterrupt(Runnable action) {
        handle("INT", action);
    }

    /** Runs {@code action} when the process is asked to end. */
    public static void onTerminate(Runnable action) {
        handle("TERM", action);
        handle("HUP", action);
    }

    /**
     * Runs {@code action} on each such signal.
     *
     * @return sets back what the signal did before
     */
    static Runnable handle(String signal, Runnable action) {
        try {
            var named = new Signal(signal);
            var before = Signal.handle(named, received -> action.run());
            return () -> Signal.handle(named, before);
        } catch (IllegalArgumentException e) {
            // This machine has no such signal, or the JVM keeps it for itself (-Xrs): then it does what it always did.
            return () -> {};
        }
    }
}
