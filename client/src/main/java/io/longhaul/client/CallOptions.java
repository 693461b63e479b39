// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a tool is called. Immutable.
 *
 * @param ttl         how long the task shall be kept, at least and counted from its creation; null leaves that to the
 *                    server. A generation that counts from the end of the task, or from when the last session has left
 *                    it, is asked for the same time, and so keeps it longer
 * @param creationKey makes a repeated call find the same task instead of starting the work again; null for a new one
 * @param task        whether the server may make a task of it
 * @param timeout     after which the call is cancelled, or null for never
 */
public record CallOptions(
        @Nullable Duration ttl,
        @Nullable String creationKey,
        TaskUse task,
        @Nullable Duration timeout) {

    /** Whether a call shall be a task. */
    public enum TaskUse {
        /** A task wherever server and tool allow it. */
        PREFER,
        /** Never a task: the call blocks until its end. */
        REFUSE,
        /**
         * As {@link #PREFER}, and {@linkplain RemoteCall#detach() left} as soon as it is one: none of the questions of
         * the task is answered here.
         */
        LEAVE
    }

    /** A task where possible, kept as long as the server likes, without a timeout. */
    public static final CallOptions DEFAULT = new CallOptions(null, null, TaskUse.PREFER, null);

    /** The creation key, which is there by now. */
    String key() {
        return Objects.requireNonNull(creationKey);
    }

    /** The same, with a creation key in any case. */
    CallOptions keyed() {
        return creationKey == null ? withCreationKey(UUID.randomUUID().toString()) : this;
    }

    public CallOptions withTtl(Duration newTtl) {
        return new CallOptions(newTtl, creationKey, task, timeout);
    }

    public CallOptions withCreationKey(String newKey) {
        return new CallOptions(ttl, newKey, task, timeout);
    }

    public CallOptions withTask(TaskUse newUse) {
        return new CallOptions(ttl, creationKey, newUse, timeout);
    }

    public CallOptions withTimeout(Duration newTimeout) {
        return new CallOptions(ttl, creationKey, task, newTimeout);
    }
}
