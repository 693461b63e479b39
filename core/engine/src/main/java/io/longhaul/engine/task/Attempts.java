// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How often the work of a task was started.
 *
 * @param started every start, counted before it happens
 * @param crashes how often the server died while the work ran, since the work last recorded something new: a step, a
 *                child, a piece of output, or an answer to its question
 * @param failed  how many attempts have failed and are followed by a retry
 * @param retryAt when the task is retried; null except in the pause before a retry
 */
public record Attempts(
        int started, int crashes, int failed, @Nullable Instant retryAt) {

    /** No attempt was started yet. */
    public static final Attempts NONE = new Attempts(0, 0);

    /** Attempts of which none has failed. */
    public Attempts(int started, int crashes) {
        this(started, crashes, 0, null);
    }

    /** Whether the task is in the pause before a retry. */
    public boolean awaitRetry() {
        return retryAt != null;
    }

    /** One more attempt, after this number of further crashes. */
    public Attempts again(int moreCrashes) {
        return new Attempts(started + 1, crashes + moreCrashes, failed, null);
    }

    /** The latest attempt has failed, and the next one begins then. */
    public Attempts failedUntil(Instant then) {
        return new Attempts(started, crashes, failed + 1, then);
    }

    /** The same starts, after which the work has recorded something new. */
    public Attempts withoutCrashes() {
        return crashes == 0 ? this : new Attempts(started, 0, failed, retryAt);
    }
}
