// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.call;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.follow.Creation;
import io.longhaul.requestor.follow.FollowResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * One call whose response comes at the end of its task, while a notification tells earlier that there is a task:
 * "Clients race between waiting for the original request's response and waiting for the notification".
 */
final class RacedCreation {

    private final Requestor requestor;
    private final OutgoingCall ask;
    private final String taskId;
    private final CompletableFuture<CallResult> answered = new CompletableFuture<>();

    /**
     * A race that {@link #begin} begins.
     *
     * @param taskId that the client chose for the task
     */
    RacedCreation(Requestor requestor, OutgoingCall ask, String taskId) {
        this.requestor = requestor;
        this.ask = ask;
        this.taskId = taskId;
    }

    /** Makes the call, and gives its task, unless the response comes first. An interrupt abandons both. */
    Optional<TaskView> begin() throws InterruptedException {
        var created = new CompletableFuture<Optional<TaskView>>();
        try (var notices = requestor.listeners().onTask(taskId, notice -> {
            if (notice instanceof Notice.TaskCreated(var task)) {
                ask.setBegun();
                created.complete(Optional.of(task));
            }
        })) {
            Thread.ofVirtual().name("longhaul-client-race").start(() -> answered.complete(requestor.ask(ask)));
            var noTask = answered.thenApply(end -> Optional.<TaskView>empty());
            return TypedCall.get(created.applyToEither(noTask, first -> first))
                    .or(() -> CallStart.taskMadeBy(ask, answered.join(), requestor, taskId));
        } catch (InterruptedException e) {
            ask.abandon();
            throw e;
        }
    }

    /** How the call that made no task ended. */
    CallResult answer() {
        return answered.join();
    }

    /**
     * The call as the creation of the task, whose response tells the end. A cancelled call may get no response, or an
     * error that comes from the cancellation.
     */
    Creation creation(TaskView task, BooleanSupplier cancelling) {
        var end = new CompletableFuture<FollowResult>();
        var told = answered.thenAccept(asked -> {
            switch (asked) {
                case CallResult.Answered(CallResponse.ToolResult(var result)) ->
                    end.complete(FollowResult.ofResult(result));
                case CallResult.Refused(var error)
                when !cancelling.getAsBoolean() && !ask.wasRepeated() ->
                    end.complete(new FollowResult.Ended(new TaskView.End.Failure(error)));
                default -> {}
            }
        });
        return new Creation(task, ask, end, () -> !told.isDone() && !cancelling.getAsBoolean(), cancelling);
    }
}
