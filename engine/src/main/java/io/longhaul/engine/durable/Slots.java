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
 * The slots for running work: in all, and of each kind of work. A task without a free slot waits in line, without a
 * thread. Work that had started before goes first, because callers wait for it already; each line is served in order of
 * arrival. Grants run on the thread that frees a slot, outside of the lock, and must not block.
 *
 * <p>Where several nodes share the store, a kind of work with a limit has the slots that were allotted to this node:
 * none at first.
 */
final class Slots {

    /** A place in line. */
    interface Claimant {
        /** Whether the claimant still wants a slot; a claimant that does not is dropped from the line. */
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
        /** The most slots that were taken at once since the node asked last, and the number that it wanted then. */
        private int peak;

        private int asked;
        /** Whether the line has caused a request for more slots, and still lacks slots. */
        private boolean isShort;
        /** Whether the line has caused a request to give slots back, without an answer since. */
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

        /** May make the number of free slots negative, until enough runs have ended. */
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

        /** Whether a lack of slots, or slots to give back, is new since the last call. */
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

        /** The first in line of the work that had started before. */
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

    /** Slots that this node shares with no other node. */
    Slots(int running, Iterable<Work> works) {
        this(running, works, null);
    }

    /**
     * @param ask called, outside of the lock, to ask for {@link #wants}; null where this node shares its slots with no
     *            other node
     */
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

    /** The number of slots in all. */
    int size() {
        return size;
    }

    /** The number of free slots beyond those that tasks in line want. */
    synchronized int room() {
        int waiting = lines.values().stream().mapToInt(Line::waiting).sum();
        return Math.max(0, free - waiting);
    }

    /** The number of slots that are taken. */
    synchronized int taken() {
        return size - free;
    }

    /** The length of the line of each kind of work. */
    synchronized Map<String, Integer> queues() {
        var queues = new HashMap<String, Integer>();
        lines.forEach((work, line) -> queues.put(work, line.waiting()));
        return queues;
    }

    /** Sets the limit of a kind of work. Call {@link #grant} afterwards, once the engine can find the work. */
    synchronized void offer(Work work) {
        lines.computeIfAbsent(work.name(), name -> newLine(work)).limit(work.concurrency());
    }

    /** Takes a slot where one is free and no task is in line. */
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

    /** With {@code isDraining}, grants slots only to work that had started before; else to all. */
    void drain(boolean isDraining) {
        synchronized (this) {
            if (draining == isDraining) {
                return;
            }
            draining = isDraining;
        }
        grant();
    }

    /** Stops granting slots. */
    synchronized void close() {
        closed = true;
    }

    /** Gives free slots to the tasks in line, and asks for more slots where there are too few. */
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

    /** The slots to ask the store for. A node that is alone asks once for all slots of a work. */
    synchronized List<Allotment.Want> wants(boolean isAlone) {
        return lines.entrySet().stream()
                .filter(line -> line.getValue().isAllotted() && !line.getValue().isIdle())
                .map(line -> line.getValue().want(line.getKey(), isAlone))
                .toList();
    }

    /** Applies the answer of the store. Call {@link #grant} afterwards. */
    synchronized void allot(Map<String, Allotment> given) {
        given.forEach((work, allotment) -> line(work).allot(allotment));
    }

    /** Drops all allotments of this node. */
    synchronized void allotNothing() {
        lines.values().forEach(line -> line.allot(Allotment.NONE));
    }

    /** Whether this node holds unused slots that other nodes wait for. */
    synchronized boolean haveToGiveBack() {
        return lines.values().stream().anyMatch(Line::hasToGiveBack);
    }

    /** Whether the store must be asked again soon: for more slots, or to give slots back. */
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
