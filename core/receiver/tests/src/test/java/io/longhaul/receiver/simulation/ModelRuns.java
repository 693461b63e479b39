// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.server.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The tasks that equal calls of hosts without tasks have made, in the order of their ids, which is that of time. */
final class ModelRuns {

    /** One task. */
    static final class Run {
        private final String result;
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        /** A response with its result has left the server. */
        boolean received;
        /** The server was killed while it may have written the result. */
        boolean unsure;

        private Run(String result) {
            this.result = result;
        }

        String result() {
            return result;
        }

        boolean hasEnded() {
            return end.isDone();
        }

        void end() {
            end.complete(null);
        }
    }

    final String name;
    private final Map<String, Run> runs = new TreeMap<>();

    ModelRuns(String name) {
        this.name = name;
    }

    List<Run> all() {
        return new ArrayList<>(runs.values());
    }

    /** The handler, on the thread of its task, which runs again after a crash. */
    String run(TaskContext task) throws InterruptedException {
        var run = runs.computeIfAbsent(task.id(), id -> new Run(name + " run " + (runs.size() + 1)));
        try {
            run.end.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        return run.result();
    }
}
