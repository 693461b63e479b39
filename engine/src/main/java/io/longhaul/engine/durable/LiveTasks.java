package io.longhaul.engine.durable;

import io.longhaul.engine.task.TaskId;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The tasks of this node whose work has not ended, and how many of them each share has live. */
final class LiveTasks {

    private final ConcurrentHashMap<TaskId, LiveTask> tasks = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Integer> perShare = new ConcurrentHashMap<>();

    @Nullable
    LiveTask get(TaskId id) {
        return tasks.get(id);
    }

    void add(LiveTask live) {
        tasks.put(live.id, live);
    }

    /** The threads that wait for the task to change are woken: from here on the store alone knows the task. */
    void remove(LiveTask live) {
        release(live);
        if (tasks.remove(live.id, live)) {
            live.watchers.wakeAll();
        }
    }

    Collection<LiveTask> all() {
        return tasks.values();
    }

    /** Counts one more live task of {@code share}, unless it has {@code limit} already. */
    boolean reserve(String share, int limit) {
        var reserved = new boolean[1];
        perShare.compute(share, (key, count) -> {
            int now = count == null ? 0 : count;
            reserved[0] = now < limit;
            return reserved[0] ? Integer.valueOf(now + 1) : count;
        });
        return reserved[0];
    }

    /** The task counts no more against its share; no matter how often that is said. */
    void release(LiveTask live) {
        if (live.counted.compareAndSet(true, false)) {
            perShare.computeIfPresent(live.share, (key, count) -> count <= 1 ? null : count - 1);
        }
    }
}
