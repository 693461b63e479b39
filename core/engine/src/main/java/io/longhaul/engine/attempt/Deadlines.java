// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.run.MessageText;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How long a task may run, over all its attempts, and how long it may say nothing. */
public final class Deadlines {

    private Deadlines() {}

    /** When the work of a started task will be stopped, or null where it has no timeout. */
    public static @Nullable Instant of(LiveTask live, @Nullable Work work, TaskStore store) {
        Duration timeout = work == null ? null : work.timeout();
        if (timeout == null) {
            return null;
        }
        Instant start = live.firstStart();
        if (start == null) {
            start = Replay.firstStart(store, live.id());
            if (start == null) {
                return null;
            }
            live.firstStart(start);
        }
        return start.plus(timeout);
    }

    static Outcome.Failed timedOut(Duration timeout) {
        return new Outcome.Failed(
                FailureReason.TIMED_OUT, "The task ran longer than its limit of " + MessageText.time(timeout) + ".");
    }

    static Outcome.Failed idle(Duration longest) {
        return new Outcome.Failed(
                FailureReason.TIMED_OUT, "The task said nothing for " + MessageText.time(longest) + ", its limit.");
    }
}
