// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.task.TaskId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of this node whose work has not ended, and how many of them each share has live. Where shares have queues,
 * so many of each have their turn as may be live, and the others wait for one, first come first served: they have no
 * place in line for a slot, so that the queue of one share is in nobody's way.
 */
final class LiveTasks {

    private final ConcurrentHashMap<TaskId, LiveTask> tasks = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Share> shares = new ConcurrentHashMap<>();
    private final int turns;
    private final int most;
    private final boolean queues;
    /** How many tasks a share may have here, whatever it has at other nodes. */
    private volatile int part;

    /** What one share has. Used under the lock of its entry. */
    private static final class Share {
        private int live;
        private int begun;
        private final Map<LiveTask, Runnable> waiting = new LinkedHashMap<>();
    }

    /** @param isShared whether there may be other nodes */
    LiveTasks(TaskLimits limits, boolean isShared) {
        turns = limits.livePerOwner();
        most = (int) Math.min(Integer.MAX_VALUE, (long) turns + limits.queuedPerOwner());
        queues = limits.queuedPerOwner() > 0;
        part = isShared ? 0 : most;
    }

    /** There are so many nodes: each may give a share its part of the limit without asking others. */
    void nodes(int count) {
        part = most / count;
    }

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

    /** How many live tasks each share may have, with those that wait for their turn. */
    int most() {
        return most;
    }

    /** How many of them it may have here without a look at other nodes. */
    int part() {
        return part;
    }

    /** Counts one more live task of {@code share}, unless it has {@code most} here. */
    boolean reserve(String share, int most) {
        var reserved = new boolean[1];
        shares.compute(share, (key, known) -> {
            var now = known == null ? new Share() : known;
            reserved[0] = now.live < most;
            now.live += reserved[0] ? 1 : 0;
            return now.live == 0 ? null : now;
        });
        return reserved[0];
    }

    /** Counts a task of an earlier server, however many there are. One that has begun has its turn. */
    void found(LiveTask live, boolean begun) {
        shares.compute(live.share, (key, known) -> {
            var now = known == null ? new Share() : known;
            now.live++;
            if (queues && begun) {
                take(now, live);
            }
            return now;
        });
    }

    /** Takes a turn that is free. */
    boolean tryTurn(LiveTask live) {
        if (queues) {
            shares.computeIfPresent(live.share, (key, share) -> {
                if (share.begun < turns) {
                    take(share, live);
                }
                return share;
            });
        }
        return !queues || live.hasTurn;
    }

    /**
     * Runs {@code begin} when it is the task's turn, which may be now, and not where the task ends before. It must not
     * block.
     */
    void onTurn(LiveTask live, Runnable begin) {
        var now = new boolean[] {!queues};
        if (queues) {
            shares.computeIfPresent(live.share, (key, share) -> {
                if (!live.hasTurn && live.counted.get()) {
                    if (share.begun < turns) {
                        take(share, live);
                    } else {
                        share.waiting.put(live, begin);
                    }
                }
                // Not looked at again: from here on the thread that ends another task may give this one its turn.
                now[0] = live.hasTurn;
                return share;
            });
        }
        if (now[0]) {
            begin.run();
        }
    }

    private static void take(Share share, LiveTask live) {
        share.begun++;
        live.hasTurn = true;
    }

    /** The task counts no more against its share, and its turn is the next one's; no matter how often that is said. */
    void release(LiveTask live) {
        if (!live.counted.compareAndSet(true, false)) {
            return;
        }
        var next = new Runnable[1];
        shares.computeIfPresent(live.share, (key, share) -> {
            share.live--;
            share.waiting.remove(live);
            if (live.hasTurn) {
                share.begun--;
                next[0] = next(share);
            }
            return share.live == 0 ? null : share;
        });
        if (next[0] != null) {
            next[0].run();
        }
    }

    private @Nullable Runnable next(Share share) {
        var first = share.begun < turns ? share.waiting.entrySet().iterator() : null;
        if (first == null || !first.hasNext()) {
            return null;
        }
        var entry = first.next();
        first.remove();
        take(share, entry.getKey());
        return entry.getValue();
    }
}
