// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What every structure that threads share must do: whatever threads call it at once, it answers as if the calls had
 * come one after another. A test of a structure extends this, is public, and marks a method for each call as an
 * operation of Lincheck, which has to be on the class path; what must hold when all calls have returned is said in a
 * method that is marked to validate.
 *
 * <p>{@code -Dlincheck.scenarios=N} plays N scenarios of calls in place of 5.
 */
@Tag(NothingLeft.LOADS_AGENT)
public abstract class ThreadsContract {

    private static final int SCENARIOS = Integer.getInteger("lincheck.scenarios", 5);

    @Test
    void threads_that_run_freely_are_answered_as_if_one_after_another() {
        check(new StressOptions().invocationsPerIteration(100));
    }

    /** Fails where it does not hold. Plain, since Lincheck follows each step of what a test calls, in libraries too. */
    protected static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    final void check(Options<?, ?> options) {
        options.threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(SCENARIOS)
                .check(getClass());
    }
}
