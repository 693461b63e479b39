// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the views of one task from several threads, one at a time, and drops a view that is older than an earlier
 * one. Thread-safe.
 */
final class OrderedEvents implements TaskFollower.Events {

    private final TaskFollower.Events events;
    private final Consumer<TaskView> next;
    private final Guard lock = new Guard();
    private @Nullable TaskView latest;

    /** @param next takes each view that was passed on; must not block */
    OrderedEvents(TaskFollower.Events events, Consumer<TaskView> next) {
        this.events = events;
        this.next = next;
    }

    @Override
    public void seen(TaskView task) {
        lock.run(() -> {
            if (latest == null || !isOlder(task, latest)) {
                latest = task;
                events.seen(task);
                next.accept(task);
            }
        });
    }

    private static boolean isOlder(TaskView task, TaskView than) {
        return TaskPoll.hasEnded(than)
                ? !TaskPoll.hasEnded(task)
                : task.times().updatedAt().isBefore(than.times().updatedAt());
    }

    @Override
    public void noticed(Notice notice) {
        events.noticed(notice);
    }

    @Override
    public void trouble(String sentence) {
        events.trouble(sentence);
    }
}
