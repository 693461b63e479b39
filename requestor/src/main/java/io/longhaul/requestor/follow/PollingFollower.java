// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.ClientDialect.Following;
import io.longhaul.requestor.call.CallEnd;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Polls a task: as often as the server wants, and seldom while the server tells of each change. Where a poll shows the
 * end of the task but not its outcome, the follower then requests the outcome.
 */
final class PollingFollower implements TaskFollower {

    private final Requestor requestor;
    private final Events events;
    private final boolean answers;
    private final CompletableFuture<FollowEnd> ended;
    private final Following way;
    private final Supplier<Optional<Requestor>> other;
    private @Nullable TaskQuestions elsewhere;

    /**
     * @param ended completed where another source shows the end of the task
     * @param other shows the questions of the task where {@code requestor} does not; empty where there is none
     */
    PollingFollower(
            Requestor requestor,
            Events events,
            boolean answers,
            CompletableFuture<FollowEnd> ended,
            Supplier<Optional<Requestor>> other) {
        this.ended = ended;
        this.other = other;
        this.requestor = requestor;
        this.events = events;
        this.answers = answers;
        this.way = requestor.dialect().traits().tasks().following();
    }

    @Override
    public FollowEnd follow(String taskId, Optional<TaskView> last) throws InterruptedException {
        if (!answers) {
            return poll(taskId, last);
        }
        requestor.listen();
        return WithdrawnQuestions.after(requestor, this::poll).follow(taskId, last);
    }

    private FollowEnd poll(String taskId, Optional<TaskView> last) throws InterruptedException {
        try (var questions = new TaskQuestions(taskId, requestor, events, ended::complete)) {
            var ordered = new OrderedEvents(events, answers ? questions::take : task -> {});
            return followed(taskId, last, ordered);
        } finally {
            if (elsewhere != null) {
                elsewhere.close();
            }
        }
    }

    private FollowEnd followed(String taskId, Optional<TaskView> last, Events ordered) throws InterruptedException {
        try (var subscription = way == Following.LOOKING ? subscription(taskId, ordered) : null) {
            return firstEnd(() -> polled(taskId, last, ordered, () -> subscription != null && subscription.isActive()));
        }
    }

    private TaskSubscription subscription(String taskId, Events ordered) {
        return new TaskSubscription(taskId, requestor, task -> {
            try {
                ordered.seen(task);
            } catch (RuntimeException e) {
                ended.completeExceptionally(e);
            }
            if (task.end() != null) {
                ended.complete(new FollowEnd.Ended(task.end()));
            }
        });
    }

    /** Takes the end from whatever shows it first: a poll, the subscription, or the response to the call. */
    private FollowEnd firstEnd(Callable<FollowEnd> polls) throws InterruptedException {
        var polling = Thread.ofVirtual().name("longhaul-client-poll").start(() -> {
            try {
                ended.complete(polls.call());
            } catch (Exception | Error e) {
                ended.completeExceptionally(e);
            }
        });
        try {
            return ended.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException problem ? problem : new IllegalStateException(e.getCause());
        } finally {
            polling.interrupt();
        }
    }

    private FollowEnd polled(String taskId, Optional<TaskView> last, Events ordered, BooleanSupplier told)
            throws InterruptedException {
        var poll = new TaskPoll(taskId, requestor, ordered);
        return switch (poll.untilEnd(last, told, task -> answerElsewhere(taskId, task))) {
            case TaskPoll.Shown.Stopped(var end) -> end;
            case TaskPoll.Shown.Seen(var task) ->
                task.end() != null ? new FollowEnd.Ended(task.end()) : outcome(taskId, task);
        };
    }

    /** Answers the questions of a task through the other requestor, the only one that sees them. */
    private void answerElsewhere(String taskId, TaskView task) {
        if (!answers || task.status().state() != TaskView.State.INPUT_REQUIRED) {
            return;
        }
        var shown = other.get();
        if (shown.isPresent()
                && shown.get().ask(new Call.GetTask(taskId)) instanceof CallEnd.Answered(Answer.TaskState(var seen))) {
            if (elsewhere == null) {
                elsewhere = new TaskQuestions(taskId, shown.get(), events, ended::complete);
            }
            elsewhere.take(seen);
        }
    }

    /** The outcome of a task that has ended. An internal error is the outcome only of a task that has not completed. */
    private FollowEnd outcome(String taskId, TaskView task) throws InterruptedException {
        var call = way == Following.LOOKING_THEN_ASKING ? new Call.GetOutcome(taskId) : new Call.AwaitOutcome(taskId);
        if (task.status().state() != TaskView.State.COMPLETED) {
            return FollowEnd.ofOutcome(requestor.ask(new OutgoingCall(call).onTrouble(events::trouble)));
        }
        var failing = "The server does not give the result of the task yet";
        return FollowEnd.ofOutcome(
                PersistentCall.of(requestor, call, events::trouble, failing).end());
    }
}
