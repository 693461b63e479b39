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
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    void add(Event event) {
        if (event instanceof Event.Looked || event instanceof Event.Followed) {
            events.removeIf(event.getClass()::isInstance);
        }
        events.add(event);
    }

    /** The next event; null where none comes in this time. */
    @Nullable
    Event next(Duration longest) throws InterruptedException {
        return events.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
    }
}
