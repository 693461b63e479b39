// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.connect;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.requestor.Registration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Passes each notification of a server to its listeners: by progress token, by task, and all news. Thread-safe. */
public final class NoticeListeners {

    private static final String CANCELLED = "cancelled";
    private static final String NEWS = "news";

    /** The most log lines of tasks without a listener that are kept, and the longest such line in bytes. */
    private static final int UNHEARD_LINES = 64;

    private static final int UNHEARD_BYTES = 16 << 10;

    private final Map<String, List<Consumer<Notice>>> listeners = new ConcurrentHashMap<>();

    /** Log lines of tasks without a listener, oldest first; guarded by {@link #keeping}. */
    private final Deque<Notice.Log> unheard = new ArrayDeque<>();

    private final Guard keeping = new Guard();

    /** Listens to the progress under a token, until closed; {@code listener} must not block. */
    public Registration onToken(Json token, Consumer<Notice> listener) {
        return on("token " + token, listener);
    }

    /** Listens to what the server tells of a task, until closed; {@code listener} must not block. */
    public Registration onTask(String taskId, Consumer<Notice> listener) {
        return on("task " + taskId, listener);
    }

    /**
     * Listens to the log lines of a task, until closed, and gets its latest earlier lines first: on another stream,
     * they may overtake the answer that names the task. {@code listener} must not block.
     */
    public Registration onLog(String taskId, Consumer<Notice> listener) {
        var before = new ArrayList<Notice.Log>();
        var listening = keeping.get(() -> {
            unheard.removeIf(line -> taskId.equals(line.taskId()) && before.add(line));
            return on(logsOf(taskId), listener);
        });
        before.forEach(listener);
        return listening;
    }

    private static String logsOf(String taskId) {
        return "logs of " + taskId;
    }

    /** Listens until closed for calls of this client that the server cancels; {@code listener} must not block. */
    public Registration onCancelledCalls(BiConsumer<RequestId, String> listener) {
        return on(CANCELLED, notice -> {
            if (notice instanceof Notice.CallCancelled(var call, var reason)) {
                listener.accept(call, reason);
            }
        });
    }

    /** Listens to log messages and all changes except those of tasks, until closed; {@code listener} must not block. */
    public Registration onNews(Consumer<Notice> listener) {
        return on(NEWS, listener);
    }

    private Registration on(String key, Consumer<Notice> listener) {
        // This happens within the change of the map, because a list that has become empty meanwhile was removed from
        // it.
        listeners.compute(key, (same, known) -> {
            List<Consumer<Notice>> list = known == null ? new CopyOnWriteArrayList<>() : known;
            list.add(listener);
            return list;
        });
        return () -> listeners.computeIfPresent(key, (same, list) -> {
            list.remove(listener);
            return list.isEmpty() ? null : list;
        });
    }

    void notify(Notice notice) {
        switch (notice) {
            case Notice.Progress progress -> notify("token " + progress.token(), progress);
            case Notice.TaskCreated created -> notify("task " + created.task().id(), created);
            case Notice.TaskChanged changed -> notify("task " + changed.task().id(), changed);
            case Notice.Subscribed subscribed ->
                subscribed.honoured().taskIds().forEach(task -> notify("task " + task, subscribed));
            case Notice.Log log -> {
                if (log.taskId() != null && !isKept(log, log.taskId())) {
                    notify(logsOf(log.taskId()), log);
                }
                notify(NEWS, log);
            }
            case Notice.CallCancelled cancelled -> notify(CANCELLED, cancelled);
            default -> notify(NEWS, notice);
        }
    }

    private void notify(String key, Notice notice) {
        listeners.getOrDefault(key, List.of()).forEach(listener -> listener.accept(notice));
    }

    /** Keeps a line that has no listener; false where it has one. */
    private boolean isKept(Notice.Log line, String taskId) {
        return keeping.get(() -> {
            if (listeners.containsKey(logsOf(taskId))) {
                return false;
            }
            if (line.data().size() <= UNHEARD_BYTES) {
                unheard.add(line);
            }
            if (unheard.size() > UNHEARD_LINES) {
                unheard.remove();
            }
            return true;
        });
    }
}
