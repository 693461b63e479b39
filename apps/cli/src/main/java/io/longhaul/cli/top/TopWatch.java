// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import io.longhaul.cli.top.view.TaskDetail;
import io.longhaul.cli.top.view.TaskSnapshot;
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
 * The threads that talk to the server: one reads all tasks, one follows the open task, and one more runs for each
 * action. For one thread, which gets their events.
 */
final class TopWatch implements AutoCloseable {
    /** The least time between two reads of a task with many events. */
    private static final Duration BREATH = Duration.ofMillis(100);

    private final TopServer server;
    private final Duration interval;
    private final Consumer<TopEvent> events;
    private final Semaphore lookNow = new Semaphore(0);
    private final Thread looker;
    private @Nullable Thread follower;

    /**
     * @param first    the tasks as they were last read
     * @param interval the pause between two reads of all tasks
     */
    TopWatch(TopServer server, TaskSnapshot first, Duration interval, Consumer<TopEvent> events) {
        this.server = server;
        this.interval = interval;
        this.events = events;
        looker = Thread.ofVirtual().name("top-look").start(() -> look(first));
    }

    /** Has the tasks read soon, because an action changed them. */
    void lookNow() {
        lookNow.release();
    }

    void follow(TaskRecord task) {
        leave();
        follower = Thread.ofVirtual().name("top-follow").start(() -> follow(TaskDetail.of(task)));
    }

    /** Stops following a task. */
    void leave() {
        if (follower != null) {
            follower.interrupt();
            follower = null;
        }
    }

    /** Runs an action at the server, and sends its result as an event. */
    void act(Supplier<String> action) {
        Thread.ofVirtual().name("top-act").start(() -> events.accept(new TopEvent.Done(note(action))));
    }

    /** The result of an action, or the reason of its failure. */
    static String note(Supplier<String> action) {
        try {
            return action.get();
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Override
    public void close() {
        leave();
        looker.interrupt();
    }

    private void look(TaskSnapshot first) {
        var last = first;
        try {
            while (true) {
                if (lookNow.tryAcquire(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                    lookNow.drainPermits();
                }
                last = newer(last);
                events.accept(new TopEvent.Looked(last));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private TaskSnapshot newer(TaskSnapshot last) {
        try {
            return server.look();
        } catch (ServerUnreachableException e) {
            return last.troubled("The server is away");
        } catch (RuntimeException e) {
            return last.troubled("The server shows no tasks (" + e.getMessage() + ")");
        }
    }

    private void follow(TaskDetail from) {
        var now = from;
        try {
            while (!now.isEnded()) {
                try {
                    now = server.follow(now);
                    events.accept(new TopEvent.Followed(now));
                    Thread.sleep(BREATH);
                } catch (RefusedException e) {
                    events.accept(new TopEvent.Done("it is not shown any more: " + e.getMessage()));
                    return;
                } catch (RuntimeException e) {
                    Thread.sleep(interval);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
