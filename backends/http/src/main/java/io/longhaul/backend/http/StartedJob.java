// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.task.TaskId;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * What an API has told of a job that it has begun.
 *
 * @param id        null where it has none
 * @param operation the address of its status; null where that is made of the id
 * @param target    the address of its result, where the API has told it at the start
 */
record StartedJob(
        @Nullable String id,
        @Nullable URI operation,
        @Nullable URI target) {

    /** How a person finds it; a query of an address can have a secret. */
    String name() {
        if (id != null) {
            return id;
        }
        return operation == null ? "of this task" : "at " + operation.toString().replaceFirst("[?#].*", "");
    }

    /** How an operator finds it. */
    String of(TaskId task) {
        return (id == null && operation == null ? "" : name() + " ") + "of task " + task;
    }
}
