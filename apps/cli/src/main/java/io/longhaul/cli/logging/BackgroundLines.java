// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.logging;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lines on one thread, so that no caller waits for a disk. Lines are lost where the queue or the disk is full; a
 * line with their number then comes before the next written line. Thread-safe.
 */
public final class BackgroundLines implements AutoCloseable {

    /** The destination of lines. Used by one thread. */
    public interface Target extends AutoCloseable {
        void write(byte[] lines) throws IOException;

        @Override
        default void close() throws IOException {}
    }

    /** The most lines that wait. */
    static final int WAITING = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundLines.class);
    private static final int AT_ONCE = 256;

    /** How long the writer waits for more lines. Waking a thread for each single line would cost as much as a call. */
    private static final Duration GATHERING = Duration.ofMillis(5);

    private static final Duration LAST_LINES = Duration.ofSeconds(2);
    private static final Supplier<String> END = () -> "";

    private final BlockingQueue<Supplier<String>> waiting = new ArrayBlockingQueue<>(WAITING);
    private final AtomicLong lost = new AtomicLong();
    private final Target target;
    private final LongFunction<String> ofLost;
    private final Thread writer;
    private boolean isFailing;

    /**
     * Starts to write.
     *
     * @param name   of the thread
     * @param ofLost the line that says how many lines are lost
     */
    public BackgroundLines(String name, Target target, LongFunction<String> ofLost) {
        this.target = target;
        this.ofLost = ofLost;
        writer = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    /** @param line gives a line without its end, on the thread that writes */
    public void add(Supplier<String> line) {
        if (!waiting.offer(line)) {
            lost.incrementAndGet();
        }
    }

    private void run() {
        List<Supplier<String>> batch = new ArrayList<>(AT_ONCE);
        try {
            boolean goesOn = true;
            while (goesOn) {
                batch.clear();
                batch.add(waiting.take());
                if (waiting.size() < AT_ONCE) {
                    LockSupport.parkNanos(GATHERING.toNanos());
                }
                waiting.drainTo(batch, AT_ONCE - 1);
                goesOn = !batch.remove(END);
                write(batch);
            }
            target.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.debug("a file of lines is not closed", e);
        }
    }

    /** Writes what it can: even an error, such as one of memory, must not end the thread of all later lines. */
    private void write(List<Supplier<String>> batch) {
        long before = lost.getAndSet(0);
        long missing = before + batch.size();
        try {
            var lines = new StringBuilder();
            if (before > 0) {
                lines.append(ofLost.apply(before)).append('\n');
            }
            long unmade = 0;
            for (var line : batch) {
                var text = made(line);
                if (text == null) {
                    unmade++;
                } else {
                    lines.append(text).append('\n');
                }
            }
            if (!lines.isEmpty()) {
                target.write(lines.toString().getBytes(StandardCharsets.UTF_8));
                isFailing = false;
            }
            missing = unmade;
        } catch (Throwable e) {
            tellOnce(e);
        } finally {
            lost.addAndGet(missing);
        }
    }

    private void tellOnce(Throwable why) {
        if (isFailing) {
            return;
        }
        isFailing = true;
        try {
            LOG.warn("lines are lost from here on, and calls go on: {}", why.getMessage());
        } catch (Throwable e) {
            // There is no memory for the words either; the file tells later how many lines it lacks.
        }
    }

    private @Nullable String made(Supplier<String> line) {
        try {
            return line.get();
        } catch (Throwable e) {
            LOG.warn("a line could not be made", e);
            return null;
        }
    }

    /** Waits a moment until the waiting lines are written. */
    @Override
    public void close() {
        try {
            if (waiting.offer(END, LAST_LINES.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS)) {
                writer.join(LAST_LINES);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
