// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.slot;

import io.longhaul.engine.run.SuspendedException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread of one attempt, and the reason why the attempt should stop. An interrupt waits while the thread is in a
 * commit.
 */
public final class RunThread {

    /** Why an attempt should stop; a later constant outranks an earlier one. */
    public enum Stop {
        NONE,
        /** The attempt waits for an answer, with which the next attempt begins. */
        SUSPENDED,
        /** The server stops; the crash policy decides whether a node takes the task up again. */
        CLOSING,
        /** The server stops, and the next one takes the task up again. */
        HANDING_BACK,
        /** The task has ended. */
        ENDED,
        /** Another node has the task now. */
        LOST
    }

    private final CountDownLatch returned = new CountDownLatch(1);
    private volatile Stop stop = Stop.NONE;
    private @Nullable Thread thread;
    private boolean committing;
    private boolean interruptLater;
    private boolean waiting;
    private boolean isOneOfSeveral;
    private volatile boolean suspended;

    public Stop stop() {
        return stop;
    }

    /** Notes that the calling thread works at the task: an attempt with several such threads is never suspended. */
    public synchronized void works() {
        isOneOfSeveral |= !Thread.currentThread().equals(thread);
    }

    /** Whether the attempt does nothing but wait for an answer. */
    public synchronized boolean onlyWaits() {
        return waiting && !isOneOfSeveral;
    }

    /** Begins a wait for an answer. */
    public synchronized void beginWait() {
        waiting = true;
    }

    /**
     * Ends a wait for an answer.
     *
     * @throws SuspendedException where the attempt was suspended meanwhile; the thread is not interrupted any more
     */
    public synchronized void endWait() throws SuspendedException {
        waiting = false;
        if (suspended) {
            Thread.interrupted();
            throw new SuspendedException();
        }
    }

    /** Stops the attempt where its one thread waits for an answer. */
    public synchronized void suspend() {
        if (onlyWaits() && stop == Stop.NONE) {
            suspended = true;
            stop(Stop.SUSPENDED);
        }
    }

    /** Whether the attempt was suspended, so that nothing that it still does counts. */
    public boolean isSuspended() {
        return suspended;
    }

    /** Asks the attempt to stop, and interrupts its thread. */
    public synchronized void stop(Stop why) {
        if (why.compareTo(stop) <= 0) {
            return;
        }
        stop = why;
        Thread running = thread;
        if (running == null) {
            return;
        }
        if (committing) {
            interruptLater = true;
        } else {
            running.interrupt();
        }
    }

    /** Registers the calling thread as the attempt's thread. */
    public synchronized void entered() {
        thread = Thread.currentThread();
        if (stop != Stop.NONE) {
            thread.interrupt();
        }
    }

    /** Unregisters the thread after the backend has returned: no interrupt comes any more. */
    public synchronized void left() {
        thread = null;
        interruptLater = false;
    }

    /** Marks the attempt as done. */
    public void done() {
        returned.countDown();
    }

    boolean isDone() {
        return returned.getCount() == 0;
    }

    public void awaitDone() throws InterruptedException {
        returned.await();
    }

    /** Runs a commit so that a stop does not interrupt it in the middle. */
    public <T> T shielded(Supplier<T> commit) {
        boolean own = begin();
        try {
            return commit.get();
        } finally {
            if (own) {
                end();
            }
        }
    }

    private synchronized boolean begin() {
        boolean own = Thread.currentThread().equals(thread);
        committing |= own;
        return own;
    }

    private synchronized void end() {
        committing = false;
        if (interruptLater) {
            interruptLater = false;
            Thread.currentThread().interrupt();
        }
    }
}
