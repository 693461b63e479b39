// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Fails a test that leaves something behind: a thread, be it virtual or not, a process, a socket or a pipe. What is
 * about to end has ten seconds. What was there before the test, or was made by the fields of its class, may stay.
 *
 * <p>Put {@code @ExtendWith(NothingLeft.class)} on a class, or name this extension in {@code
 * META-INF/services/org.junit.jupiter.api.extension.Extension} for all tests of a module. Tests that run side by side
 * are blamed for each other. Sockets and pipes are found where the system has {@code /proc/self/fd}.
 */
public final class NothingLeft implements BeforeEachCallback, AfterEachCallback {

    /** The tag of tests that load an agent: the JVM keeps the socket by which the agent came in. */
    static final String LOADS_AGENT = "loads-agent";

    private static final Namespace HERE = Namespace.create(NothingLeft.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    private final Duration patience;

    public NothingLeft() {
        this(PATIENCE);
    }

    NothingLeft(Duration patience) {
        this.patience = patience;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(HERE).put(LiveThings.class, LiveThings.now());
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        var before = context.getStore(HERE).get(LiveThings.class, LiveThings.class);
        boolean isChecked =
                context.getExecutionException().isEmpty() && !context.getTags().contains(LOADS_AGENT);
        if (before != null && isChecked) {
            check(() -> LiveThings.now().since(before), patience);
        }
    }

    /**
     * Waits until nothing is left of things that only the test knows, such as the streams of a fake.
     *
     * @param left what is left by now, in one line each
     * @throws AssertionError when something is still left after ten seconds
     */
    public static void check(Supplier<? extends Collection<String>> left) throws InterruptedException {
        check(left, PATIENCE);
    }

    /** Nothing tells when a virtual thread ends that is known by its id alone, so this looks again and again. */
    private static void check(Supplier<? extends Collection<String>> left, Duration patience)
            throws InterruptedException {
        var end = System.nanoTime() + patience.toNanos();
        var pause = Duration.ofMillis(1);
        var found = left.get();
        while (!found.isEmpty() && System.nanoTime() < end) {
            Thread.sleep(pause);
            pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
            found = left.get();
        }
        if (!found.isEmpty()) {
            throw new AssertionError("The test left behind:\n" + String.join("\n", found));
        }
    }
}
