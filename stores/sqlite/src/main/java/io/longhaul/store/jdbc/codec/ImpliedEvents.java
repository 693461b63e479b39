// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.codec;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import org.jspecify.annotations.Nullable;

/**
 * Events that the row of their task implies: the creation, a start together with the creation, and the end. These
 * events have no rows of their own. The numbers of a history have no gaps, so that a missing number stands for an
 * implied event.
 */
public final class ImpliedEvents {

    private static final int CREATED = 1;
    private static final int STARTED = 2;

    private ImpliedEvents() {}

    /** Whether the event needs no row, now and after all later changes of the task. */
    public static boolean has(Task after, TaskEvent event) {
        return event.equals(of(after, event.seq()));
    }

    /** The implied event of that number, for a number without a row; null where the task implies none. */
    public static @Nullable TaskEvent of(Task task, long seq) {
        var created = task.spec().createdAt();
        if (seq == CREATED) {
            return new TaskEvent(CREATED, created, new EventDetail.Created());
        }
        if (seq == STARTED) {
            return new TaskEvent(STARTED, created, new EventDetail.Started(1));
        }
        var ending = task.ending();
        return ending == null ? null : new TaskEvent(seq, ending.at(), new EventDetail.Ended(ending.outcome()));
    }
}
