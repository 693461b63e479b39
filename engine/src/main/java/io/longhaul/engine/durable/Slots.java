// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.run.Work;
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
 */
final class Slots {

    /** A place in line. */
    interface Claimant {
        /** Whether it still wants a slot; one that does not is dropped from the line. */
        boolean wantsSlot();

        void granted();
    }

    private record Entry(long number, Claimant claimant) {}

    private static final class Line {
        private int size;
        private int free;
        private final ArrayDeque<Entry> again = new ArrayDeque<>();
        private final ArrayDeque<Entry> fresh = new ArrayDeque<>();

        Line(int free) {
            size = free;
            this.free = free;
        }

        /** May leave less than none free, until some of those that run have ended. */
        void resize(int slots) {
            free += slots - size;
            size = slots;
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
    private int free;
    private long entered;
    private boolean draining;
    private boolean closed;

    Slots(int running, Iterable<Work> works) {
        size = running;
        free = running;
        for (Work work : works) {
            lines.put(work.name(), new Line(work.concurrency()));
        }
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
        lines.computeIfAbsent(work.name(), name -> new Line(work.concurrency())).resize(work.concurrency());
    }

    /** Takes a slot that is free and has no line. */
    synchronized boolean tryTake(String work) {
        var line = line(work);
        if (closed || draining || free == 0 || line.free <= 0 || !line.isEmpty()) {
            return false;
        }
        free--;
        line.free--;
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

    /** Gives the slots that are free to those in line. */
    void grant() {
        for (Claimant next : takeGranted()) {
            next.granted();
        }
    }

    private synchronized List<Claimant> takeGranted() {
        var granted = new ArrayList<Claimant>();
        while (!closed && free > 0) {
            var line = nextLine();
            if (line == null) {
                break;
            }
            free--;
            line.free--;
            granted.add(line.remove().claimant());
        }
        return granted;
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
