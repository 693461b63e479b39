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
 * The time of a test: of the server, of its store and its clients, and of tools that are given this {@link Clock}. It
 * stands still until the test moves it. Thread-safe; only one thread moves it at once.
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
     * Lets time pass. All that the server, its store and its clients do at a time up to then has been begun when this
     * returns, in the order of the times, each at its own time.
     */
    public void advance(Duration duration) {
        time.advance(duration);
    }

    /**
     * Sets the clock forward, or back by a negative duration, while no time passes, as a time server or an operator
     * does.
     */
    public void jump(Duration by) {
        time.jump(by);
    }

    /** What a tool calls in place of {@link Thread#sleep(Duration)}: blocks until the test has let that time pass. */
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
     * Waits until a tool {@linkplain #sleep sleeps} for exactly that long from now, or the server waits for that long,
     * and lets that time pass: for what a tool comes to only after other work. A tool whose sleep is as long as a wait
     * of the server, such as the hour that a session may idle, is not told from the server: choose another duration.
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

    /** The same clock, which the test moves as this one. */
    @Override
    public Clock withZone(ZoneId other) {
        return new TestClock(time, other);
    }
}
