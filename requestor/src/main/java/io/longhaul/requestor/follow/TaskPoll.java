package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.call.CallEnd;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.follow.TaskFollower.End;
import io.longhaul.requestor.follow.TaskFollower.Events;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Polls one task. For one thread. */
final class TaskPoll {

    private final String taskId;
    private final Requestor requestor;
    private final Events events;
    private final PollInterval interval;

    private TaskPoll(String taskId, Requestor requestor, Events events, PollInterval interval) {
        this.taskId = taskId;
        this.requestor = requestor;
        this.events = events;
        this.interval = interval;
    }

    /** Polls only as often as the server wants. */
    static TaskPoll steady(String taskId, Requestor requestor, Events events) {
        var time = requestor.settings().time();
        return new TaskPoll(taskId, requestor, events, PollInterval.steady(time::chance, events::trouble));
    }

    /** Polls soon at first. */
    static TaskPoll soon(String taskId, Requestor requestor, Events events) {
        var time = requestor.settings().time();
        return new TaskPoll(taskId, requestor, events, PollInterval.soon(time::chance, events::trouble));
    }

    /** What a poll showed. */
    sealed interface Shown {
        record Task(TaskView task) implements Shown {}

        record Stopped(End end) implements Shown {}
    }

    /** What is done with a task that goes on; an end stops the polling. */
    interface Visitor {
        Optional<End> visit(TaskView task) throws InterruptedException;
    }

    /**
     * Polls until the task has ended, or the server does not show it.
     *
     * @param last what was seen of the task just now; or empty
     * @param told whether the server tells of each change, so that there is no hurry
     */
    Shown untilEnd(Optional<TaskView> last, BooleanSupplier told, Visitor visitor) throws InterruptedException {
        if (last.isPresent()) {
            pause(last.get());
        }
        while (true) {
            var shown = once();
            if (!(shown instanceof Shown.Task(var task)) || hasEnded(task)) {
                return shown;
            }
            var end = visitor.visit(task);
            if (end.isPresent()) {
                return new Shown.Stopped(end.get());
            }
            requestor.settings().time().pause(told.getAsBoolean() ? interval.whileTold(task) : interval.after(task));
        }
    }

    /** Polls once; an "Internal error" (-32603) says nothing of the task, so that the poll is repeated after one. */
    Shown once() throws InterruptedException {
        var backoff = requestor.settings().backoff();
        while (true) {
            var end = requestor.ask(new OutgoingCall(new Call.GetTask(taskId)).onTrouble(events::trouble));
            if (!(end instanceof CallEnd.Refused(var error)) || error.code() != RpcError.INTERNAL_ERROR) {
                return shown(end);
            }
            var wait = backoff.next(Duration.ZERO);
            if (wait == null) {
                return shown(end);
            }
            events.trouble("The server does not tell how the task stands: " + error.message());
            requestor.settings().time().pause(wait);
        }
    }

    private Shown shown(CallEnd end) throws InterruptedException {
        if (end instanceof CallEnd.Answered(Answer.TaskState(var task))) {
            events.seen(task);
            return new Shown.Task(task);
        }
        return new Shown.Stopped(FollowEnds.stopped(end, "the task"));
    }

    /** Pauses until the next poll after a task was seen. */
    void pause(TaskView task) throws InterruptedException {
        requestor.settings().time().pause(interval.after(task));
    }

    static boolean hasEnded(TaskView task) {
        var state = task.status().state();
        return state == State.COMPLETED || state == State.FAILED || state == State.CANCELLED;
    }
}
