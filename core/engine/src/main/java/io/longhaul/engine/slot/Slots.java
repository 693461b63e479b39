// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.slot;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.run.Rate;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.Allotment;
import io.longhaul.engine.task.TaskId;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The slots for running work: in all, and of each kind of work. A task without a free slot waits in line, without a
 * thread. Work that had started before goes first, because callers wait for it already; each line is served in order of
 * arrival, and of several lines that of the work with the greatest priority first. A rate delays work that has not
 * started. Grants run on the thread that frees a slot, or on that of an alarm, outside of the lock, and must not block.
 *
 * <p>Where several nodes share the store, a kind of work with a limit has the slots that were allotted to this node:
 * none at first.
 */
public final class Slots {

    /** A place in line. */
    interface Claimant {
        /** Whether the claimant still wants a slot; a claimant that does not is dropped from the line. */
        boolean wantsSlot();

        void granted();

        TaskId task();
    }

    private static final class Line {
        private final TaskTime time;
        private int limit;
        private int priority;
        private @Nullable Rate rate;
        /** The latest starts that count against the rate, oldest first. */
        private final Deque<Instant> starts = new ArrayDeque<>();

        private int size;
        private int free;
        private final boolean isShared;
        private Allotment allotted = Allotment.NONE;
        /** The most slots that were taken at once since the node asked last, and the number that it wanted then. */
        private int peak;

        private int asked;
        /** Whether the line has caused a request for more slots, and still lacks slots. */
        private boolean isShort;
        /** Whether the line has caused a request to give slots back, without an answer since. */
        private boolean isGivingBack;

        /** The claimants that wait for another attempt (the next field: for their first one), in their order. */
        private final SequencedMap<Claimant, Long> again = new LinkedHashMap<>();

        private final SequencedMap<Claimant, Long> fresh = new LinkedHashMap<>();

        Line(Work work, boolean isShared, TaskTime time) {
            this.isShared = isShared;
            this.time = time;
            bounds(work.bounds());
        }

        private boolean isAllotted() {
            return isShared && limit < Integer.MAX_VALUE;
        }

        /** May make the number of free slots negative, until enough runs have ended. */
        private void resize() {
            int slots = isAllotted() ? Math.min(limit, allotted.usable()) : limit;
            free += slots - size;
            size = slots;
        }

        private void bounds(Work.Bounds bounds) {
            limit = bounds.concurrency();
            priority = bounds.priority();
            rate = bounds.rate();
            resize();
        }

        /** How many tasks that have not started the rate lets begin now. */
        private int mayBegin() {
            return rate == null ? Integer.MAX_VALUE : rate.left(starts, time.now());
        }

        /** When a task may begin that only the rate delays; null where there is none. */
        private @Nullable Instant nextStart() {
            boolean isDelayed = rate != null && first(fresh) != null && mayBegin() == 0;
            return isDelayed ? starts.getFirst().plus(rate.period()) : null;
        }

        private void allot(Allotment given) {
            allotted = given;
            isGivingBack = false;
            resize();
        }

        private void take(boolean isAgain) {
            free--;
            peak = Math.max(peak, size - free);
            if (rate != null && !isAgain) {
                starts.addLast(time.now());
            }
        }

        private int busy() {
            return Math.max(size, size - free);
        }

        private boolean isIdle() {
            return allotted.held() == 0 && asked == 0 && isEmpty();
        }

        private Allotment.Want want(String work, boolean isAlone) {
            int wanted = Math.max(peak, size - free + ready());
            var head = head();
            peak = size - free;
            asked = wanted;
            return new Allotment.Want(
                    work,
                    limit,
                    busy(),
                    isAlone ? limit : wanted,
                    head == null ? null : head.getKey().task());
        }

        private boolean lacks() {
            return isAllotted() && size < limit && free <= 0 && !isEmpty();
        }

        private boolean hasToGiveBack() {
            return isAllotted() && allotted.held() > busy();
        }

