// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
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
 * picks, the next ones in turn, or random ones by a seed, so that a failing run can be repeated. The test can also make
 * the next reads fail, or every write, or every call; let calls take time; and hold commits until it releases them.
 * Everything else goes to the real store. Thread-safe.
 */
public final class FaultyTaskStore extends ForwardingStore {

    /** What can go wrong with a commit. */
    public enum Fault {
        /** No fault; lets a commit pass within a sequence of {@link #next}. */
        NONE,
        /** {@link StoreException}, and nothing is written. */
        FAIL_BEFORE,
        /** {@link StoreException}, although the change is written: the caller cannot know. */
        FAIL_AFTER,
        /** Nothing is written, as if another commit had come first. Does not apply to creations and removals. */
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
    private int doubtfulClaims;
    private int doubtfulJoins;
    private volatile @Nullable Supplier<StoreException> refusal;
    private volatile boolean broken;
    private volatile @Nullable Delay delay;
    private final Set<CompletableFuture<Void>> delayed = ConcurrentHashMap.newKeySet();

    /** How much time each call takes. */
    private record Delay(TaskTime time, Duration duration) {}

    /** A store whose faults come from {@link #next} and {@link #chance} alone. */
    public FaultyTaskStore(TaskStore real, long seed) {
        this(real, new Random(seed), change -> Fault.NONE);
    }

    /** A store where {@code picked}, called on many threads, chooses the fault of each commit. */
    public FaultyTaskStore(TaskStore real, Function<Change, Fault> picked) {
        this(real, new Random(0), picked);
    }

    private FaultyTaskStore(TaskStore real, Random random, Function<Change, Fault> picked) {
        super(real);
        this.real = real;
        this.random = random;
        this.picked = picked;
    }

    /** Sets the faults of the next commits, one each; they come before those of {@link #chance}. */
    public synchronized void next(Fault... faults) {
        next.addAll(List.of(faults));
    }

    /** Sets the probability, from 0 to 1, that a commit meets {@code fault} from now on. */
    public synchronized void chance(Fault fault, double probability) {
        chances.put(fault, probability);
    }

    /** Makes commits wait until {@link #release()} from now on. */
    public synchronized void hold() {
        if (gate.isDone()) {
            gate = new CompletableFuture<>();
        }
    }

    /** Lets the waiting commits and all later ones pass. */
    public synchronized void release() {
        gate.complete(null);
    }

    /** Blocks until {@code count} commits wait. */
    public synchronized void awaitHeld(int count) throws InterruptedException {
        while (held < count) {
            wait();
        }
    }

    /** Makes every write fail with {@link StoreFullException} from now on; reads still work. */
    public void fill() {
        refusal = () -> new StoreFullException("injected: the disk is full");
    }

    /** Makes every write fail with {@link StoreException} from now on, as with a broken disk; reads still work. */
    public void refuseWrites() {
        refusal = () -> new StoreException("injected: nothing was written");
    }

    /** Ends {@link #fill} and {@link #refuseWrites}: writes work again. */
    public void free() {
        refusal = null;
    }

    /**
     * Makes every call, reads too, fail with {@link StoreException} from now on, without writing anything; calls that
     * wait already fail too.
     */
    public void breakDown() {
        broken = true;
        release();
        endDelays();
    }

    /** The number of calls that wait for {@link #release()} or the time of {@link #slow}. */
    public synchronized int waiting() {
        return (gate.isDone() ? 0 : held) + delayed.size();
    }

    /** Ends {@link #breakDown}: calls work again. */
    public void repair() {
        broken = false;
    }

    /** Makes the next {@code looks} calls that only read fail with {@link StoreException}. */
    public synchronized void nextLooksFail(int looks) {
        blindLooks = looks;
    }

    /** Makes the next {@code claims} that take tasks fail with {@link StoreException}, although they are written. */
    public synchronized void nextClaimsFailAfter(int claims) {
        doubtfulClaims = claims;
    }

    /** Makes the next {@code joins} fail with {@link StoreException}, although they are written. */
    public synchronized void nextJoinsFailAfter(int joins) {
        doubtfulJoins = joins;
    }

    /**
     * Delays each call, except those of {@link #rows}, by {@code duration} of {@code time} from now on. Zero ends the
     * delays, also of calls that wait already. Calls of rows are not delayed: a server stores the session of a client
     * in a row while the client connects, often on the thread that would let the time pass.
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

    /**
     * Sets the alarm before the call joins {@link #delayed}: every call in there continues once its time has passed.
     */
    private void delay() {
        var wanted = delay;
        if (wanted == null) {
            return;
        }
        var passed = new CompletableFuture<Void>();
        var alarm = wanted.time.at(wanted.time.now().plus(wanted.duration), () -> passed.complete(null));
        delayed.add(passed);
        try {
            // An endDelays() before the call was added has not ended its delay.
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
            throw new StoreException("injected by a test: the server has crashed, and writes nothing more");
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
        var lease = real.join(node, now);
        afterJoin();
        return lease;
    }

    @Override
    protected synchronized void afterJoin() {
        if (doubtfulJoins > 0) {
            doubtfulJoins--;
            throw new StoreException("injected: whether the node has joined is not known");
        }
    }

    /** Also meets {@link Fault#FAIL_AFTER} of {@link #chance}. */
    @Override
    protected synchronized void afterClaim(List<Task> claimed) {
        if (doubtfulClaims > 0 || random.nextDouble() < chances.getOrDefault(Fault.FAIL_AFTER, 0.0)) {
            doubtfulClaims = Math.max(0, doubtfulClaims - 1);
            throw new StoreException("injected: what was claimed is not known");
        }
    }

    /** Meets the faults of {@link #next} and {@link #chance}, as a commit does, except {@link Fault#STALE}. */
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
