// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.limit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The line in which calls wait until the limits let them begin, in the order of their arrival. Thread-safe. */
public final class CallLine {

    private final CallLimits limits;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Object> waiting = new ArrayDeque<>();
    private final Deque<Instant> starts = new ArrayDeque<>();
    private int underWay;

    public CallLine(CallLimits limits, InstantSource clock) {
        this.limits = limits;
        this.clock = clock;
    }

    /** Waits until a call may begin, which then is under way until {@link #leave}. */
    public void enter() throws InterruptedException {
        var place = new Object();
        lock.lockInterruptibly();
        try {
            waiting.addLast(place);
            try {
                while (!begins(place)) {
                    awaitTurn(place);
                }
            } finally {
                waiting.remove(place);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Counts a call that has begun before, and that no limit holds back. */
    public void enterAgain() {
        lock.lock();
        underWay++;
        lock.unlock();
    }

    private boolean begins(Object place) {
        boolean isFree = limits.concurrency() == null || underWay < limits.concurrency();
        if (!isFree || waiting.peekFirst() != place || isTooSoon()) {
            return false;
        }
        underWay++;
        if (limits.rate() != null) {
            starts.addLast(clock.instant());
        }
        return true;
    }

    private boolean isTooSoon() {
        return limits.rate() != null && limits.rate().left(starts, clock.instant()) == 0;
    }

    private void awaitTurn(Object place) throws InterruptedException {
        if (limits.rate() != null && waiting.peekFirst() == place && isTooSoon()) {
            var next = starts.getFirst().plus(limits.rate().period());
            changed.await(Math.max(1, Duration.between(clock.instant(), next).toMillis()), TimeUnit.MILLISECONDS);
        } else {
            changed.await();
        }
    }

    /** A call has ended. */
    public void leave() {
        lock.lock();
        underWay--;
        changed.signalAll();
        lock.unlock();
    }

    /** How many calls wait. */
    public int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }
}
