// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A question that the work of a task asks its requestor.
 *
 * @param key      unique in its task, never used twice
 * @param method   the method of the question, such as {@code elicitation/create}
 * @param params   the question as the requestor gets it
 * @param askedAt  when it was asked
 * @param deadline when the task fails as unanswered, unless the question is answered before
 * @param answer   the answer, or null while the question is outstanding
 */
public record InputRequest(
        String key,
        String method,
        Payload params,
        Instant askedAt,
        Instant deadline,
        @Nullable Payload answer) {

    /** This question as the parent of {@code child} passes it on: the key names the child. */
    public InputRequest ofChild(TaskId child) {
        return new InputRequest(child + "/" + key, method, params, askedAt, deadline, answer);
    }

    /** Whether a parent passes on this question of a child. */
    public boolean isOfChild() {
        return key.length() > TaskId.LENGTH
                && key.charAt(TaskId.LENGTH) == '/'
                && TaskId.isWellFormed(key.substring(0, TaskId.LENGTH));
    }

    /** Whether the answer is still to come. */
    public boolean isOutstanding() {
        return answer == null;
    }

    /** This question with its answer. */
    public InputRequest answeredWith(Payload given) {
        return new InputRequest(key, method, params, askedAt, deadline, given);
    }
}
