// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.TaskStatistics;
import io.longhaul.engine.TaskStatistics.InState;
import io.longhaul.engine.TaskStatistics.OfWork;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.ledger.LiveTasks;
import io.longhaul.engine.slot.Slots;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts the live tasks of one engine by their work. */
final class LiveStatistics {

    private final Map<String, Count> works = new HashMap<>();

    private static final class Count {
        private final Map<TaskState, InState> states = new EnumMap<>(TaskState.class);
        private int questions;
        private int queue;

        private void add(Task task) {
            var createdAt = task.spec().createdAt();
            states.merge(task.state(), new InState(1, createdAt), (before, one) -> before.and(createdAt));
            questions += task.ending() == null ? task.outstanding().size() : 0;
        }
    }

    static TaskStatistics of(LiveTasks tasks, Slots slots) {
        var census = new LiveStatistics();
        var queues = slots.queues();
        queues.forEach((work, queue) -> census.count(work).queue = queue);
        for (LiveTask live : tasks.all()) {
            Task task = live.storedOrNull();
            if (task != null) {
                census.count(task.spec().work()).add(task);
            }
        }
        return new TaskStatistics(census.works(), slots.size(), slots.taken());
    }

    private Count count(String work) {
        return works.computeIfAbsent(work, name -> new Count());
    }

    private List<OfWork> works() {
        return works.entrySet().stream()
                .map(entry -> new OfWork(
                        entry.getKey(), entry.getValue().states, entry.getValue().questions, entry.getValue().queue))
                .toList();
    }
}
