// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import io.longhaul.cli.top.TopServer.Position;
import io.longhaul.client.McpClientException;
import io.longhaul.client.RefusedException;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.protocol.call.TaskRecord;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that talk to the server: one looks at all tasks, one follows the task that is open, one more for each
 * thing that is done. For one thread, which hears of them by events.
 */
final class TopWatch implements AutoCloseable {
    /** The least time between two looks at a task to which much happens. */
    private static final Duration BREATH = Duration.ofMillis(100);

    private final TopServer server;
    private final Duration interval;
    private final Consumer<Event> events;
    private final Semaphore lookNow = new Semaphore(0);
    private final Thread looker;
    private @Nullable Thread follower;

    /**
     * @param first    the tasks as they were seen last
     * @param interval how long after one look at all tasks the next one is taken
     */
    TopWatch(TopServer server, Snapshot first, Duration interval, Consumer<Event> events) {
        this.server = server;
        this.interval = interval;
        this.events = events;
        looker = Thread.ofVirtual().name("top-look").start(() -> look(first));
    }

    /** Has the tasks looked at soon: something was done to them. */
    void lookNow() {
        lookNow.release();
    }

    void follow(TaskRecord task) {
        leave();
        follower = Thread.ofVirtual().name("top-follow").start(() -> follow(Position.before(task)));
    }

    /** Follows no task any more. */
    void leave() {
        if (follower != null) {
            follower.interrupt();
            follower = null;
        }
    }

    /** Does something at the server, and tells what became of it. */
    void act(Supplier<String> action) {
        Thread.ofVirtual().name("top-act").start(() -> events.accept(new Event.Done(note(action))));
    }

    /** What became of an action, or why it could not be done. */
    static String note(Supplier<String> action) {
        try {
            return action.get();
        } catch (McpClientException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Override
    public void close() {
        leave();
        looker.interrupt();
    }

    private void look(Snapshot first) {
        var last = first;
        try {
            while (true) {
                if (lookNow.tryAcquire(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                    lookNow.drainPermits();
                }
                last = newer(last);
                events.accept(new Event.Looked(last));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Snapshot newer(Snapshot last) {
        try {
            return server.look();
        } catch (ServerUnreachableException e) {
            return last.troubled("The server is away");
        } catch (McpClientException e) {
            return last.troubled("The server shows no tasks (" + e.getMessage() + ")");
        }
    }

    private void follow(Position from) {
        var now = from;
        try {
            while (!now.isEnd()) {
                try {
                    now = server.follow(now);
                    events.accept(new Event.Followed(now.detail()));
                    Thread.sleep(BREATH);
                } catch (RefusedException e) {
                    events.accept(new Event.Done("it is not shown any more: " + e.getMessage()));
                    return;
                } catch (McpClientException e) {
                    Thread.sleep(interval);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
