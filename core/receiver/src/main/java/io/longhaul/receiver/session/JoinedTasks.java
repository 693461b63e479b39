// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that sessions have joined, including tasks of other sessions. Only some drafts let sessions join. Thread-safe.
 */
public interface JoinedTasks {

    /** Decides what a session that has joined a task is told. Thread-safe. */
    interface Membership {

        /** The name of the dialect in which the session is told of the task. */
        String dialect();

        /**
         * The progress that the session is told; empty where the session wants no progress.
         *
         * @param news      whether there is partial output that the session was not told of
         * @param resources where the partial output can be read
         */
        Optional<Notice.Progress> progress(ProgressView now, String taskId, boolean news, ResourceUris resources);

        /** The notices of a cancelled task: one for each call of the session. */
        List<Notice.CallCancelled> cancelled(Task task);
    }

    /** The membership of a session in a task, or null where the session has not joined the task. */
    default @Nullable Membership of(Session session, Task task) {
        return null;
    }

    default List<TaskId> tasks(String session) {
        return List.of();
    }

    /** Has an ended session leave its tasks. */
    default void sessionEnded(String session) {}

    /** Has all sessions that are not open leave their tasks. */
    default void sweep(Predicate<String> isOpen) {}
}
