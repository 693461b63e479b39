// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.protocol.Guard;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The body of one response, which Longhaul's threads write. Nothing goes to the container before its own thread has
 * left the filters, which may change the response until then. One thread writes at a time; any thread may complete. The
 * container has the response back only when no thread writes to it: after that it uses its objects for other requests.
 */
final class AsyncOutput implements BodyOutput, WriteListener, AsyncListener {

    private static final Logger LOG = LoggerFactory.getLogger(McpServlet.class);

    /** The attribute of a request whose response is broken. */
    private static final String BROKEN = AsyncOutput.class.getName() + ".broken";

    /** How long the container waits for a thread to leave a response that has failed. */
    private static final long LEAVING_SECONDS = 5;

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final Duration timeout;

    /** Has a permit when the container can accept more bytes, or will never accept any. */
    private final Semaphore possible = new Semaphore(0);

    /** Held while the response is given back. The container may call {@link #onComplete} under locks of its own. */
    private final Guard returning = new Guard();

    private final Guard lock = new Guard();
    private final Condition left = lock.newCondition();
    private boolean begun;
    private @Nullable Thread writer;
    private boolean completed;
    private boolean isBroken;
    private boolean returned;
    private @Nullable Throwable failure;
    private @Nullable Runnable gone;

    private AsyncOutput(AsyncContext async, ServletOutputStream out, Duration timeout) {
        this.async = async;
        this.out = out;
        this.timeout = timeout;
    }

    /**
     * Starts to listen to the container, on the container's thread.
     *
     * @param timeout how long a write may wait for the client to read
     */
    static AsyncOutput of(AsyncContext async, Duration timeout) throws IOException {
        var out = async.getResponse().getOutputStream();
        var output = new AsyncOutput(async, out, timeout);
        async.addListener(output);
        out.setWriteListener(output);
        return output;
    }

    @Override
    public void begin(Runnable head) throws IOException {
        use(() -> {
            awaitReady();
            head.run();
        });
    }

    @Override
    public void write(byte[] part) throws IOException {
        use(() -> {
            awaitReady();
            out.write(part);
            awaitReady();
            out.flush();
        });
    }

    private interface Use {
        void run() throws IOException;
    }

    /** Uses the objects of the container, which does not get them back meanwhile. */
    private void use(Use action) throws IOException {
        lock.lock();
        try {
            check();
            writer = Thread.currentThread();
        } finally {
            lock.unlock();
        }
        try {
            action.run();
        } finally {
            lock.run(() -> {
                writer = null;
                left.signalAll();
            });
            giveBack();
        }
    }

    private void awaitReady() throws IOException {
        if (!begun) {
            awaitPossible();
            begun = true;
        }
        check();
        while (!isReady()) {
            awaitPossible();
            check();
        }
    }

    private boolean isReady() throws IOException {
        try {
            return out.isReady();
        } catch (RuntimeException e) {
            throw new IOException("The container has ended the request", e);
        }
    }

    private void check() throws IOException {
        lock.lock();
        try {
            if (failure != null) {
                throw new IOException("The client has left", failure);
            }
            if (completed) {
                throw new IOException("The response has ended");
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitPossible() throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (possible.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                        return;
                    }
                    throw new IOException("The client has not read for " + timeout);
                } catch (InterruptedException e) {
                    // A part that has begun is written completely.
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Completes a response that lacks its rest. A servlet can only tell the container by an exception on one of the
     * container's threads; the container then closes the connection, or resets the stream of HTTP/2.
     */
    void breakOff() {
        lock.run(() -> isBroken = !completed);
        complete();
    }

    /** Throws on the thread to which a broken response came back. */
    static void refuseBroken(ServletRequest request) throws IOException {
        if (request.getAttribute(BROKEN) != null) {
            throw new IOException("The response broke off in its middle");
        }
    }

    @Override
    public void complete() {
        lock.run(() -> completed = true);
        possible.release();
        giveBack();
    }

    /** Gives the response back to the container, once, after it was completed and no thread writes any more. */
    private void giveBack() {
        returning.run(() -> {
            if (!isToReturn()) {
                return;
            }
            try {
                if (lock.get(() -> isBroken)) {
                    async.getRequest().setAttribute(BROKEN, true);
                    async.dispatch();
                } else {
                    async.complete();
                }
            } catch (IllegalStateException e) {
                LOG.debug("The container has ended a request by itself", e);
            }
        });
    }

    private boolean isToReturn() {
        return lock.get(() -> {
            boolean now = completed && writer == null && !returned;
            returned |= now;
            return now;
        });
    }

    /** Whether the container has to wait for a thread; a container may also tell the writing thread of its failure. */
    private boolean isUsedByAnother() {
        return writer != null && !writer.equals(Thread.currentThread());
    }

    /** Ends a request that the container gives up, before the container uses its objects again. */
    private void end(AsyncEvent event) {
        fail(event.getThrowable());
        lock.lock();
        try {
            long nanos = TimeUnit.SECONDS.toNanos(LEAVING_SECONDS);
            while (isUsedByAnother() && nanos > 0) {
                nanos = left.awaitNanos(nanos);
            }
            // A thread that does not leave completes nothing: the container goes on without it.
            returned |= isUsedByAnother();
        } catch (InterruptedException e) {
            returned = true;
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        complete();
    }

    /**
     * Runs {@code action} once, when the container notices that the client has left; at once where the client has left
     * already.
     */
    void watch(Runnable action) {
        if (lock.get(() -> {
            gone = action;
            return failure != null;
        })) {
            runGone();
        }
    }

    /** Runs the actions on another thread, since they may block, and the container may call under its own locks. */
    private void runGone() {
        Runnable action = lock.<@Nullable Runnable>get(() -> {
            var known = gone;
            gone = null;
            return known;
        });
        if (action != null) {
            Thread.ofVirtual().name("mcp-gone").start(action);
        }
    }

    private void fail(@Nullable Throwable reason) {
        boolean isNew = lock.get(() -> {
            if (completed || failure != null) {
                return false;
            }
            failure = reason == null ? new IOException("The container has ended the request") : reason;
            return true;
        });
        if (isNew) {
            possible.release();
            runGone();
        }
    }

    @Override
    public void onWritePossible() {
        possible.release();
    }

    @Override
    public void onError(Throwable reason) {
        fail(reason);
    }

    @Override
    public void onError(AsyncEvent event) {
        end(event);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end(event);
    }

    @Override
    public void onComplete(AsyncEvent event) {
        fail(event.getThrowable());
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // The asynchronous processing is never started again.
    }
}
