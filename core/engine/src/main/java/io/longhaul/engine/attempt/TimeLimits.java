// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.ledger.LiveRun;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.transition.Command;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends tasks that run for too long, or whose attempts say nothing for too long. */
public record TimeLimits(EngineContext parts, Runner runner) {

    private static final Logger LOG = LoggerFactory.getLogger(TimeLimits.class);

    /** Sets the alarm for the timeout of a task. */
    public void arm(LiveTask live) {
        var work = runner.workOf(live);
        var deadline = Deadlines.of(live, work, parts.store());
        if (work == null || work.timeout() == null || deadline == null) {
            return;
        }
        String name = "timeout-" + live.id();
        live.timeout(parts.time()
                .at(deadline, () -> parts.fork(name, () -> runner.retries().now(name, () -> timeOut(live, work)))));
    }

    /** Ends a task that exceeds its timeout. */
    public void timeOut(LiveTask live, Work work) {
        var end = Deadlines.timedOut(Objects.requireNonNull(work.timeout()));
        runner.ledger().change(live, timeOut(live, work, end), runner.lease());
    }

    private Command timeOut(LiveTask live, Work work, Outcome.Failed end) {
        return new Command.TimeOut(asked(live, end, () -> work.backend().timedOut(controlOf(live), end)));
    }

    /** Sets the alarm for a new attempt that says nothing. */
    void armIdle(LiveTask live, RunControl control) {
        var work = control.work();
        var longest = work == null ? null : work.bounds().idle();
        if (longest != null) {
            String name = "idle-" + live.id();
            control.idle()
                    .start(
                            longest,
                            look -> parts.fork(name, () -> runner.retries().now(name, look)),
                            () -> endIdle(live, control, timeOut(live, work, Deadlines.idle(longest))));
        }
    }

    /** Ends a task unless its attempt has ended, or is to stop. */
    private void endIdle(LiveTask live, RunControl control, Command end) {
        live.exclusively(() -> {
            if (live.run() == control
                    && !control.isStopping()
                    && !live.stored().execution().attempts().awaitRetry()) {
                runner.ledger().change(live, end, runner.lease());
            }
        });
    }

    private LiveRun controlOf(LiveTask live) {
        var run = live.run();
        return run == null ? runner.control(live) : run;
    }

    /** Asks a backend; an exception of the backend gives {@code otherwise}, so that the task ends. */
    static <T extends @Nullable Object> T asked(LiveTask live, T otherwise, Supplier<T> backend) {
        try {
            return backend.get();
        } catch (RuntimeException e) {
            LOG.error("What the work of task {} had come to is not known", live.id(), e);
            return otherwise;
        }
    }
}
