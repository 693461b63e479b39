package io.longhaul.receiver;

import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who tells the client of one session which events of its tasks: a follower on the side streams, or requests that wait
 * for the outcome and have streams of their own. Each event is told by one of them, also where one goes on after the
 * other. Thread-safe.
 */
final class Tellers {

    private static final int MOST_TOLD = 1_000;
    private static final int MOST_ENDED = 100;
    private static final CountDownLatch NOBODY = new CountDownLatch(0);

    /**
     * How much of a task the side streams need not tell any more.
     *
     * @param seq   its last event
     * @param state the state that was told, or null where only the record of an earlier process knows
     */
    record Told(long seq, @Nullable TaskState state) {}

    /** Whose an event is. */
    enum Share {
        /** The follower's that asks. */
        MINE,
        /** A request's, or it was told before. */
        OTHERS,
        /** That of a follower which goes on in place of the one that asks. */
        SUCCESSORS
    }

    /** What a request tells while it waits: all that comes after an event. */
    final class Turn {

        private final TaskId task;
        private final long after;
        private long last = Long.MAX_VALUE;

        private Turn(TaskId task, long after) {
            this.task = task;
            this.after = after;
        }

        /** The event that it begins behind. */
        long after() {
            return after;
        }

        /** @param told the last event that it has told; what came later is left to the side streams */
        void over(long told) {
            lock.lock();
            try {
                last = told;
                end(this);
            } finally {
                lock.unlock();
            }
        }

        private boolean covers(long seq) {
            return after < seq && seq <= last;
        }
    }

    private static final class Follower {
        private final Thread thread;
        private final Runnable work;
        private final boolean goesOn;
        private final CountDownLatch gone;
        private boolean idle;
        private boolean leaving;
        private long begun;
        private long passed;

        private Follower(Thread thread, CountDownLatch gone, Runnable work, boolean goesOn) {
            this.thread = thread;
            this.gone = gone;
            this.work = work;
            this.goesOn = goesOn;
        }

