// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.task.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/** Leaves tasks without a thread until their answers come, or until the times of their retries. */
record TaskSleep(EngineContext parts, QuestionDeadlines questioning, Runner runner) {

    /** An answer that has come already, and a retry that is due, end the sleep at once. */
    void begin(LiveTask live) {
        var retryAt = retryAt(live.stored());
        int failed = live.stored().execution().attempts().failed();
        var alarms = new ArrayList<>(questioning.deadlines(live));
        retryAt.ifPresent(at -> alarms.add(parts.time().at(at, () -> {
            // Not where the alarm was late, and the retry has failed since.
            if (live.stored().execution().attempts().failed() == failed) {
                runner.wake(live);
            }
        })));
        live.sleep(alarms);
        Task now = live.stored();
        // An alarm may have come before the task slept.
        boolean isDue =
                retryAt.map(at -> !at.isAfter(parts.time().now())).orElseGet(() -> !QuestionDeadlines.onlyWaits(now));
        if (now.ending() != null || !runner.runs(live)) {
            live.endSleep();
        } else if (isDue) {
            runner.wake(live);
        }
    }

    /** When a task is retried: after the longest pause at most, however the clock was set meanwhile. */
    private Optional<Instant> retryAt(Task task) {
        var work = parts.works().get(task.spec().work());
        Instant latest = parts.time()
                .now()
                .plus(work == null ? Retry.LONGEST : work.retry().longest());
        return Optional.ofNullable(task.execution().attempts().retryAt()).map(at -> at.isAfter(latest) ? latest : at);
    }
}
