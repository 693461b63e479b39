// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a tool is called. Immutable.
 *
 * @param ttl         how long the task shall be kept, at least and counted from its creation; null leaves that to the
 *     server. Some generations count from the end of the task, or from when the last session has left the task. The
 *     client asks them for the same time, so that they keep the task longer
 * @param creationKey makes a repeated call find the same task instead of starting the work again; null for a new key.
 *     A server without authorization gives the task to every caller who makes the same call with the key: choose one
 *     there that nobody can guess
 * @param task        whether the server may make a task of the call
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
         * As {@link #PREFER}, but the client {@linkplain RemoteCall#detach() leaves} the call as soon as the call is a
         * task, and answers none of its questions.
         */
        LEAVE
    }

    /** A task where possible, kept as long as the server likes, without a timeout. */
    public static final CallOptions DEFAULT = new CallOptions(null, null, TaskUse.PREFER, null);

    /** These options, with a random creation key where they have none. */
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
