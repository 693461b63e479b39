// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Events for the drawing thread, in their order. Only the latest read of the server is kept, because the thread takes
 * no events while a person answers a question, which may take hours. Thread-safe.
 */
final class EventQueue {
    private final BlockingQueue<TopEvent> events = new LinkedBlockingQueue<>();

    void add(TopEvent event) {
        if (event instanceof TopEvent.Looked || event instanceof TopEvent.Followed) {
            events.removeIf(event.getClass()::isInstance);
        }
        events.add(event);
    }

    /** The next event; null where none comes in this time. */
    @Nullable
    TopEvent next(Duration longest) throws InterruptedException {
        return events.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
    }
}
