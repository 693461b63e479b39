// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import java.io.FileInputStream;
import java.io.IOException;
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
     * Runs {@code again} at SIGHUP, by which an operator asks a server to read its file again. A terminal that closes
     * sends its processes the same signal, and a process shall not outlive its window without notice: then {@code end}
     * runs. Such a process has had a terminal and has it no longer.
     */
    public static void onHangup(Runnable again, Runnable end) {
        boolean hadTerminal = hasTerminal();
        handle("HUP", () -> {
            if (hadTerminal && !hasTerminal()) {
                end.run();
            } else {
                again.run();
            }
        });
    }

    private static boolean hasTerminal() {
        try (var terminal = new FileInputStream("/dev/tty")) {
            return true;
        } catch (IOException e) {
            return false;
        }
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
