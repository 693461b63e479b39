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
 * Tasks that sessions have joined, whichever session created them: some drafts let a session do so. Without such a
 * draft no session joins a task. Thread-safe.
 */
public interface JoinedTasks {

    /** What a session that has joined a task is told. Thread-safe. */
    interface Membership {

        /** The name of the dialect in which the session is told of the task. */
        String dialect();

        /**
         * The progress that the session is told; empty where it wants none.
         *
         * @param news      whether there is partial output that the session was not told of
         * @param resources where the partial output can be read
         */
        Optional<Notice.Progress> progress(ProgressView now, String taskId, boolean news, ResourceUris resources);

        /** The notices of a cancelled task: one for each call of the session. */
        List<Notice.CallCancelled> cancelled(Task task);
    }

    /** How a session has joined a task, or null where it has not. */
    default @Nullable Membership of(Session session, Task task) {
        return null;
    }

    /** The tasks that a session has joined. */
    default List<TaskId> tasks(String session) {
        return List.of();
    }

    /** A session has ended: it leaves its tasks. */
    default void sessionEnded(String session) {}

    /** Has all sessions leave their tasks that are not open. */
    default void sweep(Predicate<String> isOpen) {}
}
