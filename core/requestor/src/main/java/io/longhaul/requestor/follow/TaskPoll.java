// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Backoff;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.follow.TaskFollower.Events;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Requests about one task. Another process of the server may learn of a new task later: until the server has shown the
 * task once, "not found" means nothing for some seconds. For one thread.
 */
final class TaskPoll {

    /** How often the result of a task that has ended may be refused. */
    static final int MOST_REFUSALS = 3;

    static final String NO_RESULT_YET = "The server does not give the result of the task yet";

    private final String taskId;
    private final Requestor requestor;
    private final Events events;
    private final Creation creation;
    private final PollInterval interval;
    private final Backoff untilKnown;
    private boolean known;

    TaskPoll(String taskId, Requestor requestor, Events events, Creation creation) {
        this.taskId = taskId;
        this.requestor = requestor;
        this.events = events;
        this.creation = creation;
        this.interval = new PollInterval(requestor.settings(), events::trouble);
        this.untilKnown = new Backoff(requestor.settings().time(), Creation.TO_APPEAR);
        this.known = creation.task() == null;
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
        var made = creation.task();
        if (!known && made != null && !hasEnded(made)) {
            pause(made);
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
        var end =
                ask(new OutgoingCall(new Call.GetTask(taskId)).patient("The server does not tell how the task stands"));
        if (end instanceof CallResult.Answered(CallResponse.TaskState(var task))) {
            events.seen(task);
            return new Shown.Seen(task);
        }
        return new Shown.Stopped(FollowResult.without(end, "the task"));
    }

    /** Makes a request, and repeats it while the server may not know the task yet. */
    CallResult ask(OutgoingCall request) throws InterruptedException {
        request.onTrouble(events::trouble);
        while (true) {
            var end = requestor.ask(request);
            if (known || !(end instanceof CallResult.Refused(var error)) || error.code() != RpcError.INVALID_PARAMS) {
                known = known || end instanceof CallResult.Answered;
                return end;
            }
            if (creation.isCancelled().getAsBoolean() || !untilKnown.pause()) {
                return end;
            }
            events.trouble("The server does not know yet the task that it has made: " + error.message());
        }
    }

    /** Pauses before the result of a task is requested again, which the server has refused to give. */
    void pause(RpcError refusal, TaskView seen) throws InterruptedException {
        events.trouble(NO_RESULT_YET + ": " + refusal.message());
        pause(seen);
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
