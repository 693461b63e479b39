// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.backend.temporal.request.TemporalConnections;
import io.longhaul.backend.temporal.request.WorkflowStart;
import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Starts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/**
 * Runs workflows of Temporal, over one connection for each namespace. Thread-safe.
 *
 * <p>Register its {@link Backend} under {@link io.longhaul.engine.task.CrashPolicy#REATTACH}: the id of a workflow is
 * derived from its task, so that the next server finds the workflow, and never starts a second one.
 */
public final class TemporalBackend implements AutoCloseable {

    /**
     * The collaborators that all workflows share.
     *
     * @param starts the starts in progress
     * @param chance random numbers from 0 to 1
     */
    record Machinery(
            TemporalConnections connections,
            Starts<WorkflowStart> starts,
            Pause pause,
            InstantSource clock,
            DoubleSupplier chance) {}

    /** Waits between two requests. */
    @FunctionalInterface
    interface Pause {

        /** Waits until the time has passed. */
        void pass(Duration time) throws InterruptedException;
    }

    private final Machinery machinery;

    TemporalBackend(Machinery machinery) {
        this.machinery = machinery;
    }

    /** A backend that opens a connection when the first workflow needs it. */
    public static TemporalBackend create() {
        var random = RandomGenerator.of("SplittableRandom");
        return new TemporalBackend(new Machinery(
                new TemporalConnections(), new Starts<>(), Thread::sleep, InstantSource.system(), random::nextDouble));
    }

    /** The backend of one kind of workflow, whose questions go to each caller. */
    public Backend running(WorkflowJob job, ArgumentReader<? extends JsonNode> reader, WorkflowOutcomes writer) {
        return running(
                job,
                reader,
                writer,
                (Run run, Run.Question question) ->
                        run.ask(question.key(), question.method(), question.params(), null));
    }

    /** The backend of one kind of workflow. */
    public Backend running(
            WorkflowJob job,
            ArgumentReader<? extends JsonNode> reader,
            WorkflowOutcomes writer,
            WorkflowQuestions questions) {
        return new WorkflowJobs(machinery, job, reader, writer, questions);
    }

    /** Aborts all requests; workflows go on. Close the backend after the engine has stopped. */
    @Override
    public void close() {
        machinery.connections().close();
    }
}
