// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.slot;

import io.longhaul.engine.task.TaskId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Runs of this process that have lost their tasks with a lease, and have not ended yet. The node may get such a task
 * again under its next lease, and must not report the work as ended while the lost run goes on. Thread-safe.
 */
public final class LostRuns {

    private final Map<TaskId, List<RunThread>> runs = new ConcurrentHashMap<>();

    public void add(TaskId id, RunThread run) {
        runs.merge(
                id,
                List.of(run),
                (all, more) -> Stream.concat(all.stream(), more.stream()).toList());
        if (run.isDone()) {
            ended(id, run);
        }
    }

    /** Removes a run that is done. */
    public void ended(TaskId id, RunThread run) {
        runs.computeIfPresent(id, (key, all) -> {
            var left = all.stream().filter(other -> !other.equals(run)).toList();
            return left.isEmpty() ? null : left;
        });
    }

    /** Waits for the lost runs of one task. */
    public void await(TaskId id) throws InterruptedException {
        for (var run : runs.getOrDefault(id, List.of())) {
            run.awaitDone();
        }
    }
}
