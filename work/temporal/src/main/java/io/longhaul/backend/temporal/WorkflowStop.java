// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.backend.temporal.request.WorkflowCalls;
import io.longhaul.backend.temporal.request.WorkflowStart;
import io.longhaul.backend.temporal.request.WorkflowState;
import io.longhaul.engine.run.PollPace;
import io.longhaul.engine.run.Run;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels the workflow of a task in every phase. Throws where Temporal is out of reach: the engine retries the stop
 * later, also after a restart.
 */
record WorkflowStop(WorkflowJobs jobs, Run run) {

    private static final Logger LOG = LoggerFactory.getLogger(WorkflowStop.class);

    private static final WorkflowStart LOST = new WorkflowStart.Unanswered("a start failed in an unknown way");

    void stop() throws InterruptedException {
        jobs.machinery().starts().ended(run, LOST);
        if (run.handle().isPresent()) {
            var handle = jobs.handle(run);
            cancel(jobs.calls(handle), handle.run());
        }
        jobs.machinery().starts().forget(run);
    }

    private void cancel(WorkflowCalls calls, @Nullable String known) throws InterruptedException {
        var grace = jobs.job().terminateAfter;
        if (grace == null || grace.isPositive()) {
            check(calls.cancel(), calls, "cancelled");
            if (hasEnded(calls, known, grace == null ? jobs.job().patience : grace)) {
                return;
            }
        }
        if (grace == null) {
            LOG.warn("the workflow {} of task {} was cancelled, and still runs", calls.workflow(), run.id());
            return;
        }
        check(calls.terminate(), calls, "terminated");
    }

    private static void check(boolean isTaken, WorkflowCalls calls, String what) {
        if (!isTaken) {
            throw new IllegalStateException("the workflow " + calls.workflow() + " could not be " + what);
        }
    }

    /**
     * Waits until the workflow has ended, {@code longest} at most; its task keeps its slot until then.
     *
     * @param known a run whose end has not been seen, since when the workflow may have gone on as the next run; null
     *     for the present run
     */
    private boolean hasEnded(WorkflowCalls calls, @Nullable String known, Duration longest)
            throws InterruptedException {
        var since = jobs.now();
        var pace = PollPace.of(null);
        var current = known;
        while (!jobs.isOver(since, longest)) {
            var left = longest.minus(Duration.between(since, jobs.now()));
            switch (calls.awaitEnd(current, left)) {
                case WorkflowState.Open open -> pace = PollPace.of(null);
                case WorkflowState.Continued(String next) -> {
                    // A cancel applies to one run only.
                    current = next;
                    check(calls.cancel(), calls, "cancelled");
                }
                case WorkflowState.Unseen unseen -> {
                    pace = pace.troubled();
                    jobs.pause(pace);
                }
                case WorkflowState.Completed completed -> {
                    return true;
                }
                case WorkflowState.Failed failed -> {
                    return true;
                }
                case WorkflowState.Gone gone -> {
                    return true;
                }
            }
        }
        return false;
    }
}
