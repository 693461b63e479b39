// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.backend.temporal.request.WorkflowCalls;
import io.longhaul.backend.temporal.request.WorkflowStart;
import io.longhaul.backend.temporal.request.WorkflowState;
import io.longhaul.engine.run.PollPace;
import io.longhaul.engine.run.RemoteResult;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** One run of a task: starts or finds its workflow, waits for its end, and reads the result. */
final class WorkflowRun {

    private static final Logger LOG = LoggerFactory.getLogger(WorkflowRun.class);

    private final WorkflowJobs jobs;
    private final Run run;
    private final KeptHandle kept;
    private final WorkflowCalls calls;

    WorkflowRun(WorkflowJobs jobs, Run run) {
        this.jobs = jobs;
        this.run = run;
        kept = new KeptHandle(run, jobs.handle(run));
        calls = jobs.calls(kept.get());
    }

    Outcome outcome() throws InterruptedException {
        if (kept.get().run() == null) {
            var refused = begin();
            if (refused.isPresent()) {
                return refused.get();
            }
        }
        try (var watch = WorkflowWatch.begin(jobs, run, kept, calls)) {
            return follow(watch);
        }
    }

    /**
     * Starts or finds the workflow; else gives the outcome of the task. The same start can be sent any number of times.
     */
    private Optional<Outcome> begin() throws InterruptedException {
        var since = jobs.now();
        var pace = PollPace.of(null);
        boolean mayRun = run.handle().isPresent();
        try {
            while (true) {
                switch (startOnce()) {
                    case WorkflowStart.Found(String id) -> {
                        kept.change(handle -> handle.begun(id));
                        tell("The workflow " + jobs.name(kept.get()) + " has begun.");
                        return Optional.empty();
                    }
                    case WorkflowStart.Refused(String why) -> {
                        return Optional.of(mayRun ? unknown() : failed("The workflow was not started: " + why));
                    }
                    case WorkflowStart.Unanswered(String why) -> {
                        if (jobs.isOver(since, jobs.job().patience)) {
                            return Optional.of(unknown());
                        }
                        if (pace.troubles() == 0) {
                            run.status("Temporal has not answered yet; the start is sent again.");
                        }
                        mayRun = true;
                        pace = pace.troubled();
                        pause(pace);
                    }
                }
            }
        } finally {
            // A stop that follows waits for the start.
            if (!run.isStopping()) {
                jobs.machinery().starts().forget(run);
            }
        }
    }

    private WorkflowStart startOnce() {
        var arguments = jobs.job().arguments.apply(jobs.reader().read(run.spec().request()));
        return jobs.machinery()
                .starts()
                .send(
                        run,
                        () -> kept.change(handle -> handle),
                        new WorkflowStart.Refused("Its task has ended."),
                        () -> calls.start(jobs.job().type, jobs.job().taskQueue, arguments));
    }

    private Outcome follow(WorkflowWatch watch) throws InterruptedException {
        var unseen = jobs.now();
        var pace = PollPace.of(null);
        while (true) {
            switch (calls.awaitEnd(kept.get().known())) {
                case WorkflowState.Open open -> pace = PollPace.of(null);
                case WorkflowState.Continued(String next) -> {
                    pace = PollPace.of(null);
                    watch.lastLook();
                    kept.change(handle -> handle.continued(next, run.partialCount()));
                    tell("The workflow goes on as " + jobs.name(kept.get()) + ".");
                    watch.lookOn();
                }
                case WorkflowState.Completed(byte[] body, String mediaType) -> {
                    watch.lastLook();
                    return jobs.writer().write(new RemoteResult(run.id(), true, body, mediaType));
                }
                case WorkflowState.Failed(String why, boolean isRetried) -> {
                    watch.lastLook();
                    if (isRetried) {
                        run.retry("failed: " + why);
                    }
                    return failed(why);
                }
                case WorkflowState.Gone(String why) -> {
                    return failed(why);
                }
                case WorkflowState.Unseen(String why) -> {
                    // Counted from the first request that failed, not from the long poll before it.
                    unseen = pace.troubles() == 0 ? jobs.now() : unseen;
                    if (jobs.isOver(unseen, jobs.job().patience)) {
                        return lost(why);
                    }
                    logTrouble(pace, why);
                    pace = pace.troubled();
                    pause(pace);
                }
            }
        }
    }

    private void logTrouble(PollPace pace, String why) {
        if (pace.troubles() == 0) {
            LOG.warn("the workflow {} of task {} cannot be seen: {}", calls.workflow(), run.id(), why);
        }
    }

    private void pause(PollPace pace) throws InterruptedException {
        if (run.isStopping()) {
            throw new InterruptedException("stopped between two tries");
        }
        jobs.pause(pace);
    }

    private void tell(String text) {
        run.log("info", "temporal", Payload.of(JsonMapper.shared().writeValueAsBytes(text)));
    }

    private Outcome failed(String why) {
        return jobs.writer().write(RemoteResult.failure(run.id(), why));
    }

    private Outcome unknown() {
        LOG.error("whether the workflow {} of task {} was begun is not known", calls.workflow(), run.id());
        return new Outcome.Failed(
                FailureReason.INTERRUPTED,
                "Temporal did not tell what became of the start of the workflow " + calls.workflow()
                        + ", so that it may have begun or not.");
    }

    private Outcome lost(String why) {
        LOG.error("the workflow {} of task {} is given up: {}", calls.workflow(), run.id(), why);
        return new Outcome.Failed(
                FailureReason.INTERRUPTED,
                "Temporal has told nothing of the workflow " + calls.workflow() + " for "
                        + jobs.job().patience.toSeconds() + " s, so that its end is not known. It may still run.");
    }
}
