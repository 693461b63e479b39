// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.task.TaskId;
import java.nio.charset.StandardCharsets;

/**
 * The end of a job in another system. Secrets of the requests are masked in its body.
 *
 * @param task      the task of the job
 * @param succeeded whether that system reports success; else {@code body} is a text that tells the caller why the job
 *                  failed
 * @param body      the bytes of the result; not to be changed
 * @param mediaType the media type of {@code body}, as that system states it, without parameters
 */
@SuppressWarnings("ArrayRecordComponent")
public record RemoteResult(TaskId task, boolean succeeded, byte[] body, String mediaType) {

    public static RemoteResult failure(TaskId task, String why) {
        return new RemoteResult(task, false, why.getBytes(StandardCharsets.UTF_8), "text/plain");
    }

    /** The body read as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
