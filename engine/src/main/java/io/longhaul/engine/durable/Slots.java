// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.Allotment;
import io.longhaul.engine.task.TaskId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How many works may run at once: in all, and of each kind. A task that finds none free waits in line, without a
 * thread. Work that had started before goes first, since others wait for it already; within each line first come is
 * first served. Grants are called on the thread that frees a slot, outside of the lock, and must not block.
 *
 * <p>Among several nodes a kind of work with a limit has as many slots here as were allotted to this node: none at
 * first.
 */
final class Slots {

    /** A place in line. */
    interface Claimant {
        /** Whether it still wants a slot; one that does not is dropped from the line. */
        boolean wantsSlot();

        void granted();

        TaskId task();
    }

    private record Entry(long number, Claimant claimant) {}

    private static final class Line {
        private int limit;
        private int size;
        private int free;
        private final boolean isShared;
        private Allotment allotted = Allotment.NONE;
        /** The most that were taken at once since the node asked last, and what it wanted then. */
        private int peak;

        private int asked;
        /** It was told to ask for more slots, and those in line still lack some. */
        private boolean isShort;
        /** It was told to give some back, and has had no answer since. */
        private boolean isGivingBack;

        private final ArrayDeque<Entry> again = new ArrayDeque<>();
        private final ArrayDeque<Entry> fresh = new ArrayDeque<>();

        Line(int limit, boolean isShared) {
            this.limit = limit;
            this.isShared = isShared;
            resize();
        }

        private boolean isAllotted() {
            return isShared && limit < Integer.MAX_VALUE;
        }

        /** May leave less than none free, until some of those that run have ended. */
        private void resize() {
            int slots = isAllotted() ? Math.min(limit, allotted.usable()) : limit;
            free += slots - size;
            size = slots;
        }

        private void limit(int slots) {
            limit = slots;
            resize();
        }

        private void allot(Allotment given) {
            allotted = given;
            isGivingBack = false;
            resize();
        }

        private void take() {
            free--;
            peak = Math.max(peak, size - free);
        }

        private int busy() {
            return Math.max(size, size - free);
        }

        private boolean isIdle() {
            return allotted.held() == 0 && asked == 0 && isEmpty();
        }

        private Allotment.Want want(String work, boolean isAlone) {
            int wanted = Math.max(peak, size - free + waiting());
            var head = head();
            peak = size - free;
            asked = wanted;
            return new Allotment.Want(
                    work,
                    limit,
                    busy(),
                    isAlone ? limit : wanted,
                    head == null ? null : head.claimant().task());
        }

        private boolean lacks() {
            return isAllotted() && size < limit && free <= 0 && !isEmpty();
        }

        private boolean hasToGiveBack() {
            return isAllotted() && allotted.held() > busy();
        }

        /** Whether one of both is new. */
        private boolean hasToAsk() {
            boolean wasShort = isShort;
            boolean wasGivingBack = isGivingBack;
            isShort = lacks();
            isGivingBack = hasToGiveBack();
            return isShort && !wasShort || isGivingBack && !wasGivingBack;
        }

        @Nullable
        Entry head() {
            var first = startedHead();
            drop(fresh);
            return first == null ? fresh.peekFirst() : first;
        }

        /** The first of those that had started before. */
        @Nullable
        Entry startedHead() {
            drop(again);
            return again.peekFirst();
        }

        private static void drop(ArrayDeque<Entry> line) {
            for (var head = line.peekFirst(); head != null && !head.claimant().wantsSlot(); head = line.peekFirst()) {
                line.removeFirst();
            }
        }

        Entry remove() {
            return again.isEmpty() ? fresh.removeFirst() : again.removeFirst();
        }

        boolean isEmpty() {
            return head() == null;
        }

        int waiting() {
            return (int) Stream.concat(again.stream(), fresh.stream())
                    .filter(entry -> entry.claimant().wantsSlot())
                    .count();
        }
    }

    private final Map<String, Line> lines = new HashMap<>();
    private final int size;
    private final @Nullable Runnable ask;
    private int free;
    private long entered;
    private boolean draining;
    private boolean closed;

    /** All slots are this node's. */
    Slots(int running, Iterable<Work> works) {
        this(running, works, null);
    }

