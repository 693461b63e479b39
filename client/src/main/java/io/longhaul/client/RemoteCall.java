package io.longhaul.client;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The handle of one call of a tool at a server. Thread-safe. */
public interface RemoteCall {

    /**
     * A reference to {@linkplain McpClient#attach attach} to later. Waits until the client knows whether the server
     * made a task of the call.
     *
     * @return empty where the call has ended without a task, as with servers or tools that have none
     */
    Optional<TaskReference> reference() throws InterruptedException;

    /**
     * Tells {@code listener} each update, beginning with what is known already. The listener is called by one thread at
     * a time, and must not block for long.
     */
    void onUpdate(Consumer<CallUpdate> listener);

    /**
     * Warnings, each as one sentence for the user: wishes of the caller that this server cannot fulfil, and, when the
     * call has ended, that the result does not fit the output schema of the tool, where the client has read it. The
     * list grows until the call has ended.
     */
    List<String> warnings();

    /** Waits for the end. */
    CallOutcome await() throws InterruptedException;

    /** Asks the server to cancel the call, and returns at once; {@link #await} gives the outcome. */
    void cancel();

    /**
     * Stops following the task and leaves it running; {@link #await} then gives {@link CallOutcome.Failed}. A call that
     * is no task, or not yet known to be one, cannot be left running.
     *
     * @throws UnsupportedByServerException where there is no task
     */
    TaskReference detach();
}
