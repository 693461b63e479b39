// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView;
import org.jspecify.annotations.Nullable;

/**
 * A task as a server lists it.
 *
 * @param record the record from a server with the extension {@code io.longhaul/tasks}; else null
 */
public record ListedTask(TaskView view, @Nullable TaskRecord record) {

    public static ListedTask of(TaskRecord record) {
        return new ListedTask(record.task(), record);
    }

    public static ListedTask of(TaskView view) {
        return new ListedTask(view, null);
    }

    /** The tool; empty where the server does not tell it. */
    public String tool() {
        return record == null ? "" : record.tool();
    }
}