    /** @param ask is told, outside of the lock, to ask for {@link #wants}; null where all slots are this node's */
    Slots(int running, Iterable<Work> works, @Nullable Runnable ask) {
        size = running;
        free = running;
        this.ask = ask;
        for (Work work : works) {
            lines.put(work.name(), newLine(work));
        }
    }

    private Line newLine(Work work) {
        return new Line(work.concurrency(), ask != null);
    }

    /** How many works may run at once in all. */
    int size() {
        return size;
    }

    /** How many slots are free, and wanted by nobody in line. */
    synchronized int room() {
        int waiting = lines.values().stream().mapToInt(Line::waiting).sum();
        return Math.max(0, free - waiting);
    }

    /** How many slots are taken. */
    synchronized int taken() {
        return size - free;
    }

    /** How many wait in line for each kind of work. */
    synchronized Map<String, Integer> queues() {
        var queues = new HashMap<String, Integer>();
        lines.forEach((work, line) -> queues.put(work, line.waiting()));
        return queues;
    }

    /** Has a kind of work run, as often at once as it says; to be followed by {@link #grant} once it can be found. */
    synchronized void offer(Work work) {
        lines.computeIfAbsent(work.name(), name -> newLine(work)).limit(work.concurrency());
    }

    /** Takes a slot that is free and has no line. */
    synchronized boolean tryTake(String work) {
        var line = line(work);
        if (closed || draining || free == 0 || line.free <= 0 || !line.isEmpty()) {
            return false;
        }
        free--;
        line.take();
        return true;
    }

    /** Gets in line for a slot; {@code again} for work that had started before. */
    void await(String work, boolean again, Claimant claimant) {
        synchronized (this) {
            var line = line(work);
            (again ? line.again : line.fresh).addLast(new Entry(entered++, claimant));
        }
        grant();
    }

    void release(String work) {
        synchronized (this) {
            free++;
            line(work).free++;
        }
        grant();
    }

    /** Grants slots only to work that had started before, or again to all. */
    void drain(boolean isDraining) {
        synchronized (this) {
            if (draining == isDraining) {
                return;
            }
            draining = isDraining;
        }
        grant();
    }

    /** Grants nothing any more. */
    synchronized void close() {
        closed = true;
    }

    /** Gives the slots that are free to those in line, and asks for more where there are too few. */
    void grant() {
        var granted = new ArrayList<Claimant>();
        boolean hasToAsk;
        synchronized (this) {
            takeGranted(granted);
            hasToAsk = hasToAsk();
        }
        granted.forEach(Claimant::granted);
        if (hasToAsk && ask != null) {
            ask.run();
        }
    }

    /** What is to be asked for. To have all slots of a work, a node that is alone asks once. */
    synchronized List<Allotment.Want> wants(boolean isAlone) {
        return lines.entrySet().stream()
                .filter(line -> line.getValue().isAllotted() && !line.getValue().isIdle())
                .map(line -> line.getValue().want(line.getKey(), isAlone))
                .toList();
    }

    /** The answer; to be followed by {@link #grant}. */
    synchronized void allot(Map<String, Allotment> given) {
        given.forEach((work, allotment) -> line(work).allot(allotment));
    }

    /** Nothing is allotted to this node any more. */
    synchronized void allotNothing() {
        lines.values().forEach(line -> line.allot(Allotment.NONE));
    }

    /** Whether other nodes wait for what is held and not used. */
    synchronized boolean haveToGiveBack() {
        return lines.values().stream().anyMatch(Line::hasToGiveBack);
    }

    /** Whether it is to be asked again soon: for more slots, or to give some back. */
    synchronized boolean areUnsettled() {
        return !closed && lines.values().stream().anyMatch(line -> line.lacks() || line.hasToGiveBack());
    }

    private boolean hasToAsk() {
        boolean has = false;
        for (Line line : lines.values()) {
            has |= line.hasToAsk();
        }
        return has && !closed;
    }

    private void takeGranted(List<Claimant> granted) {
        while (!closed && free > 0) {
            var line = nextLine();
            if (line == null) {
                break;
            }
            free--;
            line.take();
            granted.add(line.remove().claimant());
        }
    }

    private @Nullable Line nextLine() {
        Line best = null;
        Entry first = null;
        for (Line line : lines.values()) {
            var head = line.free <= 0 ? null : draining ? line.startedHead() : line.head();
            if (head != null && (first == null || head.number() < first.number())) {
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
