// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.backend.temporal.request.WorkflowCalls;
import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.PollPace;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The backend of one kind of workflow. */
record WorkflowJobs(
        TemporalBackend.Machinery machinery,
        WorkflowJob job,
        ArgumentReader<? extends JsonNode> reader,
        WorkflowOutcomes writer,
        WorkflowQuestions questions)
        implements Backend {

    @Override
    public Outcome run(Run run) throws InterruptedException {
        return new WorkflowRun(this, run).outcome();
    }

    @Override
    public void stop(Run run) throws InterruptedException {
        new WorkflowStop(this, run).stop();
    }

    /** Any node can find a workflow again by its id. */
    @Override
    public boolean isBoundToNode() {
        return false;
    }

    /** The saved handle of a run, or a new handle. */
    WorkflowHandle handle(Run run) {
        return run.handle().map(WorkflowHandle::of).orElseGet(() -> WorkflowHandle.of(id(run), run.partialCount()));
    }

    /** Temporal starts no other workflow of the same id, so that a retry has another one. */
    private String id(Run run) {
        var id = job.idFor(run.id());
        return run.retries() == 0 ? id : id + "-" + (run.retries() + 1);
    }

    WorkflowCalls calls(WorkflowHandle handle) {
        return new WorkflowCalls(machinery.connections(), job.server, job.codec, handle.workflow());
    }

    /** Waits until the next look or try. */
    void pause(PollPace pace) throws InterruptedException {
        machinery.pause().pass(pace.next(machinery.chance().getAsDouble()));
    }

    Instant now() {
        return machinery.clock().instant();
    }

    boolean isOver(Instant since, Duration patience) {
        return Duration.between(since, now()).compareTo(patience) >= 0;
    }

    /** The name of a run for people, with a link if the web pages are known. */
    String name(WorkflowHandle handle) {
        var id = handle.workflow() + " (run " + handle.known() + ")";
        return Optional.ofNullable(job.ui)
                .map(ui -> id + ": " + ui + "/namespaces/" + job.server.namespace() + "/workflows/" + handle.workflow()
                        + "/" + handle.known() + "/history")
                .orElse(id);
    }
}
