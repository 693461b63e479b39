// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.requestor.call.OutgoingCall;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a task came about, as far as the follower of the task needs it.
 *
 * @param task        as the server has made it just now, so that the first poll can wait; null for any other task
 * @param call        by which the client has made the task; null where another client or an earlier process made it
 * @param response    completed where the response to the call tells the end of the task
 * @param mayRespond  whether the response may still tell the end; false only after {@code response} has what it tells
 * @param isCancelled whether the task is cancelled: "receivers MAY delete cancelled tasks at their discretion"
 */
public record Creation(
        @Nullable TaskView task,
        @Nullable OutgoingCall call,
        CompletableFuture<FollowResult> response,
        BooleanSupplier mayRespond,
        BooleanSupplier isCancelled) {

    /** How long "not found" says nothing of a task that the server has just made. */
    public static final Duration TO_APPEAR = Duration.ofSeconds(5);

    /** A call whose response has told that there is a task, and tells nothing of its end. */
    public Creation(@Nullable TaskView task, @Nullable OutgoingCall call, BooleanSupplier isCancelled) {
        this(task, call, new CompletableFuture<>(), () -> false, isCancelled);
    }

    /** The creation of a task by somebody else. */
    static Creation elsewhere() {
        return new Creation(null, null, () -> false);
    }
}
