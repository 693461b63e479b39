// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/** Dynamic tests that end: JUnit's own limit for test methods does not hold for dynamic tests. */
public final class Case {

    /** Far longer than any case takes, on the slowest machine. */
    private static final Duration LONGEST = Duration.ofMinutes(3);

    private Case() {}

    /** A test that fails with the stack of its thread where that hangs. The thread is not the one of the container. */
    public static DynamicTest named(String name, Executable run) {
        return DynamicTest.dynamicTest(name, () -> assertTimeoutPreemptively(LONGEST, run));
    }
}
