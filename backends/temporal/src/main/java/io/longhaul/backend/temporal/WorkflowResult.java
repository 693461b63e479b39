// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.engine.task.TaskId;
import java.nio.charset.StandardCharsets;

/**
 * What a workflow gave.
 *
 * @param task      whose workflow it is
 * @param succeeded whether the workflow has completed; else {@code body} is a text for the caller that says why not
 * @param body      of the result; not to be changed
 * @param mediaType of {@code body}: JSON, or text where the workflow gave a text
 */
@SuppressWarnings("ArrayRecordComponent")
public record WorkflowResult(TaskId task, boolean succeeded, byte[] body, String mediaType) {

    static WorkflowResult failure(TaskId task, String why) {
        return new WorkflowResult(task, false, why.getBytes(StandardCharsets.UTF_8), "text/plain");
    }

    /** The body read as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
