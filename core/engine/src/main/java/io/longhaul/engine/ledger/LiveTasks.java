// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.ledger;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.store.Allotment;
import io.longhaul.engine.store.Allotment.Claim;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.watch.EarlyPoll;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of this node whose work has not ended, and the number of live tasks of each share. Where shares have
 * queues, {@link TaskLimits#livePerOwner} tasks of a share get a turn, and the others wait for a turn in the order of
 * their priority and arrival; children get a turn at once. Without a turn a task is not in line for a slot: the queue
 * of one share does not delay others.
 */
public final class LiveTasks {

    /** The most shares that keep what was granted to them. */
    private static final int MANY = 10_000;

    private final ConcurrentHashMap<TaskId, LiveTask> tasks = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Share> shares = new ConcurrentHashMap<>();
    private final int queued;
    private final boolean queues;
    private volatile int turns;
    private final @Nullable EarlyPoll earlyPoll;
    /** The number of nodes; 0 while unknown. */
    private volatile int nodes;

    /** The counts and the queue of one share. Used under the lock of its entry. */
    private static final class Share {
        private int live;
        private int begun;
        /** How many tasks this node may still create for other nodes without asking them. */
        private int granted;
        /** The tasks without a turn by priority, and in the order of their arrival. */
        private final NavigableMap<Integer, SequencedMap<LiveTask, Runnable>> waiting = new TreeMap<>();

        /** This share, or null where nothing of it is to be kept. */
        private @Nullable Share orNull() {
            return live == 0 && granted == 0 ? null : this;
        }

        private @Nullable LiveTask first() {
            return waiting.isEmpty()
                    ? null
                    : waiting.lastEntry().getValue().firstEntry().getKey();
        }

        private void await(int priority, LiveTask live, Runnable begin) {
            waiting.computeIfAbsent(priority, key -> new LinkedHashMap<>()).put(live, begin);
        }

        private @Nullable Runnable remove(LiveTask live) {
            Runnable begin = null;
            for (var line : waiting.values()) {
                var removed = line.remove(live);
                begin = removed == null ? begin : removed;
            }
            waiting.values().removeIf(Map::isEmpty);
            return begin;
        }
    }

    /** @param earlyPoll null where this node has the store alone */
    public LiveTasks(TaskLimits limits, @Nullable EarlyPoll earlyPoll) {
        this.earlyPoll = earlyPoll;
        turns = limits.livePerOwner();
        queued = limits.queuedPerOwner();
        queues = queued > 0;
        nodes = earlyPoll == null ? 1 : 0;
    }

    /** Changes how many tasks of a share may live; those that wait for a turn may get one now. */
    public void livePerOwner(int tasks) {
        turns = tasks;
        revoke();
        shares.keySet().forEach(share -> begin(share, 0));
    }

    /** Sets the number of nodes: each node may use its part of an owner's limit without asking other nodes. */
    public void nodes(int count) {
        if (nodes != count || shares.size() > MANY) {
            nodes = count;
            revoke();
            shares.keySet().forEach(share -> begin(share, 0));
        }
    }

    private void revoke() {
        for (String name : shares.keySet()) {
            shares.computeIfPresent(name, (key, share) -> {
                share.granted = 0;
                return share.orNull();
            });
        }
    }

    /** The part of this node of a limit of all nodes. */
    public int part(int limit) {
        int of = nodes;
        return of == 0 ? 0 : limit / of;
    }

    /**
     * The number of turns that this node gives without asking other nodes. Other nodes do not know shares that are not
     * owners.
     */
    private int turns(LiveTask live) {
        return live.isOfOwner() ? part(turns) : turns;
    }

    public @Nullable LiveTask get(TaskId id) {
        return tasks.get(id);
    }

    public void add(LiveTask live) {
        tasks.put(live.id(), live);
    }

    /**
     * Removes the task, and wakes the threads that wait for its next change: from here on only the store has the task.
     */
    public void remove(LiveTask live) {
        release(live);
        if (tasks.remove(live.id(), live)) {
            live.watchers().wakeAll();
        }
    }

    public Collection<LiveTask> all() {
        return tasks.values();
    }

    /** The most live tasks of a share, tasks that wait for a turn included. */
    public int most() {
        return (int) Math.min(Integer.MAX_VALUE, (long) turns + queued);
    }

    /** The most live tasks of a share at this node without asking other nodes. */
    public int part() {
        return part(most());
    }

    /** Whether a share has as many tasks at this node as all nodes together may have. */
    public boolean isFull(String share) {
        var full = new boolean[1];
        shares.computeIfPresent(share, (key, known) -> {
            full[0] = known.live >= most();
            return known;
        });
        return full[0];
    }

    /** Counts one more live task of {@code share}, unless the share has {@code most} tasks here. */
    public boolean reserve(String share, int most) {
        var reserved = new boolean[1];
        shares.compute(share, (key, known) -> {
            var now = known == null ? new Share() : known;
            reserved[0] = now.live < most;
            now.live += reserved[0] ? 1 : 0;
            now.granted = Math.max(0, Math.min(now.granted, part() - now.live));
            return now.orNull();
        });
        return reserved[0];
    }

    /**
     * Counts one more live task of {@code share} for another node, where one is granted. This node counts it only until
     * it is stored.
     *
     * @param most grants so many tasks, those included that the share has here; 0 for no more than before
     */
    public boolean reserveElsewhere(String share, int most) {
        var reserved = new boolean[1];
        shares.compute(share, (key, known) -> {
            var now = known == null ? new Share() : known;
            now.granted = Math.max(now.granted, most - now.live);
            reserved[0] = now.granted > 0;
            now.live += reserved[0] ? 1 : 0;
            now.granted -= reserved[0] ? 1 : 0;
            return now.orNull();
        });
        return reserved[0];
    }

    /** Counts a task of an earlier server, whatever the limit. A task that has begun gets a turn. */
    public void found(LiveTask live, boolean begun) {
        shares.compute(live.share(), (key, known) -> {
            var now = known == null ? new Share() : known;
            now.live++;
            if (queues && begun) {
                take(now, live);
            }
            return now;
        });
    }

    /** Takes a free turn. */
    public boolean tryTurn(LiveTask live) {
        return takeTurn(live, share -> share.waiting.isEmpty() && share.begun < turns(live));
    }

    /** Takes a turn at once, for a child: its parent has a turn, and may keep it until the child has ended. */
    public boolean takeTurn(LiveTask live) {
        return takeTurn(live, share -> true);
    }

    private boolean takeTurn(LiveTask live, Predicate<Share> mayTake) {
        if (queues) {
            shares.computeIfPresent(live.share(), (key, share) -> {
                if (mayTake.test(share)) {
                    take(share, live);
                }
                return share;
            });
        }
        return !queues || live.hasTurn;
    }

    /**
     * Runs {@code begin} when the task gets a turn, which may be now; never where the task ends before. {@code begin}
     * must not block.
     */
    public void onTurn(LiveTask live, int priority, Runnable begin) {
        var now = new boolean[] {!queues};
        if (queues) {
            shares.computeIfPresent(live.share(), (key, share) -> {
                if (!live.hasTurn && live.counted.get()) {
                    if (share.waiting.isEmpty() && share.begun < turns(live)) {
                        take(share, live);
                    } else {
                        share.await(priority, live, begin);
                    }
                }
                // Read only here: after the lock another thread, which ends a task, may give this task a turn and run
                // begin.
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

    /** The task counts no longer against its share, and its turn goes to the next task. Repeated calls do nothing. */
    public void release(LiveTask live) {
        if (!live.counted.compareAndSet(true, false)) {
            return;
        }
        var next = new ArrayList<Runnable>();
        var wait = new boolean[1];
        shares.computeIfPresent(live.share(), (key, share) -> {
            share.live--;
            share.remove(live);
            if (live.hasTurn) {
                share.begun--;
                takeNext(share, 0, next);
                wait[0] = !share.waiting.isEmpty();
            }
            return share.orNull();
        });
        next.forEach(Runnable::run);
        if (wait[0]) {
            lookSoon();
        }
    }

    /** Asks for a look at other nodes, which may give a task its turn. */
    private void lookSoon() {
        if (earlyPoll != null && nodes != 1) {
            earlyPoll.soon();
        }
    }

    /** The owners with tasks that wait for turns of other nodes. */
    public Set<Owner> waiting() {
        var owners = new HashSet<Owner>();
        if (queues && nodes != 1) {
            for (String name : shares.keySet()) {
                shares.computeIfPresent(name, (key, share) -> {
                    Optional.ofNullable(share.first())
                            .filter(live -> live.isOfOwner() && share.begun < turns)
                            .ifPresent(live -> owners.add(live.owner()));
                    return share;
                });
            }
        }
        return owners;
    }

    /**
     * Begins tasks of an owner up to the part of this node, given the claims of all nodes on the {@code live} tasks.
     */
    public void begin(Owner owner, String node, List<Claim> live) {
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

    /** @param part the part of this node as a look at other nodes has shown; 0 without a look */
    private void takeNext(Share share, int part, List<Runnable> next) {
        for (var first = first(share, part); first != null; first = first(share, part)) {
            next.add(Objects.requireNonNull(share.remove(first)));
            take(share, first);
        }
    }

    /** The next task that may have a turn, or null. */
    private @Nullable LiveTask first(Share share, int part) {
        return Optional.ofNullable(share.first())
                .filter(live -> share.begun < Math.max(part, turns(live)))
                .orElse(null);
    }
}
