// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.dialect.ClientDialect;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the receiver deals with tasks that a client runs for it, each the answer to a question. {@link
 * Planner#ofClientTasks} decides all of it.
 *
 * @param dialect            encodes the requests of the receiver
 * @param waits              whether one request waits for the outcome of a task, rather than asks for it after its end
 * @param cancelledByRequest whether a request with the id of the task cancels a task
 * @param kept               from when a task is kept
 * @param aliases            the space of the ids that the receiver chooses, or null where the client chooses them
 */
public record ClientTaskManner(
        ClientDialect dialect,
        boolean waits,
        boolean cancelledByRequest,
        Keep.From kept,
        @Nullable String aliases) {

    /** The request for the outcome of a task. */
    public Call outcome(String id) {
        return waits ? new Call.AwaitOutcome(id) : new Call.GetOutcome(id);
    }

    /**
     * What the receiver wants of the task that a question becomes.
     *
     * @param name  of the task, where the receiver chooses it
     * @param waits how long the receiver waits for the answer
     * @param after how long the client keeps the answer
     */
    public TaskWish.Terms wish(String name, Duration waits, Duration after) {
        return new TaskWish.Terms(
                TaskWish.Created.BY_CALLER,
                kept,
                kept == Keep.From.CREATION ? waits.plus(after) : after,
                aliases == null ? null : new Alias(aliases, name));
    }
}
