// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.fakes.FakeTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;

/**
 * The clock of a test: of the server, its store and its clients, and of tools that use this {@link Clock}. The clock
 * stands still until the test moves it. Thread-safe; only one thread may move the clock at a time.
 */
public final class TestClock extends Clock {

    private final FakeTime time;
    private final ZoneId zone;

    TestClock() {
        this(new FakeTime(), ZoneOffset.UTC);
    }

    private TestClock(FakeTime time, ZoneId zone) {
        this.time = time;
        this.zone = zone;
    }

    FakeTime time() {
        return time;
    }

    /**
     * Lets time pass. When this method returns, all actions of the server, its store and its clients that are due until
     * then have begun, in the order of their times, each at its own time.
     */
    public void advance(Duration duration) {
        time.advance(duration);
    }

    /**
     * Sets the clock forward, or back by a negative duration, without letting time pass, as a time server or an
     * operator does.
     */
    public void jump(Duration by) {
        time.jump(by);
    }

    /**
     * Blocks until the test has let that time pass; a tool calls this method instead of {@link Thread#sleep(Duration)}.
     */
    public void sleep(Duration duration) throws InterruptedException {
        var over = new CountDownLatch(1);
        var alarm = time.at(time.now().plus(duration), over::countDown);
        try {
            over.await();
        } finally {
            alarm.cancel();
        }
    }

    /**
     * Waits until a tool {@linkplain #sleep sleeps}, or the server waits, for exactly that long from now, and lets that
     * time pass: for a sleep that a tool reaches only after other work. A sleep of a tool that is as long as a wait of
     * the server, such as the hour that a session may idle, cannot be distinguished from it: choose another duration.
     */
    public void advanceWhenAwaited(Duration duration) {
        try {
            time.advanceToAlarmIn(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted", e);
        }
    }

    @Override
    public Instant instant() {
        return time.now();
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /** This clock in another zone; the test moves both together. */
    @Override
    public Clock withZone(ZoneId other) {
        return new TestClock(time, other);
    }
}
