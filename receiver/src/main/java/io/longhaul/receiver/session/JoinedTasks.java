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

/** Tasks that sessions have joined, whichever session created them: some drafts let a session do so. Thread-safe. */
public interface JoinedTasks {

    /** No session joins a task. */
    JoinedTasks NONE = new JoinedTasks() {
        @Override
        public @Nullable Membership of(Session session, Task task) {
            return null;
        }

        @Override
        public List<TaskId> tasks(String session) {
            return List.of();
        }

        @Override
        public void left(String session) {}

        @Override
        public void sweep(Predicate<String> isOpen) {}
    };

    /** What a session that has joined a task is told. Thread-safe. */
    interface Membership {

        /** The name of the dialect in which the session is told of the task. */
        String dialect();

        /**
         * What the session is told of progress; empty where it does not want to know.
         *
         * @param news     whether there is partial output that the session was not told of
         * @param resource where the partial output can be read, or null where there is none
         */
        Optional<Notice.Progress> progress(ProgressView now, String taskId, boolean news, ResourceUris resources);

        /** What the session is told when the task was cancelled: one notice for each of its calls. */
        List<Notice.CallCancelled> cancelled(Task task);
    }

    /** How a session has joined a task, or null where it has not. */
    @Nullable
    Membership of(Session session, Task task);

    /** The tasks that a session has joined. */
    List<TaskId> tasks(String session);

    /** The session is over: it leaves its tasks. */
    void left(String session);

    /** Has all sessions leave their tasks that are not open. */
    void sweep(Predicate<String> isOpen);
}
