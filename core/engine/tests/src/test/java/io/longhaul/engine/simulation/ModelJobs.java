// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.task.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

/** Jobs outside of every node, which go on when a node dies. A job that was stopped cannot be started any more. */
final class ModelJobs {

    private final Map<TaskId, List<CountDownLatch>> running = new HashMap<>();
    private final Set<TaskId> over = new HashSet<>();

    /** Starts the job unless it was started before, and blocks until it is over. */
    void runToEnd(TaskId task) throws InterruptedException {
        if (over.contains(task)) {
            return;
        }
        var ended = new CountDownLatch(1);
        running.computeIfAbsent(task, id -> new ArrayList<>()).add(ended);
        ended.await();
    }

    void end(TaskId task) {
        over.add(task);
        var waiting = running.remove(task);
        if (waiting != null) {
            waiting.forEach(CountDownLatch::countDown);
        }
    }

    boolean isRunning(TaskId task) {
        return running.containsKey(task);
    }

    List<TaskId> running() {
        return List.copyOf(new TreeSet<>(running.keySet()));
    }
}
