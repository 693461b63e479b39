// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.transition.Carried;
import io.longhaul.engine.transition.Transitions;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.stream.Narrator;
import io.longhaul.receiver.stream.Narrator.Audience;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;

/** The cost of turning an event of a task into the notice for a client: without streams or JSON-RPC. */
public class NarratorBench extends Microbenchmark {

    private static final Instant NOW = Instant.EPOCH;
    private static final TaskSpec SPEC =
            new TaskSpec(Owner.LOCAL, "bench", Payload.ofText("{}"), Payload.EMPTY, null, NOW);

    private final Task task = Transitions.create(
                    new TaskId("0".repeat(TaskId.LENGTH)),
                    SPEC,
                    Retention.fromCreation(Duration.ofHours(1)),
                    Carried.NOTHING,
                    new Lease("bench", 1),
                    true)
            .after();
    private final TaskEvent progress = event(new EventDetail.Progressed(new Progress(1, 3.0, "loaded")));
    private final TaskEvent line = event(new EventDetail.Logged("debug", "db", Payload.ofText("\"line\"")));
    private final Narrator narrator =
            new Narrator(new Audience("task", () -> Json.raw("\"token\""), () -> "info", joined -> null), 2, seq -> 0);

    private static TaskEvent event(EventDetail what) {
        return new TaskEvent(3, NOW, what);
    }

    /** Progress that the client wants. */
    @Benchmark
    public Optional<Notice> progress() {
        return narrator.event(task, progress);
    }

    /** A log line below the level that the client wants. */
    @Benchmark
    public Optional<Notice> unwantedLine() {
        return narrator.event(task, line);
    }
}
