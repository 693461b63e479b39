// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A question that the work of a task asks its requestor.
 *
 * @param key      unique in its task, never used twice
 * @param method   what is asked for, such as {@code elicitation/create}
 * @param params   the question as the requestor gets it
 * @param askedAt  when it was asked
 * @param deadline until when it must be answered; the task fails as unanswered after it
 * @param answer   the answer, or null while it is outstanding
 */
public record InputRequest(
        String key,
        String method,
        Payload params,
        Instant askedAt,
        Instant deadline,
        @Nullable Payload answer) {

    /** The same question as its parent passes it on: the key says which child asks. */
    public InputRequest ofChild(TaskId child) {
        return new InputRequest(child + "/" + key, method, params, askedAt, deadline, answer);
    }

    /** Whether it is the question of a child, which its parent passes on. */
    public boolean isOfChild() {
        return key.length() > TaskId.LENGTH
                && key.charAt(TaskId.LENGTH) == '/'
                && TaskId.isWellFormed(key.substring(0, TaskId.LENGTH));
    }

    /** Whether the answer is still to come. */
    public boolean isOutstanding() {
        return answer == null;
    }

    /** The same question with its answer. */
    public InputRequest answeredWith(Payload given) {
        return new InputRequest(key, method, params, askedAt, deadline, given);
    }
}
