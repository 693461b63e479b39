// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a call is answered whose task exists. */
public sealed interface Answering {

    /**
     * With the task, at once.
     *
     * @param asksFirst whether the call waits a moment for questions of the work, since its sender answers them in
     *     rounds of the call
     */
    record WithTask(boolean asksFirst) implements Answering {}

    /**
     * With the outcome of the task.
     *
     * @param isTold whether the sender is told of the task meanwhile
     */
    record AtTheEnd(boolean isTold) implements Answering {}

    /** With the outcome, or with the name of the task when the host of the sender waits no longer. */
    record Within() implements Answering {}

    /**
     * With the output so far, and a token for the next part.
     *
     * @param token  of the last part; null for the first
     * @param inMeta whether tokens go into {@code _meta}
     */
    record NextPart(@Nullable String token, boolean inMeta) implements Answering {}

    /**
     * With the task, which the session of the sender joins.
     *
     * @param keep how long the task is kept after the last session has left
     */
    record Joined(Duration keep) implements Answering {}

    /** Whether the call itself waits for the outcome. */
    default boolean isAtTheEnd() {
        return this instanceof AtTheEnd || this instanceof Within;
    }

    /** Whether the sender has said that it knows of tasks. */
    default boolean isOfTasks() {
        return switch (this) {
            case WithTask with -> true;
            case AtTheEnd end -> end.isTold();
            case Joined joined -> true;
            case Within within -> false;
            case NextPart part -> false;
        };
    }
}
