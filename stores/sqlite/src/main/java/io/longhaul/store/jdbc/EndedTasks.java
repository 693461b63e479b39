// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cache of tasks whose work has ended, least recently used first out, with a limit in bytes. Such a task changes only
 * in its retention, and only this process writes to the file. Thread-safe.
 */
final class EndedTasks {

    static final long BYTES = 16 << 20;

    /** The approximate size of a task without its payloads. */
    private static final int FRAME = 1_024;

    private final long most;
    private final LinkedHashMap<TaskId, Task> tasks = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;
    private long changes;

    /** @param most the limit in bytes */
    EndedTasks(long most) {
        this.most = most;
    }

    /** Reads a task from the file. */
    @FunctionalInterface
    interface Reading<X extends Exception> {
        Optional<Task> read() throws X;
    }

    static boolean isEnded(@Nullable Task task) {
        return task != null && task.hasEndedWork();
    }

    /** A task of the cache, or else the result of {@code reading}, which is cached unless a change comes meanwhile. */
    <X extends Exception> Optional<Task> find(TaskId id, Reading<X> reading) throws X {
        long before;
        synchronized (this) {
            var known = tasks.get(id);
            if (known != null) {
                return Optional.of(known);
            }
            before = changes;
        }
        var found = reading.read();
        found.filter(EndedTasks::isEnded).ifPresent(task -> keep(task, before));
        return found;
    }

    /** Removes a task that has changed or was removed. */
    synchronized void forget(TaskId id) {
        changes++;
        var gone = tasks.remove(id);
        bytes -= gone == null ? 0 : size(gone);
    }

    /** Removes all tasks: any of them may have been removed from the store. */
    synchronized void forgetAll() {
        changes++;
        tasks.clear();
        bytes = 0;
    }

    private synchronized void keep(Task task, long before) {
        if (changes != before || size(task) > most / 8 || tasks.put(task.id(), task) != null) {
            return;
        }
        bytes += size(task);
        var oldest = tasks.values().iterator();
        while (bytes > most) {
            bytes -= size(oldest.next());
            oldest.remove();
        }
    }

    private static long size(Task task) {
        var spec = task.spec();
        var outcome =
                task.status().ending() == null ? null : task.status().ending().outcome();
        long inputs =
                task.status().inputs().stream().mapToLong(EndedTasks::size).sum();
        return FRAME
                + spec.request().size()
                + spec.origin().size()
                + inputs
                + size(task.execution().handle())
                + size(outcome);
    }

    private static long size(InputRequest input) {
        return FRAME + input.params().size() + size(input.answer());
    }

    private static long size(@Nullable Outcome outcome) {
        return switch (outcome) {
            case Outcome.Result result -> result.body().size();
            case Outcome.Error error -> size(error.data());
            case null, default -> 0;
        };
    }

    private static long size(@Nullable Payload payload) {
        return payload == null ? 0 : payload.size();
    }
}
