// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Waits in one request for the outcome of a task, and polls its status meanwhile. The questions of the task come on
 * streams of the session, which answers them.
 */
final class AwaitingFollower extends TaskFollower {

    private volatile @Nullable String leftOpen;

    AwaitingFollower(String taskId, Requestor requestor, Events events, Creation creation) {
        super(taskId, requestor, events, creation, true);
    }

    @Override
    FollowResult end() throws InterruptedException {
        // A session that did not create the task is told of its progress under no other token.
        var token = JsonWriter.quote("longhaul-wait-" + taskId);
        var call = new Call.AwaitOutcome(taskId, new CallExtras(token, null, null));
        var wait = new OutgoingCall(call).withoutTimeout().onTrouble(events::trouble);
        var polling = Thread.ofVirtual().name("longhaul-client-poll").start(() -> poll(wait));
        try (var open = requestor.answerers().onLeftOpen(taskId, why -> leave(wait, why));
                var notices = requestor.listeners().onTask(taskId, this::noticed);
                var progress = requestor.listeners().onToken(token, events::noticed)) {
            return outcome(wait);
        } finally {
            polling.interrupt();
        }
    }

    /** Waits no longer for a task whose question this client leaves open. */
    private void leave(OutgoingCall wait, String why) {
        leftOpen = why;
        wait.abandon();
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
    private void poll(OutgoingCall wait) {
        var time = requestor.settings().time();
        var limit = requestor.settings().timeouts().request();
        var poll = new TaskPoll(taskId, requestor, events::seen, creation);
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

    /**
     * An error in place of the result is the task's own, or says that the task was cancelled or does not exist. For a
     * task that goes on or has completed, the error means nothing: the result is requested again later.
     */
    private FollowResult outcome(OutgoingCall wait) throws InterruptedException {
        var poll = new TaskPoll(taskId, requestor, events, creation);
        for (var refusals = 1; ; refusals++) {
            var end = requestor.ask(wait);
            var open = leftOpen;
            if (open != null && end instanceof CallResult.Cancelled) {
                return FollowResult.leftOpen(open);
            }
            if (!(end instanceof CallResult.Refused(var error))) {
                return FollowResult.ofOutcome(end);
            }
            var shown = poll.once();
            if (shown instanceof TaskPoll.Shown.Stopped(var stopped)) {
                return stopped;
            }
            var task = ((TaskPoll.Shown.Seen) shown).task();
            var state = task.status().state();
            if (state == State.CANCELLED) {
                return new FollowResult.Ended(
                        new TaskView.End.Cancelled(task.status().message()));
            }
            if (state == State.FAILED || (state == State.COMPLETED && refusals >= TaskPoll.MOST_REFUSALS)) {
                return FollowResult.ofOutcome(end);
            }
            poll.pause(error, task);
        }
    }
}
