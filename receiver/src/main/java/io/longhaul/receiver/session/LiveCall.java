package io.longhaul.receiver.session;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.rpc.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One request that is being answered. Its thread is interrupted only while it waits for something or runs a handler.
 */
public final class LiveCall {

    private enum State {
        LIVE,
        CANCELLED,
        STOPPED
    }

    private final RequestId id;
    private final boolean endless;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Runnable> atEnd = new ArrayList<>();
    private State state = State.LIVE;
    private @Nullable Thread worker;
    private @Nullable TaskId task;

    LiveCall(RequestId id, boolean endless) {
        this.id = id;
        this.endless = endless;
    }

    public RequestId id() {
        return id;
    }

    /** Whether it is answered only when it is given up. */
    boolean isEndless() {
        return endless;
    }

    /**
     * The client gives the call up: it gets no response. False where it was given up before, and so not for this
     * reason.
     */
    public boolean cancel() {
        return end(State.CANCELLED);
    }

    /** The way back is gone, or the server stops: the call is given up here, and its task goes on. */
    public void stop() {
        end(State.STOPPED);
    }

    public boolean isCancelled() {
        return in(State.CANCELLED);
    }

    public boolean isOver() {
        return !in(State.LIVE);
    }

    /** The task whose outcome this call waits for. */
    public void waitsFor(TaskId id) {
        lock.lock();
        try {
            task = id;
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    public TaskId task() {
        lock.lock();
        try {
            return task;
        } finally {
            lock.unlock();
        }
    }

    /** Does {@code action} once when the call is given up; at once where it was. */
    public void whenOver(Runnable action) {
        lock.lock();
        try {
            if (state == State.LIVE) {
                atEnd.add(action);
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    /** Runs {@code action} on this thread, which is interrupted when the call is given up meanwhile. */
    public <T> T interruptibly(Callable<T> action) throws Exception {
        enter();
        try {
            return action.call();
        } finally {
            leave();
        }
    }

    /**
     * Runs {@code action} on this thread, which is interrupted only after that: an interrupt would close the connection
     * to which a thread writes.
     */
    public void uninterrupted(Runnable action) {
        boolean works = isWorker();
        if (works) {
            worker(null);
        }
        try {
            action.run();
        } finally {
            if (works) {
                worker(Thread.currentThread());
            }
        }
    }

    private boolean isWorker() {
        lock.lock();
        try {
            return Thread.currentThread().equals(worker);
        } finally {
            lock.unlock();
        }
    }

    private void worker(@Nullable Thread thread) {
        lock.lock();
        try {
            worker = thread;
            if (thread != null && state != State.LIVE) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private void enter() throws InterruptedException {
        lock.lock();
        try {
            if (state != State.LIVE) {
                throw new InterruptedException("the call was given up");
            }
            worker = Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            worker = null;
            if (state != State.LIVE) {
                Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean in(State wanted) {
        lock.lock();
        try {
            return state == wanted;
        } finally {
            lock.unlock();
        }
    }

    private boolean end(State end) {
        List<Runnable> actions;
        lock.lock();
        try {
            if (state != State.LIVE) {
                return state == end;
            }
            state = end;
            actions = List.copyOf(atEnd);
            atEnd.clear();
            if (worker != null) {
                worker.interrupt();
            }
        } finally {
            lock.unlock();
        }
        actions.forEach(Runnable::run);
        return true;
    }
}
