// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Time that stands still until a test, or a pause, moves it. */
public final class HandTime implements RequestorTime {

    private final double chance;
    private final List<Duration> alarms = new CopyOnWriteArrayList<>();
    private int ids;
    private volatile Duration elapsed = Duration.ZERO;
    private volatile Instant now = Instant.parse("2027-01-15T08:00:00Z");

    public HandTime() {
        this(0);
    }

    /** @param chance each random number */
    public HandTime(double chance) {
        this.chance = chance;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before a pause");
        }
        pass(duration);
    }

    /** Lets time pass. */
    public synchronized void pass(Duration duration) {
        now = now.plus(duration);
        elapsed = elapsed.plus(duration);
    }

    @Override
    public Duration elapsed() {
        return elapsed;
    }

    /** Sets the clock forward, or back by a negative duration, while no time passes. */
    public synchronized void jump(Duration by) {
        now = now.plus(by);
    }

    @Override
    public Registration after(Duration duration, Runnable action) {
        alarms.add(duration);
        return () -> alarms.remove(duration);
    }

    /** The alarms that are set. No alarm rings. */
    public List<Duration> alarms() {
        return List.copyOf(alarms);
    }

    @Override
    public double chance() {
        return chance;
    }

    @Override
    public synchronized String newId() {
        return "id-" + ++ids;
    }
}
