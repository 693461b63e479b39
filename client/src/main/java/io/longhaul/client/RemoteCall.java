// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.State;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The handle of one call of a tool at a server. Thread-safe.
 *
 * @param <T> what the call gives in the end: a {@link CallOutcome}, which tells failures too, until {@link #as} names
 *            the type of the result
 */
public interface RemoteCall<T> {

    /**
     * The same call, which gives its result as a value of this type, and throws a {@link CallFailedException} for any
     * other outcome.
     *
     * <p>The value is read from the {@code structuredContent} of the result; where there is none, from its text, which
     * is to be JSON then. A {@link String} is the text itself, and {@link io.longhaul.protocol.json.Json Json} the
     * structured content as it came. A result that does not fit the type makes an {@link UnusableAnswerException}.
     *
     * @param type a record, a class that Jackson reads, {@link java.util.Map}, {@code JsonNode}, {@code Json} or
     *             {@link String}
     */
    <R> RemoteCall<R> as(Class<R> type);

    /** The id of the call in a {@link HandleStore}: its creation key; of a call that was attached, the task's id. */
    String id();

    /**
     * A reference to {@linkplain McpClient#attach attach} to later. Waits until the client knows whether the server
     * made a task of the call.
     *
     * @return empty where the call has ended without a task, as with servers or tools that have none
     */
    Optional<TaskReference> reference() throws InterruptedException;

    /** Where the call stands; {@link State#WORKING} until its end where the server tells nothing. */
    State state();

    /**
     * Tells {@code listener} each update, beginning with what is known already. The listener is called by one thread at
     * a time, and must not block for long.
     */
    void onUpdate(Consumer<CallUpdate> listener);

    /** As {@link #onUpdate}, of the progress alone. */
    default void onProgress(Consumer<ProgressView> listener) {
        var last = new AtomicReference<ProgressView>();
        onUpdate(update -> {
            if (update instanceof CallUpdate.Status now
                    && now.progress() != null
                    && !now.progress().equals(last.getAndSet(now.progress()))) {
                listener.accept(now.progress());
            }
        });
    }

    /**
     * Warnings, each as one sentence for the user: wishes of the caller that this server cannot fulfil, and, when the
     * call has ended, that the result does not fit the output schema of the tool, where the client has read it. The
     * list grows until the call has ended.
     */
    List<String> warnings();

    /** Waits for the end. */
    T await() throws InterruptedException;

    /**
     * Waits for the end, for this long at most.
     *
     * @throws TimeoutException where the call goes on; it can be waited for again
     */
    T await(Duration limit) throws InterruptedException, TimeoutException;

    /** The end as a future of its own: whoever completes or cancels the future does nothing to the call. */
    CompletableFuture<T> future();

    /** Asks the server to cancel the call, and returns at once; {@link #await} gives the outcome. */
    void cancel();

    /**
     * The host has what it wants of this call: its handle is removed from the {@link HandleStore}. Until then
     * {@link McpClient#resumeAll} gives the call again, also where it has ended; nothing happens without a store.
     */
    void acknowledge();

    /**
     * Stops following the task and leaves it running; the outcome of this call is then {@link CallOutcome.Left}. A call
     * that is no task, or not yet known to be one, cannot be left running.
     *
     * @throws UnsupportedByServerException where there is no task
     */
    TaskReference detach();
}
