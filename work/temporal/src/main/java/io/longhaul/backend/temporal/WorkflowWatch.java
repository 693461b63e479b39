// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.backend.temporal.request.WorkflowCalls;
import io.longhaul.backend.temporal.request.WorkflowReports;
import io.longhaul.engine.run.PollPace;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Polls a running workflow for its reports, and writes them into its task, until the watch is closed. The progress of
 * a workflow that reports none is in the heartbeats of its activities. A workflow without a worker at present writes
 * nothing.
 */
final class WorkflowWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkflowWatch.class);
    private static final Duration LAST_LOOK = Duration.ofSeconds(5);

    /** How long the queries of one look go on while the workflow has more to tell. */
    private static final Duration LONGEST_LOOK = Duration.ofMinutes(1);

    private static final Set<String> LEVELS =
            Set.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

    private final WorkflowJobs jobs;
    private final Run run;
    private final KeptHandle kept;
    private final WorkflowCalls calls;
    private final WorkflowAsker asker;
    private @Nullable Thread looker;
    private @Nullable Progress progress;
    private @Nullable String message;
    private boolean isFull;

    private WorkflowWatch(WorkflowJobs jobs, Run run, KeptHandle kept, WorkflowCalls calls) {
        this.jobs = jobs;
        this.run = run;
        this.kept = kept;
        this.calls = calls;
        asker = new WorkflowAsker(jobs, run, kept, calls);
    }

    static WorkflowWatch begin(WorkflowJobs jobs, Run run, KeptHandle kept, WorkflowCalls calls) {
        var watch = new WorkflowWatch(jobs, run, kept, calls);
        watch.asker.resume();
        watch.lookOn();
        return watch;
    }

    void lookOn() {
        looker = Thread.ofVirtual().name("workflow-look-" + run.id()).start(this::look);
    }

    private void look() {
        var pace = PollPace.of(jobs.job().every);
        try {
            while (true) {
                jobs.pause(pace);
                pace = looks() ? pace.seen() : pace.troubled();
            }
        } catch (InterruptedException e) {
            // The workflow or its task has ended.
        }
    }

    private boolean looks() throws InterruptedException {
        try {
            return lookOnce(true);
        } catch (StaleRunException e) {
            throw new InterruptedException("the task has ended");
        } catch (RuntimeException e) {
            LOG.error("what the workflow {} tells could not be written", calls.workflow(), e);
            return false;
        }
    }

    /** Takes over the last reports of an ended run, where a worker answers soon. */
    void lastLook() throws InterruptedException {
        endLooks();
        var since = jobs.now();
        while (!lookOnce(false) && !jobs.isOver(since, LAST_LOOK)) {
            jobs.pause(PollPace.of(jobs.job().every));
        }
    }

    private void endLooks() throws InterruptedException {
        if (looker != null) {
            looker.interrupt();
            looker.join();
        }
    }

    private boolean lookOnce(boolean mayAsk) throws InterruptedException {
        var since = jobs.now();
        while (true) {
            var handle = kept.get();
            int parts = knownParts();
            var look = calls.look(handle.known(), handle.logs(), parts);
            if (look.isEmpty()) {
                return false;
            }
            write(look.get());
            if (mayAsk) {
                asker.ask(look.get().questions());
                if (look.get().progress().isEmpty()) {
                    calls.heartbeat(handle.known()).ifPresent(this::tell);
                }
            }
            boolean isNew = kept.get().logs() > handle.logs() || knownParts() > parts;
            if (!look.get().hasMore() || !isNew || jobs.isOver(since, LONGEST_LOOK)) {
                return true;
            }
        }
    }

    private int knownParts() {
        return isFull ? Integer.MAX_VALUE : run.partialCount() - kept.get().parts();
    }

    private void write(WorkflowReports look) {
        look.progress().ifPresent(this::tell);
        look.message().filter(told -> !told.equals(message)).ifPresent(told -> {
            message = told;
            run.status(told);
        });
        writeLines(look);
        try {
            look.parts().stream()
                    .filter(part -> part.number() > knownParts())
                    .forEach(part -> run.partial(jobs.writer().partial(part.text())));
        } catch (RunException e) {
            isFull = true;
            LOG.warn("task {} takes no more output of its workflow: {}", run.id(), e.outcome());
        }
    }

    private void tell(Progress told) {
        if (!told.equals(progress)) {
            progress = told;
            run.progress(told);
        }
    }

    /**
     * Writes the new lines, and then saves the last number: where the server dies in between, the lines are written
     * twice.
     */
    private void writeLines(WorkflowReports look) {
        int known = kept.get().logs();
        var fresh = look.logs().stream().filter(line -> line.number() > known).toList();
        if (fresh.isEmpty()) {
            return;
        }
        for (var line : fresh) {
            var level = LEVELS.contains(line.level()) ? line.level() : "info";
            try {
                run.log(level, "workflow", Payload.of(JsonMapper.shared().writeValueAsBytes(line.text())));
            } catch (RunException e) {
                LOG.warn("a log line of the workflow {} is left out: {}", calls.workflow(), e.outcome());
            }
        }
        int last = fresh.stream().mapToInt(WorkflowReports.Line::number).max().orElse(known);
        kept.change(handle -> handle.logged(last));
    }

    @Override
    public void close() throws InterruptedException {
        asker.close();
        endLooks();
    }
}
