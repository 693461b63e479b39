package io.longhaul.requestor;

import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Brings what a server says to those whom it concerns: by progress token and by task. Thread-safe. */
final class Notices {

    private static final String CANCELLED = "cancelled";

    private final Map<String, List<Consumer<Notice>>> listeners = new ConcurrentHashMap<>();

    /** Listens until closed; {@code listener} must not block. */
    Registration onToken(Json token, Consumer<Notice> listener) {
        return on("token " + token, listener);
    }

    /** Listens until closed; {@code listener} must not block. */
    Registration onTask(String taskId, Consumer<Notice> listener) {
        return on("task " + taskId, listener);
    }

    /** Listens until closed for calls of ours that the server takes back; {@code listener} must not block. */
    Registration onCancelledCalls(BiConsumer<RequestId, String> listener) {
        return on(CANCELLED, notice -> {
            if (notice instanceof Notice.CallCancelled(var call, var reason)) {
                listener.accept(call, reason);
            }
        });
    }

    private Registration on(String key, Consumer<Notice> listener) {
        listeners.computeIfAbsent(key, any -> new CopyOnWriteArrayList<>()).add(listener);
        return () -> listeners.computeIfPresent(key, (same, list) -> {
            list.remove(listener);
            return list.isEmpty() ? null : list;
        });
    }

    void tell(Notice notice) {
        switch (notice) {
            case Notice.Progress progress -> tell("token " + progress.token(), progress);
            case Notice.TaskCreated created -> tell("task " + created.task().id(), created);
            case Notice.TaskChanged changed -> tell("task " + changed.task().id(), changed);
            case Notice.Subscribed subscribed ->
                subscribed.honoured().taskIds().forEach(task -> tell("task " + task, subscribed));
            case Notice.Log log when log.taskId() != null -> tell("task " + log.taskId(), log);
            case Notice.CallCancelled cancelled -> tell(CANCELLED, cancelled);
            default -> {}
        }
    }

    private void tell(String key, Notice notice) {
        listeners.getOrDefault(key, List.of()).forEach(listener -> listener.accept(notice));
    }
}
