// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.follow.TaskFollower.Events;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Polls one task. For one thread. */
final class TaskPoll {

    private final String taskId;
    private final Requestor requestor;
    private final Events events;
    private final PollInterval interval;
    private final NewTask task;

    TaskPoll(String taskId, Requestor requestor, Events events, NewTask task) {
        this.taskId = taskId;
        this.requestor = requestor;
        this.events = events;
        this.task = task;
        this.interval = new PollInterval(requestor.settings(), events::trouble);
    }

    /** The result of a poll: the task, or why the follower stops. */
    sealed interface Shown {
        record Seen(TaskView task) implements Shown {}

        record Stopped(FollowResult end) implements Shown {}
    }

    /**
     * Polls until the task has ended, or the server does not show the task.
     *
     * @param told    whether the server tells of each change, so that polls can be rare
     * @param visitor takes each view of the task while the task goes on
     */
    Shown untilEnd(BooleanSupplier told, Consumer<TaskView> visitor) throws InterruptedException {
        var made = task.made();
        if (made.isPresent() && !hasEnded(made.get())) {
            pause(made.get());
        }
        while (true) {
            var shown = once();
            if (!(shown instanceof Shown.Seen(var seen)) || hasEnded(seen)) {
                return shown;
            }
            visitor.accept(seen);
            requestor.settings().time().pause(told.getAsBoolean() ? interval.whileTold(seen) : interval.after(seen));
        }
    }

    Shown once() throws InterruptedException {
        var call = PersistentCall.of(
                requestor, new Call.GetTask(taskId), events::trouble, "The server does not tell how the task stands");
        var end = task.awaited(call::end);
        if (end instanceof CallResult.Answered(CallResponse.TaskState(var task))) {
            events.seen(task);
            return new Shown.Seen(task);
        }
        return new Shown.Stopped(FollowResult.without(end, "the task"));
    }

    /** Pauses until the next poll after a task was seen. */
    void pause(TaskView seen) throws InterruptedException {
        requestor.settings().time().pause(interval.after(seen));
    }

    static boolean hasEnded(TaskView task) {
        var state = task.status().state();
        return state == State.COMPLETED || state == State.FAILED || state == State.CANCELLED;
    }
}
