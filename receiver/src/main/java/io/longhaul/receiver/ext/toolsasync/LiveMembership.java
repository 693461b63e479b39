package io.longhaul.receiver.ext.toolsasync;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.receiver.session.JoinedTasks;
import io.longhaul.receiver.session.Session;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What one session that has joined one task is told of its progress, on whichever stream. Thread-safe. */
final class LiveMembership implements JoinedTasks.Membership {

    /** The least step of progress: for news of partial output between two steps of the work's own. */
    private static final double STEP = 1e-9;

    /** Of one session: those that were told of last. The others are read from the store again. */
    static final class All implements Session.Part {
        private static final int MOST = 1_000;

        private final ReentrantLock lock = new ReentrantLock();
        private final Map<TaskId, LiveMembership> tasks = new LinkedHashMap<>(16, 0.75f, true);

        static All of(Session session) {
            return session.part(All.class, All::new);
        }

        @Nullable
        LiveMembership get(TaskId task) {
            lock.lock();
            try {
                return tasks.get(task);
            } finally {
                lock.unlock();
            }
        }

        /** The one that is known, or a new one. */
        LiveMembership put(TaskId task, Member me) {
            var membership = known(task, me);
            membership.change(me);
            return membership;
        }

        private LiveMembership known(TaskId task, Member me) {
            lock.lock();
            try {
                var membership = tasks.computeIfAbsent(task, id -> new LiveMembership(me));
                if (tasks.size() > MOST) {
                    tasks.remove(tasks.keySet().iterator().next());
                }
                return membership;
            } finally {
                lock.unlock();
            }
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private volatile Member me;
    private double last = Double.NEGATIVE_INFINITY;

    private LiveMembership(Member me) {
        this.me = me;
    }

    /** Another progress token begins anew. */
    private void change(Member later) {
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

    @Override
    public String dialect() {
        return me.dialect();
    }

    /** "The progress value MUST increase with each notification", also where the news is the partial output alone. */
    @Override
    public Optional<Notice.Progress> progress(ProgressView now, String taskId, boolean news, ResourceUris resources) {
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

    @Override
    public List<Notice.CallCancelled> cancelled(Task task) {
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
