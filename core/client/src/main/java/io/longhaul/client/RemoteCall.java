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
 * @param <T> what the call gives at its end: a {@link CallOutcome}, which also tells failures, until {@link #as} names
 *     the type of the result
 */
public interface RemoteCall<T> {

    /**
     * This call with its result as a value of {@code type}. Any other outcome throws a {@link CallFailedException}.
     *
     * <p>The value is read from the {@code structuredContent} of the result; where there is none, from its text, which
     * must then be JSON. A {@link String} is the text itself, and {@link io.longhaul.protocol.json.Json Json} the
     * structured content as it came. A result that does not fit the type is {@link CallOutcome.Unusable}.
     *
     * @param type a record, a class that Jackson reads, {@link java.util.Map}, {@code JsonNode}, {@code Json} or
     *             {@link String}
     */
    <R> RemoteCall<R> as(Class<R> type);

    /** The id of the call in a {@link HandleStore}: its creation key. For an attached call: the id of the task. */
    String id();

    /**
     * The reference by which a client can {@linkplain McpClient#attach attach} to the task later. Waits until the
     * client knows whether the server made a task of the call.
     *
     * @return empty where the call ended without a task, as with servers or tools without tasks
     */
    Optional<TaskReference> reference() throws InterruptedException;

    /** The state of the call; {@link State#WORKING} until its end where the server tells no state. */
    State state();

    /**
     * Tells {@code listener} each update, beginning with what the client already knows; the first listener also gets
     * the latest log lines, up to 64. The listener is called by one thread at a time, and must not block for long.
     */
    void onUpdate(Consumer<CallUpdate> listener);

    /** As {@link #onUpdate}, but tells only the progress. */
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
     * Warnings, each as one sentence for the user: an option of the caller that this server cannot honour, or a result
     * that does not fit the output schema of its tool. The client checks the result only where it has read the schema.
     * The list grows until the call has ended.
     */
    List<String> warnings();

    /** Waits for the end. */
    T await() throws InterruptedException;

    /**
     * Waits for the end, for this long at most.
     *
     * @throws TimeoutException where the call has not ended yet; the caller can wait again
     */
    T await(Duration limit) throws InterruptedException, TimeoutException;

    /** The end as a new future. Completing or cancelling the future has no effect on the call. */
    CompletableFuture<T> future();

    /** Asks the server to cancel the call, and returns at once; {@link #await} gives the outcome. */
    void cancel();

    /**
     * Removes the handle of this call from the {@link HandleStore}, because the host needs nothing more from the call.
     * Until then, {@link McpClient#resumeAll} gives the call again, even after its end. No effect without a store.
     */
    void acknowledge();

    /**
     * Stops following the task and leaves it running; the outcome of this call is then {@link CallOutcome.Left}. A call
     * without a task, or whose task is not yet known, cannot be left running.
     *
     * @throws UnsupportedByServerException where the call is no task, or is not known to be one: {@link #reference}
     *                                      waits until that is known
     */
    TaskReference detach();
}
