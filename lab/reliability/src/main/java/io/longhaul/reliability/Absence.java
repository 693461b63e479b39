// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * A node that was gone for longer than its lease.
 *
 * @param node    its name
 * @param resumes whether the node goes on afterwards with the contents of its memory
 * @param taken   for each task of the node, the time until another node had it
 * @param left    the labels of the tasks that no other node has taken
 */
record Absence(String node, boolean resumes, List<Duration> taken, List<String> left) {

    private static final TaskFilter LIVE =
            TaskFilter.ALL.in(TaskState.SUBMITTED, TaskState.WORKING, TaskState.INPUT_REQUIRED);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(50);

    /** Watches the tasks of a node that has just gone, until other nodes have them all. */
    static Absence watch(TaskStore store, String node, boolean resumes) throws InterruptedException {
        long since = System.nanoTime();
        List<Task> waiting = new ArrayList<>(Stored.tasks(store, LIVE));
        waiting.removeIf(task -> !isOf(node, task));
        List<Duration> taken = new ArrayList<>();
        while (!waiting.isEmpty() && System.nanoTime() - since < PATIENCE.toNanos()) {
            Thread.sleep(LOOK);
            look(store, node, waiting.iterator(), since, taken);
        }
        var left = waiting.stream()
                .map(task -> TortureServer.label(task.spec().request()))
                .toList();
        return new Absence(node, resumes, List.copyOf(taken), left);
    }

    private static void look(TaskStore store, String node, Iterator<Task> waiting, long since, List<Duration> taken) {
        while (waiting.hasNext()) {
            var now = store.find(waiting.next().id());
            var lease = now.map(task -> task.execution().lease()).orElse(null);
            if (lease != null && !lease.node().equals(node)) {
                taken.add(Duration.ofNanos(System.nanoTime() - since));
                waiting.remove();
            } else if (now.isEmpty() || now.get().ending() != null) {
                // The last write of the node was on its way when the node went.
                waiting.remove();
            }
        }
    }

    private static boolean isOf(String node, Task task) {
        var lease = task.execution().lease();
        return lease != null && lease.node().equals(node);
    }
}
