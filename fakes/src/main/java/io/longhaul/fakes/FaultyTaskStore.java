// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.PassingStore;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that fails as a test says. Commits and removals fail before or after they are written: those that the test
 * picks, the next ones one after another, or by chance with a seed, so that a failing run can be repeated. The next
 * looks fail; every call fails until told otherwise; there is no room; calls are slow, or wait until they are released.
 * Everything else goes to the real store. Thread-safe.
 */
public final class FaultyTaskStore extends PassingStore {

    /** What can go wrong with a commit. */
    public enum Fault {
        /** Nothing goes wrong; keeps a place in a row of {@link #next}. */
        NONE,
        /** {@link StoreException}, and nothing is written. */
        FAIL_BEFORE,
        /** {@link StoreException}, and yet it is written: the caller cannot know. */
        FAIL_AFTER,
        /** Nothing is written, as if another commit had come first. A creation is not met by it. */
        STALE
    }

    private final TaskStore real;
    private final Function<Change, Fault> picked;
    private final Random random;
    private final Deque<Fault> next = new ArrayDeque<>();
    private final Map<Fault, Double> chances = new EnumMap<>(Fault.class);
    private CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);
    private int held;
    private int blindLooks;
    private volatile @Nullable Supplier<StoreException> refusal;
    private volatile boolean broken;
    private volatile @Nullable Delay delay;
    private final Set<CompletableFuture<Void>> delayed = ConcurrentHashMap.newKeySet();

    /** What each call takes of a time. */
    private record Delay(TaskTime time, Duration duration) {}

    /** Faults come by {@link #next} and {@link #chance} alone. */
    public FaultyTaskStore(TaskStore real, long seed) {
        this(real, new Random(seed), change -> Fault.NONE);
    }

    /** {@code picked} says what each commit meets, and is asked on many threads; nothing is left to chance. */
    public FaultyTaskStore(TaskStore real, Function<Change, Fault> picked) {
        this(real, new Random(0), picked);
    }

    private FaultyTaskStore(TaskStore real, Random random, Function<Change, Fault> picked) {
        super(real);
        this.real = real;
        this.random = random;
        this.picked = picked;
    }

    /** What the next commits meet, one each, before chance is asked again. */
    public synchronized void next(Fault... faults) {
        next.addAll(List.of(faults));
    }

    /** From now on a commit meets {@code fault} with this probability, from 0 to 1. */
    public synchronized void chance(Fault fault, double probability) {
        chances.put(fault, probability);
    }

    /** From now on commits wait until {@link #release()}. */
    public synchronized void hold() {
        if (gate.isDone()) {
            gate = new CompletableFuture<>();
        }
    }

    /** Lets the waiting commits go on, and later ones pass. */
    public synchronized void release() {
        gate.complete(null);
    }

    /** Blocks until {@code count} commits wait. */
    public synchronized void awaitHeld(int count) throws InterruptedException {
        while (held < count) {
            wait();
        }
    }

    /** From now on there is no room: every write fails with {@link StoreFullException}, and reads go on. */
    public void fill() {
        refusal = () -> new StoreFullException("injected: the disk is full");
    }

    /** From now on every write fails with {@link StoreException}, as where the disk syncs nothing, and reads go on. */
    public void refuseWrites() {
        refusal = () -> new StoreException("injected: nothing was written");
    }

    /** There is room again, and writes go through. */
    public void free() {
        refusal = null;
    }

    /**
     * From now on every call fails with {@link StoreException}, a look too, and nothing is written; calls fail so that
     * wait already.
     */
    public void breakDown() {
        broken = true;
        release();
        endDelays();
    }

    /** How many calls wait to be released, or for their time to pass. */
    public synchronized int waiting() {
        return (gate.isDone() ? 0 : held) + delayed.size();
    }

    /** Calls go through again. */
    public void repair() {
        broken = false;
    }

    /** The next {@code looks} calls that only read fail with {@link StoreException}. */
    public synchronized void nextLooksFail(int looks) {
        blindLooks = looks;
    }

    /**
     * From now on each call but those of {@link #rows} takes {@code duration} of {@code time} before it goes through;
     * zero for no longer, and then calls go on too that wait already. Rows take no time: a server keeps the session of
     * a client in one while the client connects, often on the thread that would let the time pass.
     */
    public void slow(TaskTime time, Duration duration) {
        if (duration.isZero()) {
            delay = null;
            endDelays();
        } else {
            delay = new Delay(time, duration);
        }
    }

    private void endDelays() {
        delayed.forEach(wait -> wait.complete(null));
    }

    /** A call that is among the delayed goes on whenever its time has passed: its alarm is set before. */
    private void delay() {
        var wanted = delay;
        if (wanted == null) {
            return;
        }
        var passed = new CompletableFuture<Void>();
        var alarm = wanted.time.at(wanted.time.now().plus(wanted.duration), () -> passed.complete(null));
        delayed.add(passed);
        try {
            // Delays that ended before this one was among them have not ended it.
            if (delay != null && !broken) {
                passed.join();
            }
        } finally {
            delayed.remove(passed);
            alarm.cancel();
        }
    }

    @Override
    protected void beforeRead() {
        delay();
        meetFaultsOfReading();
    }

    private void meetFaultsOfReading() {
        requireWhole();
        synchronized (this) {
            if (blindLooks > 0) {
                blindLooks--;
                throw new StoreException("injected: nothing could be read");
            }
        }
    }

    @Override
    protected void beforeWrite() {
        delay();
        meetFaultsOfWriting();
    }

    private void meetFaultsOfWriting() {
        requireWhole();
        var refused = refusal;
        if (refused != null) {
            throw refused.get();
        }
    }

    private void requireWhole() {
        if (broken) {
            throw new StoreException("injected: the store is broken");
        }
    }

    @Override
    public CommitResult commit(Change change) {
        pass();
        beforeWrite();
        var wanted = picked.apply(change);
        return switch (wanted == Fault.NONE ? draw() : wanted) {
            case NONE -> real.commit(change);
            case FAIL_BEFORE -> throw new StoreException("injected: nothing was written");
            case FAIL_AFTER -> {
                real.commit(change);
                throw new StoreException("injected: whether it was written is not known");
            }
            case STALE -> change.before() == null ? real.commit(change) : new CommitResult.Stale();
        };
    }

    private void pass() {
        CompletableFuture<Void> closed;
        synchronized (this) {
            closed = gate;
            held++;
            notifyAll();
        }
        closed.join();
        synchronized (this) {
            held--;
        }
    }

    private synchronized Fault draw() {
        var wanted = next.pollFirst();
        if (wanted != null) {
            return wanted;
        }
        var drawn = random.nextDouble();
        for (var chance : chances.entrySet()) {
            drawn -= chance.getValue();
            if (drawn < 0) {
                return chance.getKey();
            }
        }
        return Fault.NONE;
    }

    @Override
    public Lease join(String node, Instant now) {
        delay();
        requireWhole();
        return real.join(node, now);
    }

    /** Meets what {@link #next} and {@link #chance} say, as a commit does; only it is never stale. */
    @Override
    public boolean remove(TaskId id) {
        beforeWrite();
        return switch (draw()) {
            case NONE, STALE -> real.remove(id);
            case FAIL_BEFORE -> throw new StoreException("injected: nothing was removed");
            case FAIL_AFTER -> {
                real.remove(id);
                throw new StoreException("injected: whether it was removed is not known");
            }
        };
    }

    @Override
    public RowStore rows() {
        return new FaultyRowStore(real.rows(), this::meetFaultsOfReading, this::meetFaultsOfWriting);
    }
}