        /** Whether a lack of slots, or slots to give back, is new since the last call. */
        private boolean hasToAsk() {
            boolean wasShort = isShort;
            boolean wasGivingBack = isGivingBack;
            isShort = lacks();
            isGivingBack = hasToGiveBack();
            return isShort && !wasShort || isGivingBack && !wasGivingBack;
        }

        Map.@Nullable Entry<Claimant, Long> head() {
            var first = startedHead();
            return first == null && mayBegin() > 0 ? first(fresh) : first;
        }

        /** The first in line of the work that had started before. */
        Map.@Nullable Entry<Claimant, Long> startedHead() {
            return first(again);
        }

        private static Map.@Nullable Entry<Claimant, Long> first(SequencedMap<Claimant, Long> line) {
            var head = line.firstEntry();
            while (head != null && !head.getKey().wantsSlot()) {
                line.pollFirstEntry();
                head = line.firstEntry();
            }
            return head;
        }

        boolean goesBefore(Line other, boolean isOlder) {
            return priority == other.priority ? isOlder : priority > other.priority;
        }

        Claimant remove() {
            return (again.isEmpty() ? fresh : again).pollFirstEntry().getKey();
        }

        boolean isEmpty() {
            return head() == null;
        }

        int waiting() {
            return count(again) + count(fresh);
        }

        /** The claimants that would take a slot now. */
        private int ready() {
            return count(again) + Math.min(count(fresh), mayBegin());
        }

        private static int count(SequencedMap<Claimant, Long> line) {
            return (int) line.keySet().stream().filter(Claimant::wantsSlot).count();
        }
    }

    private final Map<String, Line> lines = new HashMap<>();
    private final TaskTime time;
    private final @Nullable Runnable ask;
    /** When the alarm comes that grants slots to work that its rate delays; null without one. */
    private @Nullable Instant alarmAt;

    private int size;
    private int free;
    private long entered;
    private boolean draining;
    private boolean closed;

    /** Slots that this node shares with no other node. */
    public Slots(int running, Iterable<Work> works, TaskTime time) {
        this(running, works, time, null);
    }

    /**
     * @param ask called, outside of the lock, to ask for {@link #wants}; null where this node shares its slots with no
     *            other node
     */
    public Slots(int running, Iterable<Work> works, TaskTime time, @Nullable Runnable ask) {
        size = running;
        free = running;
        this.time = time;
        this.ask = ask;
        for (Work work : works) {
            lines.put(work.name(), newLine(work));
        }
    }

    private Line newLine(Work work) {
        return new Line(work, ask != null, time);
    }

    /** The number of slots in all. */
    public synchronized int size() {
        return size;
    }

    /** The number of free slots beyond those that tasks in line want. */
    public synchronized int room() {
        int waiting = lines.values().stream().mapToInt(Line::waiting).sum();
        return Math.max(0, free - waiting);
    }

    /** The number of slots that are taken. */
    public synchronized int taken() {
        return size - free;
    }

    /** The length of the line of each kind of work. */
    public synchronized Map<String, Integer> queues() {
        var queues = new HashMap<String, Integer>();
        lines.forEach((work, line) -> queues.put(work, line.waiting()));
        return queues;
    }

    /** Sets the number of slots in all. Call {@link #grant} afterwards. Free slots may be missing until runs end. */
    public synchronized void running(int slots) {
        free += slots - size;
        size = slots;
    }

    /** Sets the bounds of a kind of work. Call {@link #grant} afterwards, once the engine can find the work. */
    public synchronized void offer(Work work) {
        lines.computeIfAbsent(work.name(), name -> newLine(work)).bounds(work.bounds());
    }

    /** Takes a slot where one is free and no task is in line; {@code again} for work that had started before. */
    synchronized boolean tryTake(String work, boolean again) {
        var line = line(work);
        boolean isFree = free > 0 && line.free > 0 && line.isEmpty();
        if (closed || draining || !isFree || !again && line.mayBegin() == 0) {
            return false;
        }
        free--;
        line.take(again);
        return true;
    }

    /** The latest start of this work has not come about, and does not count against the rate. */
    synchronized void notStarted(String work) {
        line(work).starts.pollLast();
    }

