package io.longhaul.requestor;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a task's outcome, a while at a time, in a session that attends to the task: every new session joins it, so
 * that the task is kept and its progress is told there.
 */
final class AttendingFollower implements TaskFollower {

    private static final Duration A_WHILE = Duration.ofSeconds(20);

    private final Requestor requestor;
    private final Events events;
    private final List<Ask> attending = new CopyOnWriteArrayList<>();
    private final boolean joins;

    /** What the server said when it took the calls back that attend to the task. */
    private final AtomicReference<String> cancelled = new AtomicReference<>();

    /**
     * A follower that attends.
     *
     * @param creator the call that made the task and attends to it so far; or null
     */
    static TaskFollower joining(Requestor requestor, Events events, @Nullable Ask creator) {
        var follower = new AttendingFollower(requestor, events, true);
        if (creator != null) {
            follower.attending.add(creator);
        }
        return follower;
    }

    /** A follower that only waits for the end. */
    static TaskFollower waiting(Requestor requestor, Events events) {
        return new AttendingFollower(requestor, events, false);
    }

    private AttendingFollower(Requestor requestor, Events events, boolean joins) {
        this.requestor = requestor;
        this.events = events;
        this.joins = joins;
    }

    @Override
    public End follow(String taskId, Optional<TaskView> last) throws InterruptedException {
        if (!joins) {
            return outcome(taskId);
        }
        requestor.hear();
        var token = JsonTree.write(
                JsonTree.object().put("t", "longhaul-join-" + taskId).path("t"));
        try (var progress = requestor.onProgress(token, notice -> progressed(taskId, notice));
                var withdrawals = requestor.notices().onCancelledCalls(this::withdrawn);
                var sessions = requestor.onSession(() -> join(taskId, token))) {
            if (attending.isEmpty() && join(taskId, token) instanceof Asked.Refused(var error)) {
                return new End.Refused(error);
            }
            return outcome(taskId);
        }
    }

    private Asked join(String taskId, Json token) {
        var ask =
                new Ask(new Call.JoinTask(taskId, null, new CallExtras(token, null, null))).onTrouble(events::trouble);
        attending.add(ask);
        return requestor.ask(ask);
    }

    private void progressed(String taskId, Notice notice) {
        if (notice instanceof Notice.Progress progress) {
            var status = new TaskView.Status(TaskView.State.WORKING, null, progress.progress());
            events.seen(new TaskView(taskId, status, TaskView.Times.UNTOLD, Duration.ZERO, Map.of(), null));
        }
    }

    private void withdrawn(RequestId call, String reason) {
        if (attending.stream().anyMatch(ask -> ask.was(call))) {
            cancelled.set(reason);
        }
    }

    private End outcome(String taskId) throws InterruptedException {
        var time = requestor.settings().time();
        var pace = TaskLook.PollInterval.steady(time, events);
        while (true) {
            var begun = time.now();
            var wait = new Ask(new Call.PollOutcome(taskId, A_WHILE))
                    .within(A_WHILE.plus(requestor.settings().patience().request()))
                    .onTrouble(events::trouble);
            switch (requestor.ask(wait)) {
                case Asked.Answered(Answer.TaskState(var pending)) -> {
                    if (Duration.between(begun, time.now()).compareTo(A_WHILE.dividedBy(2)) < 0) {
                        time.pause(pace.after(pending));
                    }
                }
                case Asked.Answered(Answer.ToolResult result) -> {
                    return new End.Ended(end(TaskLook.end(result)));
                }
                case Asked.Answered other -> {
                    return new End.Lost("The server answered something else than the task's result.");
                }
                case Asked.Refused(var error) -> {
                    return new End.Ended(new TaskView.End.Failure(error));
                }
                case Asked.Lost(var reason, var cause) -> {
                    return new End.Lost(reason);
                }
                case Asked.Unusable(var reason) -> {
                    return new End.Lost(reason);
                }
                case Asked.GivenUp given -> throw new InterruptedException();
            }
        }
    }

    private TaskView.End end(TaskView.End.Result result) {
        var reason = cancelled.get();
        return result.isError() && reason != null ? new TaskView.End.Cancelled(reason) : result;
    }
}
