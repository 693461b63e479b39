// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of one response, which Longhaul's threads write. Nothing goes to the container before its own thread has
 * left the filters, which may change the response until then. One thread writes at a time; any thread may complete.
 */
final class AsyncOutput implements BodyOutput, WriteListener, AsyncListener {

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final Duration timeout;

    /** Has a permit when the container can accept more bytes, or will never accept any. */
    private final Semaphore possible = new Semaphore(0);

    private boolean begun;
    private boolean completed;
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
    public void awaitReady() throws IOException {
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

    @Override
    public void write(byte[] part) throws IOException {
        awaitReady();
        out.write(part);
        awaitReady();
        out.flush();
    }

    private synchronized void check() throws IOException {
        if (failure != null) {
            throw new IOException("The client has left", failure);
        }
        if (completed) {
            throw new IOException("The response has ended");
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

    @Override
    public void complete() {
        synchronized (this) {
            if (completed) {
                return;
            }
            completed = true;
        }
        try {
            async.complete();
        } catch (IllegalStateException e) {
            // The container has ended the request by itself.
            possible.release();
        }
    }

    /**
     * Runs {@code action} once, when the container notices that the client has left; at once where the client has left
     * already.
     */
    void watch(Runnable action) {
        synchronized (this) {
            gone = action;
            if (failure == null) {
                return;
            }
        }
        runGone();
    }

    /** Runs the actions on another thread, since they may block, and the container may call under its own locks. */
    private void runGone() {
        Runnable action;
        synchronized (this) {
            action = gone;
            gone = null;
        }
        if (action != null) {
            Thread.ofVirtual().name("mcp-gone").start(action);
        }
    }

    private void fail(@Nullable Throwable reason) {
        synchronized (this) {
            if (completed || failure != null) {
                return;
            }
            failure = reason == null ? new IOException("The container has ended the request") : reason;
        }
        possible.release();
        runGone();
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
        fail(event.getThrowable());
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        fail(event.getThrowable());
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
