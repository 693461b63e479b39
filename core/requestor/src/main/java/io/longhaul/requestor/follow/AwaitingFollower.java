// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Waits in one request for the outcome of a task, and polls its status meanwhile. The questions of the task come on
 * streams of the session, which answers them.
 */
final class AwaitingFollower implements TaskFollower {

    private final Requestor requestor;
    private final Events events;
    private final Creation creation;

    AwaitingFollower(Requestor requestor, Events events, Creation creation) {
        this.requestor = requestor;
        this.events = new OrderedEvents(events);
        this.creation = creation;
    }

    @Override
    public FollowResult follow(String taskId, Optional<TaskView> last) throws InterruptedException {
        return WithdrawnQuestions.after(requestor, this::await).follow(taskId, last);
    }

    private FollowResult await(String taskId, Optional<TaskView> last) throws InterruptedException {
        requestor.listen();
        // A session that did not create the task is told of its progress under no other token.
        var token = JsonWriter.quote("longhaul-wait-" + taskId);
        var call = new Call.AwaitOutcome(taskId, new CallExtras(token, null, null));
        var wait = new OutgoingCall(call).withoutTimeout().onTrouble(events::trouble);
        var polling = Thread.ofVirtual().name("longhaul-client-poll").start(() -> poll(taskId, last, wait));
        try (var notices = requestor.listeners().onTask(taskId, this::noticed);
                var progress = requestor.listeners().onToken(token, events::noticed)) {
            return outcome(taskId, last, wait);
        } finally {
            polling.interrupt();
        }
    }

    private void noticed(Notice notice) {
        if (notice instanceof Notice.TaskChanged(var task)) {
            events.seen(task);
        }
    }

    /**
     * Polls without reporting trouble, which the wait reports already. Where the task has ended and the wait has not,
     * the wait has lost its connection unnoticed; so it may have where the server goes on not to show the task. The end
     * of the wait interrupts this thread.
     */
    private void poll(String taskId, Optional<TaskView> last, OutgoingCall wait) {
        var time = requestor.settings().time();
        var limit = requestor.settings().timeouts().request();
        var poll = poll(taskId, events::seen, last);
        try {
            boolean isShown = true;
            while (!(poll.untilEnd(() -> false, task -> {}) instanceof TaskPoll.Shown.Seen)) {
                if (!isShown) {
                    wait.again();
                }
                isShown = false;
                time.pause(limit);
            }
            try (var alarm = time.after(limit, wait::hurry)) {
                new CountDownLatch(1).await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private TaskPoll poll(String taskId, Events told, Optional<TaskView> last) {
        return new TaskPoll(taskId, requestor, told, new NewTask(requestor.settings(), told, last, creation));
    }

    private FollowResult outcome(String taskId, Optional<TaskView> last, OutgoingCall wait)
            throws InterruptedException {
        var poll = poll(taskId, events, last);
        for (var refusals = 1; ; refusals++) {
            var end = requestor.ask(wait);
            if (!(end instanceof CallResult.Refused(var error))) {
                return FollowResult.ofOutcome(end);
            }
            var refused = refused(error, refusals, poll);
            if (refused.isPresent()) {
                return refused.get();
            }
        }
    }

    /**
     * An error in place of the result is the task's own, or says that the task was cancelled or does not exist. For a
     * task that goes on or has completed, the error means nothing: the result is requested again later.
     */
    private Optional<FollowResult> refused(RpcError error, int refusals, TaskPoll poll) throws InterruptedException {
        return switch (poll.once()) {
            case TaskPoll.Shown.Stopped(var end) -> Optional.of(end);
            case TaskPoll.Shown.Seen(var task)
            when task.status().state() == State.CANCELLED ->
                Optional.of(new FollowResult.Ended(
                        new TaskView.End.Cancelled(task.status().message())));
            case TaskPoll.Shown.Seen(var task)
            when TaskPoll.hasEnded(task)
                    && (task.status().state() == State.FAILED || refusals >= PollingFollower.MOST_REFUSALS) ->
                Optional.of(new FollowResult.Ended(new TaskView.End.Failure(error)));
            case TaskPoll.Shown.Seen(var task) -> {
                events.trouble(PollingFollower.NO_RESULT_YET + ": " + error.message());
                poll.pause(task);
                yield Optional.empty();
            }
        };
    }
}
