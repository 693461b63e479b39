// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.call;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClientException;
import io.longhaul.client.request.ServerRequestors;
import io.longhaul.client.request.ServerResponses;
import io.longhaul.client.update.CallFeed;
import io.longhaul.client.update.TaskOutput;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.follow.Creation;
import io.longhaul.requestor.follow.FollowResult;
import io.longhaul.requestor.follow.TaskFollower;
import io.longhaul.requestor.plan.CancelPlan;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The task of one call: is followed to its outcome, tells of itself by the feed of the call, and can be cancelled. */
final class CallTask {

    private static final Logger log = LoggerFactory.getLogger(CallTask.class);

    private final Requestor requestor;
    private final ServerRequestors requestors;
    private final @Nullable Answerer answerer;
    private final CompletableFuture<CallOutcome> outcome;
    private final BooleanSupplier cancelling;
    private final CallFeed feed;
    private final TaskOutput output;
    private final Cancellation cancellation;

    /**
     * @param answerer   of the call alone, or null
     * @param outcome    of the call
     * @param cancelling whether the host has cancelled the call
     */
    CallTask(
            Requestor requestor,
            ServerRequestors requestors,
            @Nullable Answerer answerer,
            CompletableFuture<CallOutcome> outcome,
            BooleanSupplier cancelling) {
        this.requestor = requestor;
        this.requestors = requestors;
        this.answerer = answerer;
        this.outcome = outcome;
        this.cancelling = cancelling;
        this.feed = new CallFeed(requestor.settings().time(), this::readOutput);
        this.output = new TaskOutput(requestor, feed);
        this.cancellation = new Cancellation(requestor, requestors, feed::trouble, outcome);
    }

    private void readOutput(String uri) {
        output.isAt(uri);
    }

    CallFeed feed() {
        return feed;
    }

    /** The questions and the log lines of the task are those of the call until its end. */
    void listen(String taskId) {
        var answered = requestor.answerers().ofTask(taskId, answerer);
        var logs = requestor.listeners().onLog(taskId, feed::noticed);
        outcome.whenComplete((how, why) -> {
            answered.close();
            logs.close();
        });
    }

    /** This request of the client has just made the task. */
    void isMadeBy(OutgoingCall creator) {
        cancellation.isMadeBy(creator);
    }

    /** Follows a task that this client has just made. */
    CallOutcome follow(Creation made) throws InterruptedException {
        var task = Objects.requireNonNull(made.task());
        feed.seen(task);
        try {
            return outcome(
                    task.id(),
                    TaskFollower.answering(task.id(), requestor, feed, made).follow());
        } finally {
            Objects.requireNonNull(made.call()).abandon();
        }
    }

    /** Follows a task that another process has made. */
    CallOutcome follow(String taskId) throws InterruptedException {
        return outcome(
                taskId,
                TaskFollower.returning(taskId, requestor, feed, this::showing).follow());
    }

    private CallOutcome outcome(String taskId, FollowResult end) throws InterruptedException {
        if (end instanceof FollowResult.Ended && !cancelling.getAsBoolean()) {
            output.finish(taskId);
        }
        return isGoneAfterCancel(end) ? new CallOutcome.Cancelled() : ServerResponses.outcome(end);
    }

    /**
     * Whether the server dropped the task that it was asked to cancel: "receivers MAY delete cancelled tasks at
     * their discretion at any time, including immediately after cancellation". In a generation that cancels by a
     * notification, the request for the outcome shows that.
     */
    private boolean isGoneAfterCancel(FollowResult end) throws InterruptedException {
        boolean isUnknown = switch (end) {
            case FollowResult.NotShown(var error) -> error.code() == RpcError.INVALID_PARAMS;
            case FollowResult.Ended(TaskView.End.Failure(var error)) ->
                error.code() == RpcError.INVALID_PARAMS && isCancelledByNotification();
            default -> false;
        };
        return isUnknown && cancelling.getAsBoolean() && cancellation.isTaken();
    }

    boolean isCancelledByNotification() {
        return requestor.manner().cancel() instanceof CancelPlan.ByNotice;
    }

    /** The requestor of a generation that shows the questions of any task and takes answers. */
    private Optional<Requestor> showing() {
        try {
            return Optional.of(requestors.that(manner -> manner.follow().showsAll()));
        } catch (McpClientException e) {
            log.debug("the questions of a task cannot be seen: {}", e.getMessage());
            return Optional.empty();
        }
    }

    void cancel(String taskId) {
        cancellation.of(taskId);
    }

    /** The call is cancelled: what the task gives meanwhile is read no more. Does not block. */
    void isUnwanted() {
        output.isUnwanted();
    }

    /** Tells nothing more, and returns when nothing more is told. */
    void close() {
        output.close();
    }
}
