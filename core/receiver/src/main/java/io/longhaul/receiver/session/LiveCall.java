// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.rpc.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request that is being answered. Its thread is interrupted only while it waits for something or runs a handler.
 * Thread-safe.
 */
public final class LiveCall {

    private enum Phase {
        LIVE,
        /** The response goes out, or has gone out. */
        ANSWERED,
        CANCELLED,
        /** The client gave up the call because of a timeout. */
        TIMED_OUT,
        STOPPED,
        /** The session or the server ends; the client waits for its response. */
        CLOSED
    }

    private final RequestId id;
    private final boolean endless;
    private final List<Runnable> whenOver = new ArrayList<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile Phase phase = Phase.LIVE;
    private volatile @Nullable TaskId task;
    private @Nullable Thread worker;

    LiveCall(RequestId id, boolean endless) {
        this.id = id;
        this.endless = endless;
    }

    public RequestId id() {
        return id;
    }

    /** Whether the request is answered only when the client gives it up. */
    boolean isEndless() {
        return endless;
    }

    /** The client gives the call up, and gets no response. False where the call was stopped for another reason. */
    public boolean cancel() {
        return end(Phase.CANCELLED);
    }

    /** Stops the call because its connection is gone. Its task goes on. */
    public void stop() {
        end(Phase.STOPPED);
    }

    /** Stops the call because its session or the server ends. Its task goes on. */
    public void close() {
        end(Phase.CLOSED);
    }

    /** Whether the call was stopped by the end of its session or of the server. */
    public boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    /** The client gives the call up because of a timeout, and gets no response. The task of the call goes on. */
    public void timeOut() {
        end(Phase.TIMED_OUT);
    }

    public boolean isTimedOut() {
        return phase == Phase.TIMED_OUT;
    }

    public boolean isCancelled() {
        return phase == Phase.CANCELLED;
    }

    public boolean isOver() {
        return phase != Phase.LIVE && phase != Phase.ANSWERED;
    }

    /**
     * Settles, right before the response is written, whether the client still waits for it. From then on the call is
     * answered: it can no longer be given up, and its thread is not interrupted.
     *
     * @return false where the client gave the call up before
     */
    public synchronized boolean beginAnswer() {
        if (phase == Phase.LIVE) {
            phase = Phase.ANSWERED;
        }
        return phase == Phase.ANSWERED || phase == Phase.CLOSED;
    }

    /** Completes when the call is given up, and right before its response goes out. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    public void waitsFor(TaskId id) {
        task = id;
    }

    @Nullable
    public TaskId task() {
        return task;
    }

    /** Runs {@code action} once when the call is given up; at once where that has happened. */
    public void whenOver(Runnable action) {
        synchronized (this) {
            if (!isOver()) {
                whenOver.add(action);
                return;
            }
        }
        action.run();
    }

    /**
     * Runs {@code action} on this thread, and interrupts the thread when the call is given up meanwhile.
     *
     * @throws InterruptedException where it was given up before
     */
    public <T> T interruptibly(Callable<T> action) throws Exception {
        startWork();
        try {
            return action.call();
        } finally {
            endWork();
        }
    }

    /**
     * Has this thread interrupted from now on when the call is given up; {@link #endWork} must follow.
     *
     * @throws InterruptedException where it was given up before
     */
    public synchronized void startWork() throws InterruptedException {
        if (isOver()) {
            throw new InterruptedException("the call was given up");
        }
        worker = Thread.currentThread();
    }

    public synchronized void endWork() {
        worker = null;
        if (isOver()) {
            Thread.interrupted();
        }
    }

    /**
     * Runs {@code action} on this thread, and delays an interrupt until its end: an interrupt would close the
     * connection to which the thread writes.
     */
    public void uninterrupted(Runnable action) {
        boolean works = release();
        try {
            action.run();
        } finally {
            if (works) {
                regain();
            }
        }
    }

    /** Keeps interrupts from this thread until {@link #regain}; false where none could reach it anyway. */
    private synchronized boolean release() {
        boolean works = Thread.currentThread().equals(worker);
        if (works) {
            worker = null;
        }
        return works;
    }

    private synchronized void regain() {
        worker = Thread.currentThread();
        if (isOver()) {
            worker.interrupt();
        }
    }

    private boolean end(Phase end) {
        List<Runnable> actions;
        synchronized (this) {
            if (phase != Phase.LIVE) {
                return phase == end;
            }
            phase = end;
            actions = List.copyOf(whenOver);
            whenOver.clear();
            if (worker != null) {
                worker.interrupt();
            }
        }
        ended.complete(null);
        actions.forEach(Runnable::run);
        return true;
    }
}
