package io.longhaul.requestor;

import java.time.Duration;
import java.time.Instant;

/** Time that stands still until a test, or a pause, moves it. */
public final class HandTime implements RequestorTime {

    private volatile Instant now = Instant.parse("2027-01-15T08:00:00Z");

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public void pause(Duration duration) {
        now = now.plus(duration);
    }

    @Override
    public Alarm after(Duration duration, Runnable action) {
        return () -> {};
    }

    @Override
    public double chance() {
        return 0;
    }
}
