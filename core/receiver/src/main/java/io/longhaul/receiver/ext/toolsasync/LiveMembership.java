// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.task.Voice;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides what a session that has joined a task is told of the task, on all its streams. Thread-safe. */
final class LiveMembership implements Voice {

    /** The least step of progress, for notices of partial output between two steps of the work. */
    private static final double STEP = 1e-9;

    /** The memberships of one session that were used last. The others are read from the store again. */
    static final class Memberships implements Session.Part {
        private static final int MOST = 1_000;
        private final Map<TaskId, LiveMembership> tasks = BoundedMap.byUse(MOST);

        static Memberships of(Session session) {
            return session.part(Memberships.class, Memberships::new);
        }

        @Nullable
        synchronized LiveMembership get(TaskId task) {
            return tasks.get(task);
        }

        /** The session has joined the task, perhaps again, and is about to be answered. */
        synchronized void joined(TaskId task, Member me) {
            tasks.computeIfAbsent(task, id -> new LiveMembership(me)).change(me);
        }

        /** The session has the answer to a request to join; to its latest one, or another thread will say so. */
        synchronized void answered(TaskId task, Member asked) {
            var membership = tasks.get(task);
            if (membership != null) {
                membership.answered(asked);
            }
        }

        /** The membership as read from the store, unless the one in memory is newer. */
        synchronized LiveMembership stored(TaskId task, Member me) {
            var known = tasks.computeIfAbsent(task, id -> new LiveMembership(me));
            known.read(me);
            return known;
        }
    }

    private Member me;

    /** The progress token of the last answered request to join: no progress is sent under a token before the answer. */
    private @Nullable Json token;

    private double last = Double.NEGATIVE_INFINITY;

    private LiveMembership(Member me) {
        this.me = me;
        token = me.progressToken();
    }

    private synchronized void change(Member later) {
        me = later;
    }

    /** Takes what the store has, where the session has joined again at another node since. */
    private synchronized void read(Member stored) {
        if (!me.requests().contains(stored.requests().getLast())) {
            me = stored;
            answered(stored);
        }
    }

    /** Takes the token of the latest request; progress under another token starts again. */
    private synchronized void answered(Member asked) {
        if (!me.requests().getLast().equals(asked.requests().getLast())) {
            return;
        }
        if (!Objects.equals(token, me.progressToken())) {
            last = Double.NEGATIVE_INFINITY;
        }
        token = me.progressToken();
    }

    @Override
    public synchronized String dialect() {
        return me.dialect();
    }

    /** "The progress value MUST increase with each notification", also where the news is the partial output alone. */
    @Override
    public synchronized Optional<Notice.Progress> progress(
            ProgressView now, String taskId, boolean isNews, ResourceUris resources) {
        boolean rises = now.current() > last;
        if (token == null || !rises && !isNews) {
            return Optional.empty();
        }
        last = rises ? now.current() : last + Math.max(STEP, Math.ulp(last));
        var view = new ProgressView(last, now.total(), now.message());
        return Optional.of(new Notice.Progress(token, view, taskId, resources));
    }

    @Override
    public synchronized List<Notice.CallCancelled> cancelled(Task task) {
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
