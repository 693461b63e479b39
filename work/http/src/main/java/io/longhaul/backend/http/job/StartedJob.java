// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.job;

import io.longhaul.engine.task.TaskId;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A job that an API has begun, as the API names it.
 *
 * @param id        null where the job has no id
 * @param operation the address of the status; null where the address is made from the id
 * @param target    the address of the result, where the response to the start has named it; else null
 */
public record StartedJob(
        @Nullable String id,
        @Nullable URI operation,
        @Nullable URI target) {

    /** The name of the job for people, without the query of its address, which can contain a secret. */
    public String name() {
        if (id != null) {
            return id;
        }
        return operation == null ? "of this task" : "at " + operation.toString().replaceFirst("[?#].*", "");
    }

    /** The name of the job and of its task, for operators. */
    public String of(TaskId task) {
        return (id == null && operation == null ? "" : name() + " ") + "of task " + task;
    }
}
