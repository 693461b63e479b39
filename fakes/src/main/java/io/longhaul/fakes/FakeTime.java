// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.engine.TaskTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Time that moves only when a test says so. Alarms run in the order of their times, and each sees its own time as
 * {@link #now()}. {@link #jump} sets the clock anew, as an operator or a time server does. Thread-safe; only one thread
 * moves the time at once.
 */
public final class FakeTime implements TaskTime {

    /** Where every new {@code FakeTime} starts. */
    public static final Instant START = Instant.ofEpochSecond(1_800_000_000);

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final Object moving = new Object();
    private final TreeSet<Pending> pending =
            new TreeSet<>(Comparator.comparing(Pending::when).thenComparingLong(Pending::order));
    private final @Nullable Executor executor;
    /** What the clock would show had it never been set anew; alarms are kept by it. */
    private volatile Instant passed = START;

    private volatile Duration jumped = Duration.ZERO;
    private long scheduled;

    /** Runs alarms on the thread that moves the time, before {@link #advance} returns. */
    public FakeTime() {
        executor = null;
    }

    /** Hands alarms to {@code executor}, which may run them after {@link #advance} has returned. */
    public FakeTime(Executor executor) {
        this.executor = executor;
    }

    @Override
    public Instant now() {
        return passed.plus(jumped);
    }

    /** An alarm that is due already runs at once, on a thread of its own or the given executor's. */
    @Override
    public Alarm at(Instant when, Runnable action) {
        Pending alarm;
        synchronized (pending) {
            alarm = new Pending(when.minus(jumped), scheduled++, action, new AtomicBoolean());
            if (alarm.when.isAfter(passed)) {
                pending.add(alarm);
                pending.notifyAll();
                return () -> cancel(alarm);
            }
        }
        if (executor != null) {
            executor.execute(alarm::run);
        } else {
            Thread.ofVirtual().start(alarm::run);
        }
        return () -> cancel(alarm);
    }

    /** Moves on by {@code duration}, running every alarm that becomes due, those too that alarms set on the way. */
    public void advance(Duration duration) {
        set(now().plus(duration));
    }

    /**
     * The clock is set forward, or back by a negative duration, while no time passes: as with the real clock, each
     * alarm comes when the time that was left until it has passed.
     */
    public void jump(Duration by) {
        synchronized (pending) {
            jumped = jumped.plus(by);
        }
    }

    /** Moves to {@code target}, running every alarm that becomes due; a time in the past only turns the clock back. */
    public void set(Instant target) {
        synchronized (moving) {
            var until = target.minus(jumped);
            for (var due = nextDue(until); due != null; due = nextDue(until)) {
                if (executor != null) {
                    executor.execute(due::run);
                } else {
                    due.run();
                }
            }
        }
    }

    /**
     * Moves to the next alarm and runs it and all that are set for the same time. Nothing happens where there is
     * none.
     */
    public void advanceToNextAlarm() {
        nextAlarm().ifPresent(this::set);
    }

    /** Waits as {@link #awaitAlarmIn} does, and moves on to that alarm. */
    public void advanceToAlarmIn(Duration duration) throws InterruptedException {
        awaitAlarmIn(duration);
        advance(duration);
    }

    /** When the next alarm is due, or empty where there is none. */
    public Optional<Instant> nextAlarm() {
        synchronized (pending) {
            return pending.isEmpty()
                    ? Optional.empty()
                    : Optional.of(pending.first().when.plus(jumped));
        }
    }

    /** How many alarms wait. */
    public int alarms() {
        synchronized (pending) {
            return pending.size();
        }
    }

    /** Blocks until at least {@code count} alarms wait: what runs on other threads has got that far. */
    public void awaitAlarms(int count) throws InterruptedException {
        await(count + " alarms", () -> pending.size() >= count);
    }

    /** Blocks until an alarm waits that is due within {@code duration} from now, whatever else does. */
    public void awaitAlarmWithin(Duration duration) throws InterruptedException {
        await(
                "an alarm within " + duration,
                () -> !pending.isEmpty() && !pending.first().when.isAfter(passed.plus(duration)));
    }

    /** Blocks until an alarm waits that is due exactly {@code duration} from now, whatever else does. */
    public void awaitAlarmIn(Duration duration) throws InterruptedException {
        await(
                "an alarm in " + duration,
                () -> pending.stream().anyMatch(alarm -> alarm.when.equals(passed.plus(duration))));
    }

    /** @throws AssertionError where that does not come about */
    private void await(String what, BooleanSupplier isThere) throws InterruptedException {
        long until = System.nanoTime() + LONGEST_WAIT.toNanos();
        synchronized (pending) {
            while (!isThere.getAsBoolean()) {
                long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
                if (left <= 0) {
                    var due = pending.stream()
                            .map(alarm -> Duration.between(passed, alarm.when))
                            .toList();
                    throw new AssertionError(
                            what + " did not come within " + LONGEST_WAIT + "; there are alarms in " + due);
                }
                pending.wait(left);
            }
        }
    }

    private @Nullable Pending nextDue(Instant target) {
        synchronized (pending) {
            if (pending.isEmpty() || pending.first().when.isAfter(target)) {
                passed = target;
                return null;
            }
            var due = pending.pollFirst();
            passed = due.when.isAfter(passed) ? due.when : passed;
            return due;
        }
    }

    /** An alarm that was set; {@code order} is that in which alarms of the same time were set. */
    private record Pending(Instant when, long order, Runnable action, AtomicBoolean done) {
        void run() {
            if (done.compareAndSet(false, true)) {
                action.run();
            }
        }
    }

    private void cancel(Pending alarm) {
        alarm.done.set(true);
        synchronized (pending) {
            pending.remove(alarm);
        }
    }
}
