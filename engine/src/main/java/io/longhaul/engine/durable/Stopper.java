// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.transition.Command;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the work of a task that has ended before it, and lets its children go. The slot stays taken and the task in
 * memory until both the run and the backend's stop have returned and that is durable; a failed stop is tried again.
 */
record Stopper(EngineContext parts, Ledger ledger, Lease lease, Runner runner) {

    private static final Logger LOG = LoggerFactory.getLogger(Stopper.class);
    private static final Duration RETRY = Duration.ofSeconds(30);

    /** Called with the task's lock held; does not block. */
    void stop(LiveTask live) {
        if (!live.stopping.compareAndSet(false, true)) {
            return;
        }
        runner.active.put(live.id, live);
        var run = live.run;
        if (run != null) {
            run.thread.stop(RunThread.Stop.ENDED);
        }
        String name = "stop-" + live.id;
        parts.fork(name, () -> runner.retries.now(name, () -> stopAndConfirm(live, run == null ? deadRun(live) : run)));
    }

    /** Stands for a run that went with an earlier process; the store is read for it. */
    private RunControl deadRun(LiveTask live) {
        var control = runner.control(live);
        control.thread.stop(RunThread.Stop.ENDED);
        control.thread.done();
        return control;
    }

    private void stopAndConfirm(LiveTask live, RunControl control) {
        try {
            String name = control.spec().work();
            if (!parts.works().containsKey(name) && runner.unoffered.await(name, () -> goOn(live, control))) {
                return;
            }
            // Read only now: it may have been offered in between.
            Work work = parts.works().get(name);
            if (work == null) {
                LOG.warn(
                        "Task {} belongs to '{}', which is no longer offered: nothing to stop",
                        live.id,
                        control.spec().work());
            } else if (control.attempt() > 0) {
                work.backend().stop(control);
            }
            int calls = control.callsMade();
            runner.children.letGo(live.stored());
            control.thread.awaitDone();
            if (control.callsMade() > calls) {
                // What it was calling meanwhile may not have been there yet.
                runner.children.letGo(live.stored());
            }
            if (parts.others() != null) {
                parts.others().lost().await(live.id);
            }
            ledger.change(live, new Command.ConfirmStopped(), lease);
            control.slot.release();
            runner.active.remove(live.id, live);
        } catch (Throwable e) {
            retry(live, control, e);
        }
    }

    private void goOn(LiveTask live, RunControl control) {
        if (!runner.isClosing()) {
            stopAndConfirm(live, control);
        }
    }

    private void retry(LiveTask live, RunControl control, Throwable why) {
        runner.active.remove(live.id, live);
        if (runner.isClosing()) {
            LOG.info("The work of task {} is not known to have stopped; the next start goes on with it", live.id);
            LOG.debug("Why that of {} is not known", live.id, why);
            control.slot.release();
            return;
        }
        Trouble.error(LOG, why, "The work of task {} could not be stopped; it is tried again", live.id);
        parts.time()
                .at(
                        parts.time().now().plus(RETRY),
                        () -> parts.fork("stop-" + live.id, () -> stopAndConfirm(live, control)));
    }
}
