// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Events for the thread that draws, in their order. Of looks at the server only the latest is kept: nobody takes events
 * while a person answers a question, which may take hours. Thread-safe.
 */
final class EventQueue {
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    void add(Event event) {
        if (event instanceof Event.Looked || event instanceof Event.Followed) {
            events.removeIf(event.getClass()::isInstance);
        }
        events.add(event);
    }

    /** The next event; null where none comes in that time. */
    @Nullable
    Event next(Duration longest) throws InterruptedException {
        return events.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
    }
}
