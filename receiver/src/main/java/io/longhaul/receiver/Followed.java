package io.longhaul.receiver;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads what happens to a task, in order and without gaps, from the durable record. */
final class Followed {

    private static final int PAGE = 200;
    private static final Duration LOOK_AGAIN = Duration.ofHours(1);

    /** Who is told. Each method gives false where it wants no more. */
    interface Follower {
        boolean event(Task task, TaskEvent event);

        /** Everything up to this snapshot was told. */
        boolean current(Task task);

        /** Waits for something to happen. */
        default Optional<Task> await(Change change) throws InterruptedException {
            return change.await();
        }
    }

    /** The task after the next change of it, or empty where it is gone. Blocks. */
    interface Change {
        Optional<Task> await() throws InterruptedException;
    }

    private final TaskEngine engine;

    private final Instant look;

    Followed(TaskEngine engine) {
        this(engine, Instant.MAX);
    }

    /** @param look when the follower is told the current snapshot again, though nothing has happened */
    Followed(TaskEngine engine, Instant look) {
        this.engine = engine;
        this.look = look;
    }

    /**
     * Tells what happened after event {@code after}, and goes on until the follower wants no more; gives false where
     * the task is gone.
     */
    boolean follow(Owner owner, TaskId id, long after, Follower follower) throws InterruptedException {
        Optional<Task> now = engine.find(owner, id);
        long cursor = after;
        while (now.isPresent()) {
            Task task = now.get();
            while (cursor < task.stamp().lastEvent()) {
                List<TaskEvent> events = engine.history(owner, id, cursor, PAGE);
                if (events.isEmpty()) {
                    break;
                }
                for (TaskEvent event : events) {
                    if (!follower.event(task, event)) {
                        return true;
                    }
                    cursor = event.seq();
                }
            }
            if (!follower.current(task)) {
                return true;
            }
            Instant later = engine.time().now().plus(LOOK_AGAIN);
            Instant until = look.isBefore(later) ? look : later;
            now = follower.await(
                    () -> engine.awaitChange(owner, id, task.stamp().version(), until));
        }
        return false;
    }
}
