// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.task.TaskId;
import java.nio.charset.StandardCharsets;

/**
 * What a job in another system came to. Secrets of its requests are masked in it.
 *
 * @param task      whose job it is
 * @param succeeded whether that system says that the job is done; else {@code body} is a text for the caller that says
 *                  why it is not
 * @param body      of the result; not to be changed
 * @param mediaType of {@code body}, as that system says, without parameters
 */
@SuppressWarnings("ArrayRecordComponent")
public record JobEnd(TaskId task, boolean succeeded, byte[] body, String mediaType) {

    public static JobEnd failure(TaskId task, String why) {
        return new JobEnd(task, false, why.getBytes(StandardCharsets.UTF_8), "text/plain");
    }

    /** The body read as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
