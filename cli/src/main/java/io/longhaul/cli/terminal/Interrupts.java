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

    private static void handle(String signal, Runnable action) {
        try {
            Signal.handle(new Signal(signal), received -> action.run());
        } catch (IllegalArgumentException e) {
            // This machine has no such signal, or the JVM keeps it for itself (-Xrs): then it does what it always did.
        }
    }
}
