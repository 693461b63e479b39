// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.limit;

import io.longhaul.protocol.Guard;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** The line in which calls wait until the limits let them begin, in the order of their arrival. Thread-safe. */
public final class CallLine {

    private static final long ANY_TIME = Long.MAX_VALUE;

    private final CallLimits limits;
    private final InstantSource clock;
    private final Guard guard = new Guard();
    private final Condition changed = guard.newCondition();
    private final Deque<Object> waiting = new ArrayDeque<>();
    private final Deque<Instant> starts = new ArrayDeque<>();
    private int underWay;

    public CallLine(CallLimits limits, InstantSource clock) {
        this.limits = limits;
        this.clock = clock;
    }

    /** Waits until a call may begin, which then is under way until {@link #leave}. */
    public void enter() throws InterruptedException {
        guard.lockInterruptibly();
        try {
            var place = new Object();
            waiting.addLast(place);
            try {
                for (long pause = pause(place); pause > 0; pause = pause(place)) {
                    changed.await(pause, TimeUnit.MILLISECONDS);
                }
                underWay++;
                if (limits.rate() != null) {
                    starts.addLast(clock.instant());
                }
            } finally {
                waiting.remove(place);
                changed.signalAll();
            }
        } finally {
            guard.unlock();
        }
    }

    /** How many milliseconds a call waits unless something changes before; zero where it may begin. */
    private long pause(Object place) {
        boolean isFree = limits.concurrency() == null || underWay < limits.concurrency();
        if (!isFree || !place.equals(waiting.peekFirst())) {
            return ANY_TIME;
        }
        if (limits.rate() == null || limits.rate().left(starts, clock.instant()) > 0) {
            return 0;
        }
        var next = starts.getFirst().plus(limits.rate().period());
        return Math.max(1, Duration.between(clock.instant(), next).toMillis());
    }

    /** Counts a call that has begun before, and that no limit holds back. */
    public void enterAgain() {
        guard.run(() -> underWay++);
    }

    /** A call has ended. */
    public void leave() {
        guard.run(() -> {
            underWay--;
            changed.signalAll();
        });
    }

    /** How many calls wait. */
    public int waiting() {
        return guard.get(waiting::size);
    }
}
