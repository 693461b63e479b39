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
 * {@link #now()}. {@link #jump} sets the clock, as an operator or a time server does. Thread-safe; one thread at a time
 * moves the time.
 */
public final class FakeTime implements TaskTime {

    /** The time at which every new {@code FakeTime} starts. */
    public static final Instant START = Instant.ofEpochSecond(1_800_000_000);

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final Object moving = new Object();
    private final TreeSet<Pending> pending =
            new TreeSet<>(Comparator.comparing(Pending::when).thenComparingLong(Pending::order));
    private final @Nullable Executor executor;
    /** The time on the clock had {@link #jump} never set it; the times of alarms refer to it. */
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

    /** An alarm that is due already runs at once, on its own thread or on the given executor. */
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

    /**
     * Moves on by {@code duration}, running every alarm that becomes due, including those that alarms set on the way.
     */
    public void advance(Duration duration) {
        set(now().plus(duration));
    }

    /**
     * Sets the clock forward, or back by a negative duration, while no time passes: as with the real clock, each alarm
     * still runs after the time that was left until it.
     */
    public void jump(Duration by) {
        synchronized (pending) {
            jumped = jumped.plus(by);
        }
    }

    /** Moves to {@code target}, running every alarm that becomes due; a time in the past only sets the clock back. */
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

    /** Moves to the next alarm and runs it with all others set for the same time. Does nothing without an alarm. */
    public void advanceToNextAlarm() {
        nextAlarm().ifPresent(this::set);
    }

    /** Waits like {@link #awaitAlarmIn}, then moves on to that alarm. */
    public void advanceToAlarmIn(Duration duration) throws InterruptedException {
        awaitAlarmIn(duration);
        advance(duration);
    }

    /** When the next alarm is due; empty if there is none. */
    public Optional<Instant> nextAlarm() {
        synchronized (pending) {
            return pending.isEmpty()
                    ? Optional.empty()
                    : Optional.of(pending.first().when.plus(jumped));
        }
    }

    /** The number of pending alarms. */
    public int alarms() {
        synchronized (pending) {
            return pending.size();
        }
    }

    /** Blocks until at least {@code count} alarms are pending, for example until other threads have set them. */
    public void awaitAlarms(int count) throws InterruptedException {
        await(count + " alarms", () -> pending.size() >= count);
    }

    /** Blocks until some pending alarm is due within {@code duration} from now. */
    public void awaitAlarmWithin(Duration duration) throws InterruptedException {
        awaitAlarmsWithin(duration, 1);
    }

    /** Blocks until at least {@code count} pending alarms are due within {@code duration} from now. */
    public void awaitAlarmsWithin(Duration duration, int count) throws InterruptedException {
        await(
                count + " alarms within " + duration,
                () -> pending.stream()
                                .takeWhile(alarm -> !alarm.when.isAfter(passed.plus(duration)))
                                .count()
                        >= count);
    }

    /** Blocks until some pending alarm is due exactly {@code duration} from now. */
    public void awaitAlarmIn(Duration duration) throws InterruptedException {
        await(
                "an alarm in " + duration,
                () -> pending.stream().anyMatch(alarm -> alarm.when.equals(passed.plus(duration))));
    }

    /** @throws AssertionError if the condition does not become true in time */
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

    /** A pending alarm; {@code order} tells in which order alarms of the same time were set. */
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
