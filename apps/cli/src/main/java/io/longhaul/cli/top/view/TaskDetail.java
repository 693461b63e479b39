// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.cli.tasks.TaskText;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.TaskRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One task with all details.
 *
 * @param events  the latest events of the task with its output, oldest first
 * @param last    the last event that was read, 0 where none was
 * @param written the place in its output up to which that was read; null where the server does not keep it
 * @param isEnded whether nothing more will happen to the task
 */
public record TaskDetail(
        TaskRecord task,
        List<HistoryEvent> events,
        long last,
        @Nullable Long written,
        boolean isEnded) {

    private static final int KEPT = 1_000;

    public TaskDetail {
        events = List.copyOf(events);
    }

    /** A task of which no event was read yet. */
    public static TaskDetail of(TaskRecord task) {
        return new TaskDetail(task, List.of(), 0, 0L, false);
    }

    /** This detail with newer events. */
    public TaskDetail and(TaskRecord now, CallResponse.History page) {
        var all = new ArrayList<>(events);
        all.addAll(page.events());
        boolean isWhole = !page.more() && TaskText.ENDED.contains(page.state());
        var latest = all.subList(Math.max(0, all.size() - KEPT), all.size());
        return new TaskDetail(now, latest, page.last(), page.written(), isWhole);
    }

    boolean isOf(TaskDetail other) {
        return task.task().id().equals(other.task.task().id());
    }
}
