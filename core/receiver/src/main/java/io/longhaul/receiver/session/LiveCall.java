// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.plan.Leaving;
import io.longhaul.receiver.plan.Left;
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

    private final RequestId id;
    private final boolean endless;
    private final List<Runnable> whenOver = new ArrayList<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile @Nullable Left left;

    /** The response goes out, or has gone out. */
    private boolean isAnswered;

    private volatile Leaving leaving = Leaving.NOTHING;
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

    public boolean isCancelled() {
        return is(Left.CANCELLED);
    }

    /** Whether the call ended in this way before its response. */
    public boolean is(Left how) {
        return left == how;
    }

    public boolean isOver() {
        return left != null;
    }

    /**
     * Settles, right before the response is written, whether the client still waits for it. From then on the call is
     * answered: it can no longer be given up, and its thread is not interrupted.
     *
     * @return false where the client gave the call up before
     */
    public synchronized boolean beginAnswer() {
        if (Thread.currentThread().equals(worker)) {
            // A session that was closed a moment ago has interrupted the thread, whose write that would break.
            endWork();
        }
        isAnswered = isAnswered || left == null;
        return isAnswered || left == Left.CLOSED;
    }

    /** Completes when the call is given up, and right before its response goes out. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    /** The call waits for its task from now on. */
    public void waitsFor(TaskId id, Leaving whenLeft) {
        task = id;
        leaving = whenLeft;
    }

    /** What becomes of the task where the client leaves the call. */
    public Leaving leaving() {
        return leaving;
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

    /**
     * Keeps interrupts from this thread until {@link #regain}, also one that has come and is not noticed yet; false
     * where none could reach it anyway.
     */
    private synchronized boolean release() {
        boolean works = Thread.currentThread().equals(worker);
        if (works) {
            endWork();
        }
        return works;
    }

    private synchronized void regain() {
        worker = Thread.currentThread();
        if (isOver()) {
            worker.interrupt();
        }
    }

    /** Ends the call without a response; false where it was answered, or has ended in another way. */
    public boolean leave(Left how) {
        List<Runnable> actions;
        synchronized (this) {
            if (isAnswered || left != null) {
                return left == how;
            }
            left = how;
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
