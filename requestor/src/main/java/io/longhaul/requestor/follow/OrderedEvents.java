// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes on what several threads see of one task, one at a time, and nothing that is older than what was passed on
 * before. Thread-safe.
 */
final class OrderedEvents implements TaskFollower.Events {

    private final TaskFollower.Events events;
    private final Consumer<TaskView> next;
    private final Guard lock = new Guard();
    private @Nullable TaskView latest;

    OrderedEvents(TaskFollower.Events events) {
        this(events, task -> {});
    }

    /** @param next is given each task that was passed on; must not block */
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