    /** Gets in line for a slot; {@code again} for work that had started before. */
    void await(String work, boolean again, Claimant claimant) {
        synchronized (this) {
            var line = line(work);
            (again ? line.again : line.fresh).putLast(claimant, entered++);
        }
        grant();
    }

    /** Leaves the line. */
    synchronized void leave(String work, Claimant claimant) {
        var line = line(work);
        line.again.remove(claimant);
        line.fresh.remove(claimant);
    }

    void release(String work) {
        synchronized (this) {
            free++;
            line(work).free++;
        }
        grant();
    }

    /** With {@code isDraining}, grants slots only to work that had started before; else to all. */
    public void drain(boolean isDraining) {
        synchronized (this) {
            if (draining == isDraining) {
                return;
            }
            draining = isDraining;
        }
        grant();
    }

    /** Stops granting slots. */
    public synchronized void close() {
        closed = true;
    }

    /** Gives free slots to the tasks in line, and asks for more slots where there are too few. */
    public void grant() {
        var granted = new ArrayList<Claimant>();
        boolean hasToAsk;
        Instant alarm;
        synchronized (this) {
            takeGranted(granted);
            hasToAsk = hasToAsk();
            alarm = newAlarm();
        }
        if (alarm != null) {
            time.at(alarm, this::grantDelayed);
        }
        granted.forEach(Claimant::granted);
        if (hasToAsk && ask != null) {
            ask.run();
        }
    }

    /** The slots to ask the store for. A node that is alone asks once for all slots of a work. */
    public synchronized List<Allotment.Want> wants(boolean isAlone) {
        return lines.entrySet().stream()
                .filter(line -> line.getValue().isAllotted() && !line.getValue().isIdle())
                .map(line -> line.getValue().want(line.getKey(), isAlone))
                .toList();
    }

    /** Applies the answer of the store. Call {@link #grant} afterwards. */
    public synchronized void allot(Map<String, Allotment> given) {
        given.forEach((work, allotment) -> line(work).allot(allotment));
    }

    /** Drops all allotments of this node. */
    public synchronized void allotNothing() {
        lines.values().forEach(line -> line.allot(Allotment.NONE));
    }

    /** Whether this node holds unused slots that other nodes wait for. */
    public synchronized boolean haveToGiveBack() {
        return lines.values().stream().anyMatch(Line::hasToGiveBack);
    }

    /** Whether the store must be asked again soon: for more slots, or to give slots back. */
    public synchronized boolean areUnsettled() {
        return !closed && lines.values().stream().anyMatch(line -> line.lacks() || line.hasToGiveBack());
    }

    private boolean hasToAsk() {
        boolean has = false;
        for (Line line : lines.values()) {
            has |= line.hasToAsk();
        }
        return has && !closed;
    }

    /** When to grant slots again to work that its rate delays; null where an alarm comes in time, or none is needed. */
    private @Nullable Instant newAlarm() {
        if (closed || draining) {
            return null;
        }
        Instant next = null;
        for (Line line : lines.values()) {
            var at = line.nextStart();
            if (at != null && (alarmAt == null || at.isBefore(alarmAt))) {
                next = at;
                alarmAt = at;
            }
        }
        return next;
    }

    private void grantDelayed() {
        synchronized (this) {
            alarmAt = null;
        }
        grant();
    }

    private void takeGranted(List<Claimant> granted) {
        while (!closed && free > 0) {
            var line = nextLine();
            if (line == null) {
                break;
            }
            free--;
            line.take(line.startedHead() != null);
            granted.add(line.remove());
        }
    }

    private @Nullable Line nextLine() {
        Line best = null;
        Map.Entry<Claimant, Long> first = null;
        for (Line line : lines.values()) {
            var head = line.free <= 0 ? null : draining ? line.startedHead() : line.head();
            if (head != null && (best == null || line.goesBefore(best, head.getValue() < first.getValue()))) {
                best = line;
                first = head;
            }
        }
        return best;
    }

    private Line line(String work) {
        var line = lines.get(work);
        if (line == null) {
            throw new IllegalArgumentException("no such work: " + work);
        }
        return line;
    }
}
