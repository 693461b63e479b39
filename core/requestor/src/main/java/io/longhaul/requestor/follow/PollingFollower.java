// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.plan.FollowPlan;
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

    /** The number of times that the result of a completed task may be refused. */
    static final int MOST_REFUSALS = 3;

    static final String NO_RESULT_YET = "The server does not give the result of the task yet";

    private final Requestor requestor;
    private final Events events;
    private final boolean answers;
    private final Creation creation;
    private final CompletableFuture<FollowResult> ended;
    private final FollowPlan plan;
    private final Supplier<Optional<Requestor>> other;
    private @Nullable TaskQuestions elsewhere;

    /**
     * @param other shows the questions of the task where {@code requestor} does not; empty where there is none
     */
    PollingFollower(
            Requestor requestor,
            Events events,
            boolean answers,
            Creation creation,
            Supplier<Optional<Requestor>> other) {
        this.creation = creation;
        this.ended = creation.response();
        this.other = other;
        this.requestor = requestor;
        this.events = events;
        this.answers = answers;
        this.plan = requestor.manner().follow();
    }

    @Override
    public FollowResult follow(String taskId, Optional<TaskView> last) throws InterruptedException {
        if (!answers) {
            return poll(taskId, last);
        }
        requestor.listen();
        return WithdrawnQuestions.after(requestor, this::poll).follow(taskId, last);
    }

    private FollowResult poll(String taskId, Optional<TaskView> last) throws InterruptedException {
        try (var questions = new TaskQuestions(taskId, requestor, events, ended::complete)) {
            var ordered = new OrderedEvents(events, answers ? questions::take : task -> {});
            return followed(taskId, last, ordered);
        } finally {
            if (elsewhere != null) {
                elsewhere.close();
            }
        }
    }

    private FollowResult followed(String taskId, Optional<TaskView> last, Events ordered) throws InterruptedException {
        try (var subscription = plan.showsAll() ? subscription(taskId, ordered) : null) {
            return firstEnd(() -> polled(taskId, last, ordered, () -> subscription != null && subscription.isActive()));
        }
    }

    private TaskSubscription subscription(String taskId, Events ordered) {
        return new TaskSubscription(taskId, requestor, task -> told(task, ordered), () -> look(taskId, ordered));
    }

    private void told(TaskView task, Events ordered) {
        try {
            ordered.seen(task);
        } catch (RuntimeException e) {
            ended.completeExceptionally(e);
        }
        if (task.end() != null) {
            ended.complete(new FollowResult.Ended(task.end()));
        }
    }

    /** Looks once at a task whose changes were not told. Where that fails, the next poll tells why. */
    private void look(String taskId, Events ordered) {
        if (requestor.ask(new Call.GetTask(taskId)) instanceof CallResult.Answered(CallResponse.TaskState(var task))) {
            told(task, ordered);
        }
    }

    /** Takes the end from whatever shows it first: a poll, the subscription, or the response to the call. */
    private FollowResult firstEnd(Callable<FollowResult> polls) throws InterruptedException {
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

    /** Polls until the end. A poll that fails is only a trouble while the response to the call may tell the end. */
    private FollowResult polled(String taskId, Optional<TaskView> last, Events ordered, BooleanSupplier told)
            throws InterruptedException {
        var poll = new TaskPoll(taskId, requestor, ordered, new NewTask(requestor.settings(), events, last, creation));
        var backoff = requestor.settings().endlessBackoff();
        while (true) {
            var begun = requestor.settings().time().elapsed();
            var end = end(taskId, poll, poll.untilEnd(told, task -> answerElsewhere(taskId, task)));
            if (!(end instanceof FollowResult.Untold untold)
                    || !creation.mayRespond().getAsBoolean()) {
                return end;
            }
            events.trouble(untold.reason());
            backoff.held(begun);
            backoff.pause();
        }
    }

    private FollowResult end(String taskId, TaskPoll poll, TaskPoll.Shown shown) throws InterruptedException {
        return switch (shown) {
            case TaskPoll.Shown.Stopped(var end) -> end;
            case TaskPoll.Shown.Seen(var task) when task.end() != null -> new FollowResult.Ended(task.end());
            case TaskPoll.Shown.Seen(var task)
            when plan.showsAll() ->
                new FollowResult.Unusable("The server's task has ended, and the server does not say with what result.");
            case TaskPoll.Shown.Seen(var task) -> outcome(taskId, poll, task);
        };
    }

    /** Answers the questions of a task through the other requestor, the only one that sees them. */
    private void answerElsewhere(String taskId, TaskView task) {
        if (!answers || plan.showsAll() || task.status().state() != TaskView.State.INPUT_REQUIRED) {
            return;
        }
        var shown = other.get();
        if (shown.isPresent()
                && shown.get().ask(new Call.GetTask(taskId))
                        instanceof CallResult.Answered(CallResponse.TaskState(var seen))) {
            if (elsewhere == null) {
                elsewhere = new TaskQuestions(taskId, shown.get(), events, ended::complete);
            }
            elsewhere.take(seen);
        }
    }

    /**
     * Requests the outcome of a task that has ended. An error is the outcome only of a task that has not completed: the
     * result of a completed task is requested again later.
     */
    private FollowResult outcome(String taskId, TaskPoll poll, TaskView task) throws InterruptedException {
        var call = plan.outcome(taskId);
        if (task.status().state() != TaskView.State.COMPLETED) {
            return FollowResult.ofOutcome(requestor.ask(new OutgoingCall(call).onTrouble(events::trouble)));
        }
        for (var refusals = 1; ; refusals++) {
            var end = PersistentCall.of(requestor, call, events::trouble, NO_RESULT_YET)
                    .end();
            if (!(end instanceof CallResult.Refused(var error))) {
                return FollowResult.ofOutcome(end);
            }
            if (creation.mayRespond().getAsBoolean()) {
                return new FollowResult.NotShown(error);
            }
            if (refusals >= MOST_REFUSALS) {
                return FollowResult.ofOutcome(end);
            }
            events.trouble(NO_RESULT_YET + ": " + error.message());
            poll.pause(task);
        }
    }
}
