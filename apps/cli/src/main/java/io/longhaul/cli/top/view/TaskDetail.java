// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.TaskRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * One task with all details.
 *
 * @param events the latest events of the task, oldest first
 */
public record TaskDetail(TaskRecord task, List<HistoryEvent> events) {

    private static final int KEPT = 1_000;

    public TaskDetail {
        events = List.copyOf(events);
    }

    public TaskDetail and(TaskRecord now, List<HistoryEvent> more) {
        var all = new ArrayList<>(events);
        all.addAll(more);
        return new TaskDetail(now, all.subList(Math.max(0, all.size() - KEPT), all.size()));
    }

    boolean isOf(TaskDetail other) {
        return task.task().id().equals(other.task.task().id());
    }
}
