// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.ledger.Ledger;
import io.longhaul.engine.ledger.LiveRun;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.node.FailureLog;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.slot.RunThread;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.transition.Command;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the work of a task that has ended before its work, and releases its children. The task keeps its slot and stays
 * in memory until the run and the backend's stop have returned and the end of the work is durable. A failed stop is
 * retried.
 */
record Stopper(EngineContext parts, Ledger ledger, Lease lease, Runner runner) {

    private static final Logger LOG = LoggerFactory.getLogger(Stopper.class);
    private static final Duration RETRY = Duration.ofSeconds(30);

    /** Called with the task's lock held; does not block. */
    void stop(LiveTask live) {
        if (!live.beginStop()) {
            return;
        }
        runner.active().put(live.id(), live);
        var run = live.run();
        if (run != null) {
            run.thread().stop(RunThread.Stop.ENDED);
        }
        String name = "stop-" + live.id();
        parts.fork(
                name, () -> runner.retries().now(name, () -> stopAndConfirm(live, run == null ? deadRun(live) : run)));
    }

    /** A stand-in for a run of an earlier process; reads the store. */
    private LiveRun deadRun(LiveTask live) {
        var control = runner.control(live);
        control.thread().stop(RunThread.Stop.ENDED);
        control.thread().done();
        return control;
    }

    private void stopAndConfirm(LiveTask live, LiveRun control) {
        try {
            String name = control.spec().work();
            if (control.work() == null
                    && !parts.works().containsKey(name)
                    && runner.unoffered().await(name, () -> goOn(live, control))) {
                return;
            }
            // Read again: the work may have been offered in between.
            Work work = control.work() == null ? parts.works().get(name) : control.work();
            if (work == null) {
                LOG.warn(
                        "Task {} belongs to '{}', which is no longer offered: nothing to stop",
                        live.id(),
                        control.spec().work());
            } else if (control.attempt() > 0) {
                work.backend().stop(control);
            }
            int calls = control.callsMade();
            runner.children().letGo(live.stored());
            control.thread().awaitDone();
            if (control.callsMade() > calls) {
                // A child of a call that was in progress may not have existed yet.
                runner.children().letGo(live.stored());
            }
            if (parts.others() != null) {
                parts.others().lost().await(live.id());
            }
            // model: confirm_stopped
            ledger.change(live, new Command.ConfirmStopped(), lease);
            control.slot().release();
            runner.active().remove(live.id(), live);
        } catch (Throwable e) {
            retry(live, control, e);
        } finally {
            live.stopTried();
        }
    }

    private void goOn(LiveTask live, LiveRun control) {
        if (!runner.isClosing()) {
            stopAndConfirm(live, control);
        }
    }

    private void retry(LiveTask live, LiveRun control, Throwable why) {
        runner.active().remove(live.id(), live);
        if (runner.isClosing()) {
            LOG.info("The work of task {} is not known to have stopped; the next start goes on with it", live.id());
            LOG.debug("Why that of {} is not known", live.id(), why);
            control.slot().release();
            return;
        }
        FailureLog.error(LOG, why, "The work of task {} could not be stopped; it is tried again", live.id());
        parts.time()
                .at(
                        parts.time().now().plus(RETRY),
                        () -> parts.fork("stop-" + live.id(), () -> stopAndConfirm(live, control)));
    }
}
