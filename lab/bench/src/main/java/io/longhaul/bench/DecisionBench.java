// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench;

import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.transition.Carried;
import io.longhaul.engine.transition.Command;
import io.longhaul.engine.transition.Decision;
import io.longhaul.engine.transition.Transitions;
import java.time.Duration;
import java.time.Instant;
import org.openjdk.jmh.annotations.Benchmark;

/** The cost of deciding what a command does to a task: without storage or threads. */
public class DecisionBench extends Microbenchmark {

    private static final Instant NOW = Instant.EPOCH;
    private static final TaskId ID = new TaskId("0".repeat(TaskId.LENGTH));
    private static final TaskSpec SPEC =
            new TaskSpec(Owner.LOCAL, "bench", Payload.ofText("{}"), Payload.EMPTY, null, NOW);
    private static final Retention RETENTION = Retention.fromCreation(Duration.ofHours(1));

    private final Lease lease = new Lease("bench", 1);
    private final Task working = create().after();
    private final Command report = new Command.Report(new Progress(1, 3.0, "loaded"), null);
    private final Command finish = new Command.Finish(new Outcome.Result(Payload.ofText("{}"), false));

    /** A task that starts at once. */
    @Benchmark
    public Decision.Accepted create() {
        return Transitions.create(ID, SPEC, RETENTION, Carried.NOTHING, lease, true);
    }

    /** Progress of a working task. */
    @Benchmark
    public Decision report() {
        return Transitions.decide(working, report, NOW);
    }

    /** The result of a working task. */
    @Benchmark
    public Decision finish() {
        return Transitions.decide(working, finish, NOW);
    }
}
