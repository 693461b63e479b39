package io.longhaul.peer.receiver;

import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one stream tells of a task's progress to a session that attends to it: each step, with where the partial output
 * can be read once there is some; and news of that output alone, once for all that came together. Not thread-safe.
 */
final class Steps {

    private static final ProgressView NONE = new ProgressView(0, null, null);

    private final Context context;
    private final Session session;
    private final long from;
    private @Nullable Boolean output;
    private boolean news;

    /** @param from the last event that the stream does not tell of */
    Steps(Context context, Session session, long from) {
        this.context = context;
        this.session = session;
        this.from = from;
    }

    /** How the session attends to the task, or null where it does not. */
    @Nullable
    Attending attending(Task task) {
        return context.attendance().of(session, task);
    }

    /** A piece of output was stored. */
    void emitted() {
        output = true;
        news = true;
    }

    /** @param send false where no stream is open to take it */
    boolean progressed(Attending me, Task task, @Nullable Progress step, String name, Predicate<Notice.Progress> send) {
        var view = Objects.requireNonNullElse(TaskViews.progress(step), NONE);
        boolean isNews = news;
        news = false;
        return me.progress(view, name, isNews, hasOutput(task) ? PartialOutput.uri(task.id()) : null, send);
    }

    /** Tells of output that came since the last step. */
    boolean caughtUp(Task task, String name, Predicate<Notice.Progress> send) {
        var me = news && !task.state().isTerminal() ? attending(task) : null;
        return me == null || progressed(me, task, task.status().progress(), name, send);
    }

    private boolean hasOutput(Task task) {
        if (output == null) {
            output = new PartialOutput(context.engine()).isAny(task, from);
        }
        return output;
    }
}
