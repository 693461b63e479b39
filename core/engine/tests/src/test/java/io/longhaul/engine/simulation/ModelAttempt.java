// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** One call of the backend of a task in one node, as the world sees it from outside of the engine. */
final class ModelAttempt {

    final KnownTask task;
    final int number;
    /** That of its node when it began. */
    final @Nullable Lease lease;

    final List<CountDownLatch> gates = new ArrayList<>();
    int threads = 1;
    /** What its threads ask now. */
    final List<String> asked = new ArrayList<>();
    /** The children that its threads wait for now. */
    final List<KnownTask> awaited = new ArrayList<>();

    int asking;
    boolean over;
    private boolean hasGoneOn;
    private boolean hasLostSlot;
    private boolean isDeaf;
    /** The latest time at which the engine may have heard of it. */
    private Instant heard = Instant.MIN;
    /** The latest time since which the engine has certainly heard of it; null where that is not known. */
    @Nullable
    Instant said;

    ModelAttempt(KnownTask task, int number, @Nullable Lease lease) {
        this.task = task;
        this.number = number;
        this.lease = lease;
    }

    /** Whether no other attempt has begun since, such as that of another node. */
    boolean isLatest() {
        return number == task.last().execution().attempts().started();
    }

    void heard(Instant now) {
        heard = now;
    }

    /** Whether the engine has heard nothing of it for so long, though it works. */
    boolean isSilentFor(Duration time, Instant now) {
        return holdsSlot() && now.isAfter(heard.plus(time));
    }

    /** Whether it would not hear an interrupt. */
    boolean isDeaf() {
        return isDeaf;
    }

    /** Whether it certainly has a slot: no thread of it waits for an answer or a child. */
    boolean holdsSlot() {
        return !over && asking == 0 && !hasLostSlot;
    }

    /** Whether it may have a slot: the last thread that waits gave it away, and the last that went on took it. */
    boolean mayHoldSlot() {
        return !over && (asking == 0 || hasGoneOn);
    }

    @Override
    public String toString() {
        return "attempt " + number + " at " + task.last().spec().work() + " of " + task.id + ", asking " + asking
                + " of " + threads + (gates.isEmpty() ? "" : ", at a gate");
    }

    /** What a thread of an attempt waits for without a slot. */
    interface Wait<T> {
        T await() throws InterruptedException;
    }

    /** Waits for an answer, or for a child. */
    <T> T waiting(Run run, Wait<T> wait) throws InterruptedException {
        asking++;
        hasGoneOn = false;
        boolean hasCome = false;
        try {
            T what = wait.await();
            hasCome = true;
            return what;
        } finally {
            hasLostSlot |= !hasCome || run.isStopping();
            asking--;
            hasGoneOn = true;
        }
    }

    /** Blocks until the world opens the gate. */
    void awaitGate() throws InterruptedException {
        var gate = new CountDownLatch(1);
        gates.add(gate);
        try {
            gate.await();
        } finally {
            gates.remove(gate);
        }
    }

    /** The same, whatever interrupts it. */
    void awaitGateDeafly() {
        boolean interrupted = false;
        isDeaf = true;
        var gate = new CountDownLatch(1);
        gates.add(gate);
        while (gate.getCount() > 0) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        gates.remove(gate);
        isDeaf = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
