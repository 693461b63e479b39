// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.requestor.Registration;
import io.longhaul.requestor.RequestorTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Time in which every pause is over at once, but for very long ones, and alarms ring only when a test says so. As with
 * the real clock, closing an alarm interrupts what it does.
 */
public final class TestTime implements RequestorTime {

    private final CountDownLatch never = new CountDownLatch(1);
    private final @Nullable Duration endless;

    private int ids;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final List<Duration> pauses = new CopyOnWriteArrayList<>();
    private final List<Pending> alarms = new CopyOnWriteArrayList<>();

    private record Pending(Duration duration, Thread action) {}

    public TestTime() {
        endless = null;
    }

    /** Time in which a pause of this length or more goes on until it is interrupted. */
    public TestTime(Duration endless) {
        this.endless = endless;
    }

    @Override
    public Instant now() {
        return now.get();
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        paused(duration);
        now.updateAndGet(time -> time.plus(duration));
        if (endless != null && duration.compareTo(endless) >= 0) {
            never.await();
        }
        Thread.yield();
    }

    @Override
    public Registration after(Duration duration, Runnable action) {
        var pending = new Pending(duration, Thread.ofVirtual().unstarted(action));
        alarms.add(pending);
        return () -> {
            alarms.remove(pending);
            pending.action().interrupt();
        };
    }

    @Override
    public double chance() {
        return 0.5;
    }

    @Override
    public synchronized String newId() {
        return "id-" + ++ids;
    }

    private synchronized void paused(Duration duration) {
        pauses.add(duration);
        notifyAll();
    }

    /** Waits until there were pauses enough. */
    synchronized void await(Predicate<List<Duration>> enough) throws InterruptedException {
        while (!enough.test(pauses)) {
            wait();
        }
    }

    /** All pauses so far. */
    List<Duration> pauses() {
        return pauses;
    }

    /** Waits until an alarm is set for this long, and rings it. */
    public void ringOnceSet(Duration duration) {
        while (!ring(duration)) {
            Thread.onSpinWait();
        }
    }

    /** All alarms that are set, in words. */
    Stream<String> alarms() {
        return alarms.stream().map(pending -> "an alarm after " + pending.duration());
    }

    /** Whether an alarm is set for this long. */
    boolean isSet(Duration duration) {
        return alarms.stream().anyMatch(pending -> pending.duration().equals(duration));
    }

    /** Rings the alarms that were set for this long, and waits for what they do; false where there are none yet. */
    boolean ring(Duration duration) {
        var due = alarms.stream()
                .filter(pending -> pending.duration().equals(duration))
                .toList();
        alarms.removeAll(due);
        due.forEach(pending -> pending.action().start());
        for (var pending : due) {
            try {
                pending.action().join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return !due.isEmpty();
    }
}
