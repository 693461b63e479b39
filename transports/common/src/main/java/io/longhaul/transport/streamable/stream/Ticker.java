// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.stream;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timer of a transport: one thread that looks again and again. A look that fails is logged, and the next one
 * follows: without the timer nothing would cut slow clients, nor the streams of expired tokens. Thread-safe.
 */
public final class Ticker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);

    private final ScheduledExecutorService timer;

    private Ticker(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    /**
     * Starts a timer.
     *
     * @param name of its thread
     * @param look does not block
     */
    public static Ticker every(long millis, String name, Runnable look) {
        var timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
        timer.scheduleWithFixedDelay(() -> orLog(look), millis, millis, TimeUnit.MILLISECONDS);
        return new Ticker(timer);
    }

    private static void orLog(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a look at the connections failed; the next one follows", e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
