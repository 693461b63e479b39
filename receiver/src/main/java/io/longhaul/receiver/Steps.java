package io.longhaul.receiver;

import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one stream tells of a task's progress to a session that attends to it: each step, with where the partial output
 * can be read once there is some; and news of that output alone, once for all that came together. The progress of work
 * that reports none is the number of its pieces of output. Not thread-safe.
 */
final class Steps {

    private final Context context;
    private final Session session;
    private final long from;
    private @Nullable Long before;
    private long since;
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
        since++;
        news = true;
    }

    /** @param send false where no stream is open to take it */
    boolean progressed(Attending me, Task task, @Nullable Progress step, String name, Predicate<Notice.Progress> send) {
        var view = step == null ? new ProgressView(pieces(task), null, null) : TaskViews.progress(step);
        boolean isNews = news;
        news = false;
        boolean output = since > 0 || pieces(task) > 0;
        return me.progress(view, name, isNews, output ? PartialOutput.uri(task.id()) : null, send);
    }

    /** Tells of output that came since the last step. */
    boolean caughtUp(Task task, String name, Predicate<Notice.Progress> send) {
        var me = news && !task.state().isTerminal() ? attending(task) : null;
        return me == null || progressed(me, task, task.status().progress(), name, send);
    }

    /** How many pieces of output there are, up to the last event that was told of. */
    private long pieces(Task task) {
        if (before == null) {
            before = new PartialOutput(context.engine()).count(task, from);
        }
        return before + since;
    }
}