        /** It is interrupted only where it waits, and not in the middle of a message. */
        private void leave() {
            leaving = true;
            if (idle) {
                thread.interrupt();
            }
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<TaskId, Told> told = new LinkedHashMap<>();
    private final Map<TaskId, Follower> followers = new HashMap<>();
    private final Map<TaskId, List<Turn>> turns = new HashMap<>();

    /** Turns that are over, until all before them was told as well; of too many, the oldest are told once more. */
    private final Map<TaskId, List<Turn>> ended = new HashMap<>();

    /** Runs the follower of a task on a thread of its own, unless there is one. */
    void follow(TaskId task, Runnable work) {
        lock.lock();
        try {
            Follower before = followers.get(task);
            if (before == null || before.leaving) {
                start(task, before, work, false);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The one before may have a message half-way out, which goes first. */
    private void start(TaskId task, @Nullable Follower before, Runnable work, boolean goesOn) {
        var gone = new CountDownLatch(1);
        var after = before == null ? NOBODY : before.gone;
        var thread = Thread.ofVirtual().name("follow-" + task).unstarted(() -> {
            try {
                after.await();
                if (isMine(task)) {
                    work.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                left(task);
                gone.countDown();
            }
        });
        var follower = new Follower(thread, gone, work, goesOn);
        if (before != null) {
            follower.begun = before.begun;
        }
        followers.put(task, follower);
        thread.start();
    }

    private void left(TaskId task) {
        lock.lock();
        try {
            followers.computeIfPresent(task, (id, now) -> now.thread.equals(Thread.currentThread()) ? null : now);
            if (!told.containsKey(task)) {
                ended.remove(task);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the follower that asks is not to leave. */
    boolean isMine(TaskId task) {
        lock.lock();
        try {
            return mine(task) != null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Follower mine(TaskId task) {
        Follower now = followers.get(task);
        return now != null && !now.leaving && now.thread.equals(Thread.currentThread()) ? now : null;
    }

    /**
     * A follower waits until something happens.
     *
     * @throws InterruptedException when it is to leave, also before
     */
    <T> T idle(TaskId task, Wait<T> wait) throws InterruptedException {
        Follower me = idle(task);
        try {
            return wait.run();
        } finally {
            busy(me);
        }
    }

    private Follower idle(TaskId task) throws InterruptedException {
        lock.lock();
        try {
            Follower me = mine(task);
            if (me == null) {
                throw new InterruptedException("the follower has to leave");
            }
            me.idle = true;
            return me;
        } finally {
            lock.unlock();
        }
    }

    private void busy(Follower me) {
        lock.lock();
        try {
            me.idle = false;
            if (me.leaving) {
                // It was interrupted to end its wait, and nothing else.
                Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The followers of these tasks tell nothing more than what they have begun to. */
    void leave(Predicate<TaskId> tasks) {
        lock.lock();
        try {
            followers.forEach((task, follower) -> {
                if (tasks.test(task)) {
                    follower.leave();
                }
            });
        } finally {
            lock.unlock();
        }
    }

    /** How much of the task was told, or null where none knows. */
    @Nullable
    Told told(TaskId task) {
        lock.lock();
        try {
            return told.get(task);
        } finally {
            lock.unlock();
        }
    }

    void forgetTold() {
        lock.lock();
        try {
            told.clear();
            ended.clear();
            followers.values().forEach(follower -> follower.passed = 0);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A follower begins.
     *
     * @param from where it would, where nobody knows of more
     */
    Told begin(TaskId task, Told from) {
        lock.lock();
        try {
            Told known = told.get(task);
            Follower me = followers.get(task);
            boolean goesOn = known != null && (known.seq() > from.seq() || me != null && me.goesOn);
            Told begun = goesOn ? new Told(known.seq(), known.state() == null ? from.state() : known.state()) : from;
            put(task, begun);
            return begun;
        } finally {
            lock.unlock();
        }
    }

    /** A follower comes to an event, and tells it where it is its own. */
    Share share(TaskId task, long seq) {
        lock.lock();
        try {
            Follower me = mine(task);
            if (me == null) {
                return Share.SUCCESSORS;
            }
            if (seq <= seq(task)) {
                return Share.OTHERS;
            }
            if (isCovered(task, seq)) {
                me.passed = seq;
                return Share.OTHERS;
            }
            me.begun = seq;
            return Share.MINE;
        } finally {
            lock.unlock();
        }
    }

    /** A follower has told an event of its own, also where it has to leave since. */
    void tell(TaskId task, Told upTo) {
        lock.lock();
        try {
            put(task, upTo);
        } finally {
            lock.unlock();
        }
    }

    /** A follower has come to here, and told what of that is its own. */
    void pass(TaskId task, Told upTo) {
        lock.lock();
        try {
            Follower me = mine(task);
            boolean all = me != null && me.passed <= seq(task) && !isCovered(task, upTo.seq());
            if (all || told.containsKey(task)) {
                put(task, all ? upTo : new Told(seq(task), upTo.state()));
            }
        } finally {
            lock.unlock();
        }
    }

    /** A request begins to wait, and tells all that comes after an event, whoever has told it before. */
    Turn repeat(TaskId task, long after) {
        lock.lock();
        try {
            return add(new Turn(task, after));
        } finally {
            lock.unlock();
        }
    }

    /** A request begins to wait, and tells all that comes after an event and that no follower has begun to tell. */
    Turn goOn(TaskId task, long after) {
        lock.lock();
        try {
            Follower follower = followers.get(task);
            long begun = Math.max(seq(task), follower == null ? 0 : follower.begun);
            return add(new Turn(task, Math.max(after, begun)));
        } finally {
            lock.unlock();
        }
    }

    /** Whether a request waits for the outcome of the task. */
    boolean isAwaited(TaskId task) {
        lock.lock();
        try {
            return turns.containsKey(task);
        } finally {
            lock.unlock();
        }
    }

    private Turn add(Turn turn) {
        turns.computeIfAbsent(turn.task, id -> new ArrayList<>()).add(turn);
        return turn;
    }

    /** Where a follower has passed what the request did not tell after all, it begins again from there. */
    private void end(Turn turn) {
        turns.computeIfPresent(turn.task, (id, all) -> {
            all.remove(turn);
            return all.isEmpty() ? null : all;
        });
        Told known = told.get(turn.task);
        Follower follower = followers.get(turn.task);
        if (turn.after < turn.last && (known != null || follower != null || turn.after == 0)) {
            List<Turn> over = ended.computeIfAbsent(turn.task, id -> new ArrayList<>());
            over.add(turn);
            if (over.size() > MOST_ENDED) {
                over.removeFirst();
            }
        }
        if (known != null || turn.after == 0) {
            put(turn.task, known == null ? new Told(0, null) : known);
        }
        if (follower != null && follower.passed > turn.last && !follower.leaving) {
            follower.leave();
            start(turn.task, follower, follower.work, true);
        }
    }

    private boolean isCovered(TaskId task, long seq) {
        return Stream.of(turns, ended)
                .flatMap(all -> all.getOrDefault(task, List.of()).stream())
                .anyMatch(turn -> turn.covers(seq));
    }

    private long seq(TaskId task) {
        Told known = told.get(task);
        return known == null ? 0 : known.seq();
    }

    /** What requests have told that are over counts as soon as all before it was told. */
    private void put(TaskId task, Told upTo) {
        long seq = Math.max(seq(task), upTo.seq());
        List<Turn> over = ended.getOrDefault(task, List.of());
        for (Turn next = nextOf(over, seq); next != null; next = nextOf(over, seq)) {
            seq = Math.max(seq, next.last);
            over.remove(next);
        }
        if (over.isEmpty()) {
            ended.remove(task);
        }
        told.remove(task);
        told.put(task, new Told(seq, upTo.state()));
        if (told.size() > MOST_TOLD) {
            TaskId oldest = told.keySet().iterator().next();
            told.remove(oldest);
            ended.remove(oldest);
        }
    }

    private static @Nullable Turn nextOf(List<Turn> over, long seq) {
        return over.stream().filter(turn -> turn.after <= seq).findFirst().orElse(null);
    }

    /** Something that blocks. */
    interface Wait<T> {
        T run() throws InterruptedException;
    }
}
