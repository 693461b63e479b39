// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.task.TaskId;
import java.nio.charset.StandardCharsets;

/**
 * What a job came to. Secrets of its requests are masked in it.
 *
 * @param task      whose job it is
 * @param succeeded whether the API says that the job is done; else {@code body} is a text for the caller that says why
 *                  it is not
 * @param body      of the result; not to be changed
 * @param mediaType of {@code body}, as the API says, without parameters
 */
@SuppressWarnings("ArrayRecordComponent")
public record HttpResult(TaskId task, boolean succeeded, byte[] body, String mediaType) {

    static HttpResult failure(TaskId task, String why) {
        return new HttpResult(task, false, why.getBytes(StandardCharsets.UTF_8), "text/plain");
    }

    /** The body read as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
