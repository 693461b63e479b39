// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

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
final class PollingFollower extends TaskFollower {

    private final CompletableFuture<FollowResult> ended;
    private final FollowPlan plan;
    private final Supplier<Optional<Requestor>> other;
    private final TaskQuestions questions;
    private @Nullable TaskQuestions elsewhere;

    /**
     * @param other answers the questions of the task: gives a requestor that shows them where {@code requestor} does
     *     not, or nothing where there is none; empty where the follower answers none
     */
    PollingFollower(
            String taskId,
            Requestor requestor,
            Events events,
            Creation creation,
            Optional<Supplier<Optional<Requestor>>> other) {
        super(taskId, requestor, events, creation, other.isPresent());
        this.ended = creation.response();
        this.other = other.orElse(Optional::empty);
        this.plan = requestor.manner().follow();
        this.questions = new TaskQuestions(taskId, requestor, events, ended::complete);
    }

    @Override
    void shown(TaskView task) {
        if (answers) {
            questions.take(task);
        }
    }

    @Override
    FollowResult end() throws InterruptedException {
        try (questions;
                var subscription = plan.showsAll()
                        ? new TaskSubscription(taskId, requestor, this::told, this::look, events::trouble)
                        : null) {
            return firstEnd(() -> polled(() -> subscription != null && subscription.isActive()));
        } finally {
            if (elsewhere != null) {
                elsewhere.close();
            }
        }
    }

    private void told(TaskView task) {
        try {
            events.seen(task);
        } catch (RuntimeException e) {
            ended.completeExceptionally(e);
        }
        if (task.end() != null) {
            ended.complete(new FollowResult.Ended(task.end()));
        }
    }

    /** Looks once at a task whose changes were not told. Where that fails, the next poll tells why. */
    private void look() {
        requestor.task(taskId).ifPresent(this::told);
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
    private FollowResult polled(BooleanSupplier told) throws InterruptedException {
        var poll = new TaskPoll(taskId, requestor, events, creation);
        var backoff = requestor.settings().endlessBackoff();
        while (true) {
            var begun = requestor.settings().time().elapsed();
            var end = end(poll, poll.untilEnd(told, this::answerElsewhere));
            if (!(end instanceof FollowResult.Untold untold)
                    || !creation.mayRespond().getAsBoolean()) {
                return end;
            }
            events.trouble(untold.reason());
            backoff.held(begun);
            backoff.pause();
        }
    }

    private FollowResult end(TaskPoll poll, TaskPoll.Shown shown) throws InterruptedException {
        return switch (shown) {
            case TaskPoll.Shown.Stopped(var end) -> end;
            case TaskPoll.Shown.Seen(var task) when task.end() != null -> new FollowResult.Ended(task.end());
            case TaskPoll.Shown.Seen(var task)
            when plan.showsAll() ->
                new FollowResult.Unusable("The server's task has ended, and the server does not say with what result.");
            case TaskPoll.Shown.Seen(var task) -> outcome(poll, task);
        };
    }

    /** Answers the questions of a task through the other requestor, the only one that sees them. */
    private void answerElsewhere(TaskView task) {
        if (plan.showsAll() || task.status().state() != TaskView.State.INPUT_REQUIRED) {
            return;
        }
        other.get()
                .ifPresent(shown -> shown.task(taskId).ifPresent(seen -> {
                    if (elsewhere == null) {
                        elsewhere = new TaskQuestions(taskId, shown, events, ended::complete);
                    }
                    elsewhere.take(seen);
                }));
    }

    /**
     * Requests the outcome of a task that has ended. An error is the outcome only of a task that has not completed: the
     * result of a completed task is requested again later.
     */
    private FollowResult outcome(TaskPoll poll, TaskView task) throws InterruptedException {
        boolean hasCompleted = task.status().state() == TaskView.State.COMPLETED;
        for (var refusals = 1; ; refusals++) {
            var call = new OutgoingCall(plan.outcome(taskId)).onTrouble(events::trouble);
            var end = requestor.ask(hasCompleted ? call.patient(TaskPoll.NO_RESULT_YET) : call);
            if (!hasCompleted || !(end instanceof CallResult.Refused(var error))) {
                return FollowResult.ofOutcome(end);
            }
            if (creation.mayRespond().getAsBoolean()) {
                return new FollowResult.NotShown(error);
            }
            if (refusals >= TaskPoll.MOST_REFUSALS) {
                return FollowResult.ofOutcome(end);
            }
            poll.pause(error, task);
        }
    }
}
