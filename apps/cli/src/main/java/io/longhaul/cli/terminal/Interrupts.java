// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import sun.misc.Signal;

/** Sets what happens at Ctrl-C, and when the process is asked to end. */
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
     * Runs {@code action} at each signal of this name.
     *
     * @return restores the earlier handler of the signal
     */
    static Runnable handle(String signal, Runnable action) {
        try {
            var named = new Signal(signal);
            var before = Signal.handle(named, received -> action.run());
            return () -> Signal.handle(named, before);
        } catch (IllegalArgumentException e) {
            // This machine has no such signal, or the JVM reserves it (-Xrs): the signal then has its usual effect.
            return () -> {};
        }
    }
}
