// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.store.Allotment;
import io.longhaul.engine.store.Allotment.Claim;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
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
    private final @Nullable Looks looks;
    /** How many nodes there are; 0 while that is not known. */
    private volatile int nodes;

    /** What one share has. Used under the lock of its entry. */
    private static final class Share {
        private int live;
        private int begun;
        private final Map<LiveTask, Runnable> waiting = new LinkedHashMap<>();
    }

    /** @param looks null where there are no other nodes */
    LiveTasks(TaskLimits limits, @Nullable Looks looks) {
        this.looks = looks;
        turns = limits.livePerOwner();
        most = (int) Math.min(Integer.MAX_VALUE, (long) turns + limits.queuedPerOwner());
        queues = limits.queuedPerOwner() > 0;
        nodes = looks == null ? 1 : 0;
    }

    /** There are so many nodes: each may give an owner its part of a limit without a look at others. */
    void nodes(int count) {
        if (nodes != count) {
            nodes = count;
            shares.keySet().forEach(share -> begin(share, 0));
        }
    }

    private int part(int limit) {
        int of = nodes;
        return of == 0 ? 0 : limit / of;
    }

    /** How many have their turn without a look at other nodes, which know nothing of shares that are no owners. */
    private int turns(LiveTask live) {
        return live.isOfOwner() ? part(turns) : turns;
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
        return part(most);
    }

    /** Whether a share has as many tasks here as it may have in all. */
    boolean isFull(String share) {
        var full = new boolean[1];
        shares.computeIfPresent(share, (key, known) -> {
            full[0] = known.live >= most;
            return known;
        });
        return full[0];
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
        return takeTurn(live, share -> share.waiting.isEmpty() && share.begun < turns(live));
    }

    /** Takes a turn at once, for a child: its parent has one, and may wait for it until the child has ended. */
    boolean takeTurn(LiveTask live) {
        return takeTurn(live, share -> true);
    }

    private boolean takeTurn(LiveTask live, Predicate<Share> mayTake) {
        if (queues) {
            shares.computeIfPresent(live.share, (key, share) -> {
                if (mayTake.test(share)) {
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
                    if (share.waiting.isEmpty() && share.begun < turns(live)) {
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
        } else {
            lookSoon();
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
        var next = new ArrayList<Runnable>();
        var wait = new boolean[1];
        shares.computeIfPresent(live.share, (key, share) -> {
            share.live--;
            share.waiting.remove(live);
            if (live.hasTurn) {
                share.begun--;
                takeNext(share, 0, next);
                wait[0] = !share.waiting.isEmpty();
            }
            return share.live == 0 ? null : share;
        });
        next.forEach(Runnable::run);
        if (wait[0]) {
            lookSoon();
        }
    }

    /** The turn of a task may be there with a look at other nodes. */
    private void lookSoon() {
        if (looks != null && nodes != 1) {
            looks.soon();
        }
    }

    /** The owners of whose tasks some wait for turns that other nodes may have. */
    Set<Owner> waiting() {
        var owners = new HashSet<Owner>();
        if (queues && nodes != 1) {
            for (String name : shares.keySet()) {
                shares.computeIfPresent(name, (key, share) -> {
                    var first = share.waiting.keySet().stream().findFirst();
                    first.filter(live -> live.isOfOwner() && share.begun < turns)
                            .ifPresent(live -> owners.add(live.owner));
                    return share;
                });
            }
        }
        return owners;
    }

    /** Begins tasks of an owner as far as the part of a node goes, of all {@code live} ones. */
    void begin(Owner owner, String node, List<Claim> live) {
        var placed = live.stream().filter(claim -> !claim.node().isEmpty()).toList();
        var mine = placed.stream().filter(claim -> claim.node().equals(node)).findAny();
        mine.ifPresent(own -> {
            var others = placed.stream().filter(claim -> !claim.equals(own)).toList();
            begin(owner.value(), Allotment.part(own, others, turns));
        });
    }

    private void begin(String name, int part) {
        var next = new ArrayList<Runnable>();
        shares.computeIfPresent(name, (key, share) -> {
            takeNext(share, part, next);
            return share;
        });
        next.forEach(Runnable::run);
    }

    /** @param part of this node, as a look has shown; 0 without one */
    private void takeNext(Share share, int part, List<Runnable> next) {
        for (var first = first(share, part); first != null; first = first(share, part)) {
            next.add(Objects.requireNonNull(share.waiting.remove(first)));
            take(share, first);
        }
    }

    /** The one whose turn it is. */
    private @Nullable LiveTask first(Share share, int part) {
        return share.waiting.keySet().stream()
                .findFirst()
                .filter(live -> share.begun < Math.max(part, turns(live)))
                .orElse(null);
    }
}
