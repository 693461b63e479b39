package io.longhaul.client;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.requestor.call.CallEnd;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * One call whose response comes at the end of its task, while a notification tells earlier that there is a task:
 * "Clients race between waiting for the original request's response and waiting for the notification".
 */
final class Race {

    private final Requestor requestor;
    private final OutgoingCall ask;
    private final String taskId;
    private final CompletableFuture<CallEnd> answered = new CompletableFuture<>();

    /** What comes first. */
    sealed interface First {
        /** There is a task, and the call goes on. */
        record TaskFirst(TaskView task) implements First {}

        record ResponseFirst(CallEnd asked) implements First {}
    }

    /**
     * A race that has not begun.
     *
     * @param taskId that we chose for the task
     */
    Race(Requestor requestor, OutgoingCall ask, String taskId) {
        this.requestor = requestor;
        this.ask = ask;
        this.taskId = taskId;
    }

    /** Makes the call, and waits for the first sign of the server. */
    First begin() throws InterruptedException {
        var created = new CompletableFuture<First>();
        try (var notices = requestor.listeners().onTask(taskId, notice -> {
            if (notice instanceof Notice.TaskCreated(var task)) {
                created.complete(new First.TaskFirst(task));
            }
        })) {
            Thread.ofVirtual().name("longhaul-client-race").start(() -> answered.complete(requestor.ask(ask)));
            var first = get(created.applyToEither(answered.thenApply(First.ResponseFirst::new), any -> any));
            return first instanceof First.ResponseFirst(var end)
                    ? CallStart.taskMadeBy(ask, end, requestor, taskId)
                            .<First>map(First.TaskFirst::new)
                            .orElse(first)
                    : first;
        }
    }

    /**
     * Follows the task, and takes the outcome from the follower or from the response, whichever comes first.
     *
     * @param cancelling whether errors may be about the call's being cancelled rather than how it ended
     */
    CallOutcome end(ActiveCall.Script following, BooleanSupplier cancelling) throws InterruptedException {
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
            ask.abandon();
        }
    }

    private Optional<CallOutcome> end(CallEnd asked, BooleanSupplier cancelling) {
        return switch (asked) {
            case CallEnd.Answered(Answer.ToolResult result) -> Optional.of(Replies.outcome(result));
            case CallEnd.Refused(var error)
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
