// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What Jazzer calls; and a program that feeds files to a target. */
public final class Fuzzer {

    private static final long LONGEST = Duration.ofSeconds(1).toMillis();

    private static @Nullable Target target;

    private Fuzzer() {}

    /**
     * Called by Jazzer once, with the name of a target. The inputs that are kept are fed first: Jazzer changes each
     * class when it is loaded, which takes a time that no later input is to be blamed for.
     */
    public static void fuzzerInitialize(String[] arguments) throws Exception {
        target = Targets.named(arguments[0]);
        feedKept(target, arguments[0]);
    }

    /** Called by Jazzer with each input. */
    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        Objects.requireNonNull(target).feed(input);
    }

    /**
     * Feeds files to a target, whose name comes first; without arguments, says which targets there are. Ends with 1 at
     * the first fault, and where an input takes more than a second.
     */
    public static void main(String[] arguments) {
        if (arguments.length == 0) {
            Targets.ALL.keySet().forEach(System.out::println);
            return;
        }
        try {
            System.exit(replay(arguments) ? 0 : 1);
        } catch (Exception | AssertionError e) {
            // The threads of a server would keep the program alive.
            e.printStackTrace(System.out);
            System.exit(1);
        }
    }

    private static boolean replay(String[] arguments) throws Exception {
        var fed = Targets.named(arguments[0]);
        feedKept(fed, arguments[0]);
        long slowest = 0;
        for (int i = 1; i < arguments.length; i++) {
            var input = Files.readAllBytes(Path.of(arguments[i]));
            long began = System.nanoTime();
            fed.feed(input);
            long took = Duration.ofNanos(System.nanoTime() - began).toMillis();
            System.out.println(arguments[i] + ": no fault, in " + took + " ms");
            slowest = Math.max(slowest, took);
        }
        return slowest <= LONGEST;
    }

    private static void feedKept(Target fed, String name) throws Exception {
        for (var input : Targets.corpus(name)) {
            try {
                fed.feed(Files.readAllBytes(input));
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("fault with " + input, e);
            }
        }
    }
}
