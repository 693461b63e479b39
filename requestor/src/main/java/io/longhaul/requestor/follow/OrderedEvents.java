package io.longhaul.requestor.follow;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import org.jspecify.annotations.Nullable;

/**
 * Passes on what several threads see of one task, one at a time, and nothing that is older than what was passed on
 * before. Thread-safe.
 */
final class OrderedEvents implements TaskFollower.Events {

    private final TaskFollower.Events events;
    private final Guard lock = new Guard();
    private @Nullable TaskView latest;

    OrderedEvents(TaskFollower.Events events) {
        this.events = events;
    }

    @Override
    public void seen(TaskView task) {
        lock.run(() -> {
            if (latest == null || !isOlder(task, latest)) {
                latest = task;
                events.seen(task);
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
