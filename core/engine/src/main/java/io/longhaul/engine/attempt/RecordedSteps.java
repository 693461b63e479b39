// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The steps that earlier attempts have recorded, and the names that this attempt uses, each once. Thread-safe. */
final class RecordedSteps {

    private final TaskStore store;
    private final TaskId task;
    private final Set<String> used = new HashSet<>();
    private @Nullable Map<String, Payload> recorded;

    /** @param isFresh whether nothing can be recorded, so that nothing is read */
    RecordedSteps(TaskStore store, TaskId task, boolean isFresh) {
        this.store = store;
        this.task = task;
        recorded = isFresh ? Map.of() : null;
    }

    /** Takes a name for this attempt, and gives what was recorded under that name, or null. */
    synchronized @Nullable Payload claim(String name) {
        if (!used.add(name)) {
            throw new IllegalArgumentException("the step '" + name + "' was used before in this attempt");
        }
        return all().get(name);
    }

    /** A step whose record failed is not released: the store may have the record all the same. */
    synchronized void release(String name) {
        used.remove(name);
    }

    /** All that is recorded; a call is recorded by the id of its child. */
    synchronized Map<String, Payload> all() {
        if (recorded == null) {
            recorded = Replay.steps(store, task);
        }
        return recorded;
    }

    List<String> calls() {
        return Replay.calls(all());
    }
}
