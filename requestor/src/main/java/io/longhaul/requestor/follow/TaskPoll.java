// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.requestor.call.CallEnd;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.follow.TaskFollower.Events;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Polls one task. For one thread. */
record TaskPoll(String taskId, Requestor requestor, Events events, PollInterval interval) {

    TaskPoll(String taskId, Requestor requestor, Events events) {
        this(taskId, requestor, events, new PollInterval(requestor.settings(), events::trouble));
    }

    /** The result of a poll: the task, or why the follower stops. */
    sealed interface Shown {
        record Seen(TaskView task) implements Shown {}

        record Stopped(FollowEnd end) implements Shown {}
    }

    /**
     * Polls until the task has ended, or the server does not show the task.
     *
     * @param last    the latest view of the task; or empty
     * @param told    whether the server tells of each change, so that polls can be rare
     * @param visitor takes each view of the task while the task goes on
     */
    Shown untilEnd(Optional<TaskView> last, BooleanSupplier told, Consumer<TaskView> visitor)
            throws InterruptedException {
        if (last.isPresent() && !hasEnded(last.get())) {
            pause(last.get());
        }
        while (true) {
            var shown = once();
            if (!(shown instanceof Shown.Seen(var task)) || hasEnded(task)) {
                return shown;
            }
            visitor.accept(task);
            requestor.settings().time().pause(told.getAsBoolean() ? interval.whileTold(task) : interval.after(task));
        }
    }

    Shown once() throws InterruptedException {
        return shown(PersistentCall.of(
                        requestor,
                        new Call.GetTask(taskId),
                        events::trouble,
                        "The server does not tell how the task stands")
                .end());
    }

    private Shown shown(CallEnd end) throws InterruptedException {
        if (end instanceof CallEnd.Answered(Answer.TaskState(var task))) {
            events.seen(task);
            return new Shown.Seen(task);
        }
        return new Shown.Stopped(FollowEnd.without(end, "the task"));
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
