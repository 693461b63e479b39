// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks of calls whose results no client has received yet, found by caller, tool and arguments. A row is written
 * when a task is created for a host that knows no tasks, and removed when a result has gone out, so that the same call
 * finds the task also after a restart of the server. In a shared store, the row names the node at which the first call
 * waits, and later the node that sends a result, before the result goes out: a client that has read the result may call
 * any node next. Thread-safe.
 */
final class UndeliveredCalls {

    private static final Logger LOG = LoggerFactory.getLogger(UndeliveredCalls.class);
    private static final String SPACE = "undelivered-call";
    private static final int CALLER_BYTES = 16;

    /** Begins the value of a row whose first call waits; the node and the session of that call follow. */
    private static final String HELD = "held ";

    private final TaskEngine engine;
    private final Nodes nodes;

    /** The tasks whose results are being sent, by the answered requests. */
    private final Map<LiveCall, TaskId> delivering = new ConcurrentHashMap<>();

    /** The first calls of tasks that wait at this node, as rows name them. */
    private final Set<LiveCall> holding = ConcurrentHashMap.newKeySet();

    /** Where the first call of a task waits. */
    enum Holder {
        NO_OTHER_NODE,
        /** Another node, in the session that asks. */
        SAME_SESSION,
        /** Another node. */
        OTHER_SESSION
    }

    UndeliveredCalls(TaskEngine engine, Nodes nodes) {
        this.engine = engine;
        this.nodes = nodes;
    }

    /** Adds a task whose first call waits from now on; {@link #release} must follow. */
    void add(InboundRequest request, Task task) {
        String key = key(request, task);
        if (key != null) {
            var until = now().plus(engine.limits().longestRetention());
            boolean isShared = engine.rows().isShared();
            var value = isShared ? Payload.ofText(HELD + nodes.id() + " " + session(request)) : Payload.EMPTY;
            engine.rows().put(new StoredRow(SPACE, key, value, until));
            if (isShared) {
                holding.add(request.live());
            }
        }
    }

    /** The first call of a task waits no longer. Where its result goes out, the row says so already. */
    void release(InboundRequest request, Task task) {
        String key = holding.remove(request.live()) ? key(request, task) : null;
        if (key == null) {
            return;
        }
        try {
            engine.rows()
                    .change(
                            SPACE,
                            key,
                            now(),
                            row -> isHeldBy(row, nodes.id())
                                    ? new StoredRow(SPACE, key, Payload.EMPTY, row.expiresAt())
                                    : row);
        } catch (StoreException e) {
            LOG.warn("other nodes are not told that the call of task {} waits no longer", task.id(), e);
        }
    }

    /** Where the first call of a task waits, as seen by the same call at this node. */
    Holder holder(InboundRequest request, Task task) {
        return Optional.ofNullable(key(request, task))
                .flatMap(key -> engine.rows().get(SPACE, key, now()))
                .filter(row -> row.value().text().startsWith(HELD))
                .map(row -> row.value().text().substring(HELD.length()).split(" ", -1))
                .filter(held -> !held[0].equals(nodes.id()) && nodes.isAlive(held[0]))
                .map(held -> !held[1].isEmpty() && held[1].equals(session(request))
                        ? Holder.SAME_SESSION
                        : Holder.OTHER_SESSION)
                .orElse(Holder.NO_OTHER_NODE);
    }

    private static boolean isHeldBy(StoredRow row, String node) {
        return row.value().text().startsWith(HELD + node + " ");
    }

    /** Marks the result of a task before it goes out, so that a client that has read it finds the task delivered. */
    void delivering(InboundRequest request, Task task) {
        delivering.put(request.live(), task.id());
        holding.remove(request.live());
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
        return digest(
                anonymous ? sessionName(request) : "owner " + request.owner().value());
    }

    /** The key of a session; empty where the client has none. */
    private static String session(InboundRequest request) {
        return request.dialect().traits().sessions() ? digest(sessionName(request)) : "";
    }

    private static String sessionName(InboundRequest request) {
        return "session " + request.session().id();
    }

    private static String digest(String name) {
        byte[] digest = JsonDigest.sha256(JsonWriter.quote(name));
        return HexFormat.of().formatHex(digest, 0, CALLER_BYTES);
    }

    private static String digest(CallTool call) {
        return CallStates.digest(call.wishing(new TaskWish.None()));
    }
}
