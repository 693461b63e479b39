// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.plan;

import io.longhaul.protocol.call.Call.Keep;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a question is answered that the client runs as a task for its server.
 *
 * @param withTask whether the response is the task, rather than its outcome
 * @param id       of the task, where the server has chosen it; null where the client chooses
 * @param keep     how long the task is kept
 */
public record AnswerPlan(boolean withTask, @Nullable String id, Keep keep) {

    /** The longest time for a task, and the time where the server names none; a Longhaul server waits a day. */
    public static final Duration LONGEST_KEPT = Duration.ofDays(2);
}
