// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.Retry;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.node.Nodes;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CallStates;
import io.longhaul.receiver.session.LiveCall;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of calls whose results no client has received yet, found by caller, tool and arguments. A row is written
 * when a task is created for a host that knows no tasks, and removed when a result has gone out, so that the same call
 * finds the task also after a restart of the server. In a shared store, the row names the sending node before a result
 * goes out: a client that has read the result may call any node next. Thread-safe.
 */
final class UndeliveredCalls {

    private static final String SPACE = "undelivered-call";
    private static final int CALLER_BYTES = 16;

    private final TaskEngine engine;
    private final Nodes nodes;

    /** The tasks whose results are being sent, by the answered requests. */
    private final Map<LiveCall, TaskId> delivering = new ConcurrentHashMap<>();

    UndeliveredCalls(TaskEngine engine, Nodes nodes) {
        this.engine = engine;
        this.nodes = nodes;
    }

    void add(InboundRequest request, Task task) {
        String key = key(request, task);
        if (key != null) {
            var until = now().plus(engine.limits().longestRetention());
            engine.rows().put(new StoredRow(SPACE, key, Payload.EMPTY, until));
        }
    }

    /** Marks the result of a task before it goes out, so that a client that has read it finds the task delivered. */
    void delivering(InboundRequest request, Task task) {
        delivering.put(request.live(), task.id());
        goesOut(request, task, Payload.ofText(nodes.id()));
    }

    /** @param from the id of the node that sends the result; empty where no node does */
    private void goesOut(InboundRequest request, Task task, Payload from) {
        String key = engine.rows().isShared() ? key(request, task) : null;
        if (key != null) {
            engine.rows().change(SPACE, key, now(), row -> new StoredRow(SPACE, key, from, row.expiresAt()));
        }
    }

    /** Records that the result of a task went out, and whether the client was still there to receive it. */
    void delivered(InboundRequest request, Task task, boolean isReceived) {
        String key = key(request, task);
        if (!isReceived) {
            goesOut(request, task, Payload.EMPTY);
        } else if (key != null) {
            engine.rows().remove(SPACE, key);
        }
        delivering.remove(request.live());
    }

    /** The tasks of the same call by the same caller, newest first. */
    List<Task> of(InboundRequest request, CallTool call) {
        String caller = caller(request);
        return caller == null ? List.of() : tasks(request, caller + "/" + digest(call) + "/");
    }

    /** All tasks of the caller, newest first; empty where the caller cannot be told from others. */
    Optional<List<Task>> of(InboundRequest request) {
        return Optional.ofNullable(caller(request)).map(caller -> tasks(request, caller + "/"));
    }

    private List<Task> tasks(InboundRequest request, String beginning) {
        return Context.rows(engine, SPACE, beginning)
                .map(StoredRow::key)
                .flatMap(key -> find(request, key).stream())
                .sorted(Comparator.comparing((Task task) -> task.id().value()).reversed())
                .toList();
    }

    /**
     * Reads the row again, after {@link #isOnItsWay}: the result may have gone out since the row was listed. A
     * delivered row is removed before its result stops being on its way.
     */
    private Optional<Task> find(InboundRequest request, String key) {
        var id = new TaskId(key.substring(key.lastIndexOf('/') + 1));
        if (isOnItsWay(id)
                || engine.rows()
                        .get(SPACE, key, now())
                        .filter(this::isToBeReceived)
                        .isEmpty()) {
            return Optional.empty();
        }
        var task = engine.find(request.owner(), id);
        if (task.isEmpty()) {
            engine.rows().remove(SPACE, key);
        }
        return task;
    }

    /** Whether a result of the task is being sent, to a request that was not given up. */
    private boolean isOnItsWay(TaskId id) {
        return delivering.entrySet().stream()
                .anyMatch(result ->
                        result.getValue().equals(id) && !result.getKey().isOver());
    }

    /** Whether no other live node is sending the result. For this node, {@link #isOnItsWay} knows that. */
    private boolean isToBeReceived(StoredRow row) {
        String from = row.value().text();
        return from.isEmpty() || from.equals(nodes.id()) || !nodes.isAlive(from);
    }

    private Instant now() {
        return engine.time().now();
    }

    private static @Nullable String key(InboundRequest request, Task task) {
        String caller = caller(request);
        var call = new CallTool(
                task.spec().work(),
                Json.raw(task.spec().request().bytes()),
                new TaskWish.None(),
                CallExtras.NONE,
                Retry.FIRST);
        return caller == null ? null : caller + "/" + digest(call) + "/" + task.id();
    }

    /** The key of a caller. Anonymous callers are told apart by their session; null where there is none. */
    private static @Nullable String caller(InboundRequest request) {
        boolean anonymous = request.principal().kind() == Principal.Kind.ANONYMOUS;
        if (anonymous && !request.dialect().traits().sessions()) {
            return null;
        }
        String name = anonymous
                ? "session " + request.session().id()
                : "owner " + request.owner().value();
        byte[] digest = JsonDigest.sha256(JsonWriter.quote(name));
        return HexFormat.of().formatHex(digest, 0, CALLER_BYTES);
    }

    private static String digest(CallTool call) {
        return CallStates.digest(call.wishing(new TaskWish.None()));
    }
}
