// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.call;

import io.longhaul.client.CallFailedException;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.TaskReference;
import io.longhaul.client.value.JavaValues;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/** A call as its caller sees it, with its outcome as a value of one type. */
public record TypedCall<T>(ActiveCall call, Function<CallOutcome, T> reader) implements RemoteCall<T> {

    public static RemoteCall<CallOutcome> of(ActiveCall call) {
        return new TypedCall<>(call, outcome -> outcome);
    }

    @Override
    public <R> RemoteCall<R> as(Class<R> type) {
        return new TypedCall<>(call, outcome -> value(outcome, type));
    }

    private static <R> R value(CallOutcome outcome, Class<R> type) {
        return switch (outcome) {
            case CallOutcome.ToolResult(var result) -> read(result, type);
            case CallOutcome.Failed failed -> throw new CallFailedException(failed, null);
        };
    }

    private static <R> R read(Json result, Class<R> type) {
        try {
            return JavaValues.ofResult(result, type);
        } catch (IllegalArgumentException e) {
            throw new CallFailedException(new CallOutcome.Unusable(String.valueOf(e.getMessage())), e);
        }
    }

    @Override
    public String id() {
        return call.id();
    }

    @Override
    public Optional<TaskReference> reference() throws InterruptedException {
        return get(call.reference());
    }

    @Override
    public State state() {
        return switch (call.outcome().getNow(null)) {
            case null -> call.feed().state();
            case CallOutcome.ToolResult result -> State.COMPLETED;
            case CallOutcome.Cancelled cancelled -> State.CANCELLED;
            case CallOutcome.Failed failed -> State.FAILED;
        };
    }

    @Override
    public void onUpdate(Consumer<CallUpdate> listener) {
        call.feed().listen(listener);
    }

    @Override
    public List<String> warnings() {
        return call.feed().warnings();
    }

    @Override
    public T await() throws InterruptedException {
        return reader.apply(get(call.outcome()));
    }

    @Override
    public T await(Duration limit) throws InterruptedException, TimeoutException {
        var end = call.outcome().copy();
        try (var alarm = call.time().after(limit, () -> end.complete(null))) {
            var ended = get(end);
            if (ended == null) {
                throw new TimeoutException("The call goes on after " + limit.toMillis() + " ms.");
            }
            return reader.apply(ended);
        }
    }

    @Override
    public CompletableFuture<T> future() {
        return call.outcome().thenApply(reader);
    }

    /** The value of a future that never fails. */
    static <V> V get(CompletableFuture<V> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void cancel() {
        call.cancel();
    }

    @Override
    public void acknowledge() {
        call.handle().remove();
    }

    @Override
    public TaskReference detach() {
        return call.detach();
    }
}
