package io.longhaul.client;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One call of a tool that is going on at a server. Thread-safe. */
public interface RemoteCall {

    /**
     * What to {@linkplain McpClient#attach attach} to later. Waits until it is known whether the server made a task
     * of the call.
     *
     * @return empty where the call has ended without a task, as with servers or tools that have none
     */
    Optional<TaskReference> reference() throws InterruptedException;

    /**
     * Tells {@code listener} what happens, beginning with what is known already. It is called by one thread at a time,
     * and shall not block for long.
     */
    void onUpdate(Consumer<CallUpdate> listener);

    /**
     * What the caller asked for and this server cannot do, each as one sentence for the user; and, when the call has
     * ended, that its result does not fit the output schema of its tool, where that was read before. Grows until then.
     */
    List<String> warnings();

    /** Waits for the end. */
    CallOutcome await() throws InterruptedException;

    /** Asks the server to cancel, at once and without waiting; {@link #await} tells what became of it. */
    void cancel();

    /**
     * Stops to follow the task and leaves it running; {@link #await} then gives {@link CallOutcome.Failed}. A call that
     * is no task, or not yet known to be one, cannot be left running.
     *
     * @throws UnsupportedByServerException where there is no task
     */
    TaskReference detach();
}
