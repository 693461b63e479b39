package io.longhaul.receiver;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How one session attends to one task, while both are in memory: what it is told of its progress, on whichever stream.
 * Thread-safe.
 */
final class Attending {

    /** The least step of progress: for news of partial output between two steps of the work's own. */
    private static final double STEP = 1e-9;

    /** Of one session: those that were told of last. The others are read from the store again. */
    static final class Tasks {
        private static final int MOST = 1_000;

        private final ReentrantLock lock = new ReentrantLock();
        private final Map<TaskId, Attending> tasks = new LinkedHashMap<>(16, 0.75f, true);

        @Nullable
        Attending get(TaskId task) {
            lock.lock();
            try {
                return tasks.get(task);
            } finally {
                lock.unlock();
            }
        }

        /** The one that is known, or a new one. */
        Attending put(TaskId task, Attendee me) {
            var attending = known(task, me);
            attending.change(me);
            return attending;
        }

        private Attending known(TaskId task, Attendee me) {
            lock.lock();
            try {
                var attending = tasks.computeIfAbsent(task, id -> new Attending(me));
                if (tasks.size() > MOST) {
                    tasks.remove(tasks.keySet().iterator().next());
                }
                return attending;
            } finally {
                lock.unlock();
            }
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private volatile Attendee me;
    private double last = Double.NEGATIVE_INFINITY;

    private Attending(Attendee me) {
        this.me = me;
    }

    /** Another progress token begins anew. */
    private void change(Attendee later) {
        lock.lock();
        try {
            if (!Objects.equals(me.progressToken(), later.progressToken())) {
                last = Double.NEGATIVE_INFINITY;
            }
            me = later;
        } finally {
            lock.unlock();
        }
    }

    Attendee me() {
        return me;
    }

    /**
     * What the session is told of progress, if it wants to know: "the progress value MUST increase with each
     * notification", also where the news is the partial output alone.
     *
     * @param news      whether there is partial output that the session was not told of
     * @param resources where the partial output can be read
     */
    Optional<Notice.Progress> progress(ProgressView now, String taskId, boolean news, ResourceUris resources) {
        lock.lock();
        try {
            Json token = me.progressToken();
            boolean rises = now.current() > last;
            if (token == null || !rises && !news) {
                return Optional.empty();
            }
            last = rises ? now.current() : last + Math.max(STEP, Math.ulp(last));
            var view = new ProgressView(last, now.total(), now.message());
            return Optional.of(new Notice.Progress(token, view, taskId, resources));
        } finally {
            lock.unlock();
        }
    }

    /** What it is told when the task was cancelled: once for each of its calls. */
    List<Notice.CallCancelled> cancelled(Task task) {
        String reason = task.ending() != null
                        && task.ending().outcome() instanceof Outcome.Cancelled(var given)
                        && given != null
                ? given
                : "The task was cancelled.";
        return me.requests().stream()
                .map(JsonRpcCodec::id)
                .filter(Objects::nonNull)
                .map(call -> new Notice.CallCancelled(call, reason))
                .toList();
    }
}
