package io.longhaul.client;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Ask;
import io.longhaul.requestor.Asked;
import io.longhaul.requestor.Requestor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * A call that is answered in the end, while a notification may tell before that there is a task: "Clients race between
 * waiting for the original request's response and waiting for the notification". For one call.
 */
final class Race {

    private final Requestor requestor;
    private final Ask ask;
    private final String taskId;
    private final CompletableFuture<Asked> answered = new CompletableFuture<>();

    /** What comes first. */
    sealed interface First {
        /** There is a task, and the call goes on. */
        record Task(TaskView task) implements First {}

        record Answer(Asked asked) implements First {}
    }

    /** Follows a task to its end. */
    interface Following {
        CallOutcome run() throws InterruptedException;
    }

    /**
     * A race that has not begun.
     *
     * @param taskId that we chose for the task
     */
    Race(Requestor requestor, Ask ask, String taskId) {
        this.requestor = requestor;
        this.ask = ask;
        this.taskId = taskId;
    }

    Ask ask() {
        return ask;
    }

    /** Makes the call, and waits for the first sign of the server. */
    First begin() throws InterruptedException {
        var created = new CompletableFuture<First>();
        try (var notices = requestor.onTask(taskId, notice -> {
            if (notice instanceof Notice.TaskCreated(var task)) {
                created.complete(new First.Task(task));
            }
        })) {
            Thread.ofVirtual().name("longhaul-client-race").start(() -> answered.complete(requestor.ask(ask)));
            var first = get(created.applyToEither(answered.thenApply(First.Answer::new), any -> any));
            return first instanceof First.Answer(var asked) ? checked(asked) : first;
        }
    }

    /** An answer that was lost may have been that of a task, and its id is known all the same. */
    private First checked(Asked asked) {
        boolean doubtful = asked instanceof Asked.Lost
                || (asked instanceof Asked.Refused(var error)
                        && ask.wasRepeated()
                        && error.code() == RpcError.INVALID_PARAMS);
        return doubtful && requestor.ask(new Call.GetTask(taskId)) instanceof Asked.Answered(Answer.TaskState(var task))
                ? new First.Task(task)
                : new First.Answer(asked);
    }

    /**
     * Follows the task, and takes the end from whoever has it first.
     *
     * @param cancelling whether errors may be about the call's being cancelled rather than how it ended
     */
    CallOutcome end(Following following, BooleanSupplier cancelling) throws InterruptedException {
        var ended = new CompletableFuture<CallOutcome>();
        answered.thenAccept(asked -> end(asked, cancelling).ifPresent(ended::complete));
        var follower = Thread.ofVirtual().name("longhaul-client-follow").start(() -> {
            try {
                ended.complete(following.run());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error e) {
                ended.completeExceptionally(e);
            }
        });
        try {
            return get(ended);
        } finally {
            follower.interrupt();
            ask.leave();
        }
    }

    private Optional<CallOutcome> end(Asked asked, BooleanSupplier cancelling) {
        return switch (asked) {
            case Asked.Answered(Answer.ToolResult result) -> Optional.of(Replies.outcome(result));
            case Asked.Refused(var error)
            when !cancelling.getAsBoolean() && !ask.wasRepeated() -> Optional.of(new CallOutcome.ProtocolError(error));
            default -> Optional.empty();
        };
    }

    private static <T> T get(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException problem ? problem : new IllegalStateException(e.getCause());
        }
    }
}
