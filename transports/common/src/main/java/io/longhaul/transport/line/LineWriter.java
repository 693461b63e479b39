// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.line;

import io.longhaul.protocol.Guard;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;

/**
 * Writes the lines of many threads on one thread of its own. It is a platform thread, since a full pipe would pin the
 * carrier of a virtual thread. Senders only queue lines, and wait while the queue is full. Thread-safe.
 */
public final class LineWriter {

    private static final int QUEUED_BYTES = 16 << 20;

    private final OutputStream out;
    private final Runnable broken;
    private final Thread thread;
    private final Guard lock = new Guard();
    private final Condition changed = lock.newCondition();
    private ArrayDeque<byte[]> queue = new ArrayDeque<>();
    private int queuedBytes;
    private long queued;
    private long written;
    private boolean closing;
    private boolean ended;

    /** Starts the thread; {@code broken} runs once on it when the stream fails. */
    public LineWriter(OutputStream out, String name, Runnable broken) {
        this.out = out;
        this.broken = broken;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    public boolean isOpen() {
        return lock.get(() -> !closing);
    }

    /** Queues one line; false where the writer is closed. */
    public boolean write(byte[] message) {
        var line = line(message);
        return lock.get(() -> {
            while (isFull(line)) {
                changed.awaitUninterruptibly();
            }
            return queue(line);
        });
    }

    /** Queues one line like {@link #write(byte[])}, unless the queue stays full for {@code timeout}. */
    public boolean write(byte[] message, Duration timeout) throws InterruptedException {
        var line = line(message);
        var left = timeout.toNanos();
        lock.lock();
        try {
            while (isFull(line) && left > 0) {
                left = changed.awaitNanos(left);
            }
            return !isFull(line) && queue(line);
        } finally {
            lock.unlock();
        }
    }

    private boolean isFull(byte[] line) {
        return !closing && queuedBytes > 0 && queuedBytes + line.length > QUEUED_BYTES;
    }

    private boolean queue(byte[] line) {
        if (closing) {
            return false;
        }
        queue.add(line);
        queued++;
        queuedBytes += line.length;
        changed.signalAll();
        return true;
    }

    /** Waits until all lines that are queued now are written; false where the stream fails or ends before. */
    public boolean awaitWritten() {
        return lock.get(() -> {
            long last = queued;
            while (written < last && !ended) {
                changed.awaitUninterruptibly();
            }
            return written >= last;
        });
    }

    /**
     * Accepts no more lines, and waits until the queue is written, but no longer than {@code timeout}.
     *
     * @return whether all lines were written
     */
    public boolean close(Duration timeout) {
        var left = timeout.toNanos();
        lock.lock();
        try {
            closing = true;
            changed.signalAll();
            while (!ended && left > 0) {
                left = changed.awaitNanos(left);
            }
            return ended;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ended;
        } finally {
            ended = true;
            changed.signalAll();
            lock.unlock();
        }
    }

    private void run() {
        try {
            for (var next = take(); !next.isEmpty(); next = take()) {
                var lines = next;
                for (var line : lines) {
                    out.write(line);
                }
                out.flush();
                lock.run(() -> {
                    written += lines.size();
                    changed.signalAll();
                });
            }
            end();
        } catch (IOException e) {
            end();
            broken.run();
        }
    }

    private List<byte[]> take() {
        return lock.get(() -> {
            while (queue.isEmpty() && !closing) {
                changed.awaitUninterruptibly();
            }
            var taken = new ArrayList<>(queue);
            queue = new ArrayDeque<>();
            queuedBytes = 0;
            changed.signalAll();
            return taken;
        });
    }

    private void end() {
        lock.run(() -> {
            closing = true;
            ended = true;
            changed.signalAll();
        });
    }

    /** Removes line breaks. Inside of a JSON value they can only be white space between tokens. */
    private static byte[] line(byte[] message) {
        var line = new byte[message.length + 1];
        for (var i = 0; i < message.length; i++) {
            line[i] = message[i] == '\n' || message[i] == '\r' ? (byte) ' ' : message[i];
        }
        line[message.length] = '\n';
        return line;
    }
}
