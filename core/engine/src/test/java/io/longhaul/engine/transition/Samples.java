// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Execution;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskPosition;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.task.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** One task in each state, and commands of each kind that are legal wherever the table says so. */
final class Samples {
    static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    static final Lease LEASE = new Lease("node", 1);
    static final Payload ANSWER = Payload.ofText("yes");
    static final Outcome RESULT = new Outcome.Result(ANSWER, false);
    static final Outcome.Failed INTERRUPTED = new Outcome.Failed(FailureReason.INTERRUPTED, "stopped");

    private Samples() {}

    static Task task(TaskState state) {
        var spec = new TaskSpec(Owner.LOCAL, "w", Payload.EMPTY, Payload.EMPTY, null, NOW);
        List<InputRequest> inputs =
                state == TaskState.INPUT_REQUIRED ? List.of(question("a"), question("b")) : List.of();
        var ending = switch (state) {
            case COMPLETED -> new Ending(RESULT, NOW, false);
            case FAILED -> new Ending(INTERRUPTED, NOW, false);
            case CANCELLED -> new Ending(new Outcome.Cancelled(null), NOW, false);
            default -> null;
        };
        var retention = Retention.fromCreation(Duration.ofHours(2));
        var status = new TaskStatus(state, null, new Progress(5, 10.0, null), inputs, ending, retention);
        var attempts = state == TaskState.SUBMITTED ? Attempts.NONE : new Attempts(1, 0);
        return new Task(
                new TaskId("0".repeat(TaskId.LENGTH)), spec, status, new Execution(LEASE, attempts, null), position());
    }

    private static TaskPosition position() {
        return new TaskPosition(7, 11, NOW);
    }

    static InputRequest question(String key) {
        return new InputRequest(key, "ask", Payload.EMPTY, NOW, NOW.plusSeconds(60), null);
    }

    static List<Command> commands() {
        return List.of(
                new Command.Start(LEASE),
                new Command.StartAgain(LEASE, Command.StartAgain.Why.CRASHED),
                new Command.StartAgain(LEASE, Command.StartAgain.Why.REATTACHED),
                new Command.StartAgain(LEASE, Command.StartAgain.Why.TAKEN_UP),
                new Command.FailAttempt(1, NOW, "failed"),
                new Command.Report(new Progress(6, 10.0, null), "said"),
                new Command.Record(new EventDetail.Logged("info", null, ANSWER)),
                new Command.Record(new EventDetail.Emitted(ANSWER)),
                new Command.Record(new EventDetail.StepDone("step", ANSWER)),
                new Command.Ask(List.of(question("c"))),
                new Command.Answer(Map.of("a", ANSWER)),
                new Command.Answer(Map.of("a", ANSWER, "b", ANSWER)),
                new Command.LeaveUnanswered("b"),
                new Command.SaveHandle(ANSWER),
                new Command.Finish(RESULT),
                new Command.Finish(new Outcome.Error(-1, "error", null)),
                new Command.Finish(new Outcome.Cancelled(null)),
                new Command.GiveUp(INTERRUPTED, false),
                new Command.TimeOut(INTERRUPTED),
                new Command.TimeOut(RESULT),
                new Command.Cancel("reason"),
                new Command.ConfirmStopped(),
                new Command.HandBack(false),
                new Command.Retain(Retention.fromLeaving(Duration.ofHours(1)), false));
    }
}
