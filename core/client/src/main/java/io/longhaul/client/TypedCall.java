// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A call whose result is read as a value of one type. */
record TypedCall<T>(RemoteCall<CallOutcome> call, Class<T> type) implements RemoteCall<T> {

    @Override
    public <R> RemoteCall<R> as(Class<R> other) {
        return call.as(other);
    }

    @Override
    public T await() throws InterruptedException {
        return value(call.await());
    }

    @Override
    public T await(Duration limit) throws InterruptedException, TimeoutException {
        return value(call.await(limit));
    }

    @Override
    public CompletableFuture<T> future() {
        return call.future().thenApply(this::value);
    }

    private T value(CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.ToolResult(var result) -> read(result);
            case CallOutcome.Failed failed -> throw new CallFailedException(failed);
        };
    }

    private T read(Json result) {
        try {
            return JavaValues.ofResult(result, type);
        } catch (UnusableAnswerException e) {
            throw new CallFailedException(new CallOutcome.Unusable(String.valueOf(e.getMessage())), e);
        }
    }

    @Override
    public String id() {
        return call.id();
    }

    @Override
    public Optional<TaskReference> reference() throws InterruptedException {
        return call.reference();
    }

    @Override
    public State state() {
        return call.state();
    }

    @Override
    public void onUpdate(Consumer<CallUpdate> listener) {
        call.onUpdate(listener);
    }

    @Override
    public List<String> warnings() {
        return call.warnings();
    }

    @Override
    public void cancel() {
        call.cancel();
    }

    @Override
    public void acknowledge() {
        call.acknowledge();
    }

    @Override
    public TaskReference detach() {
        return call.detach();
    }
}
