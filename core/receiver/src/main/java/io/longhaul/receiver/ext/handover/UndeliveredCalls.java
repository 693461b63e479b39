// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.node.NodeMessage.Kind;
import io.longhaul.receiver.node.Nodes;
import io.longhaul.receiver.plan.Receipt;
import io.longhaul.receiver.plan.Receipt.Event;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CallStates;
import io.longhaul.receiver.session.LiveCall;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks of calls whose results no client has received yet, found by caller, tool and arguments; and who waits for
 * them. Thread-safe.
 *
 * <p>A row is written when a task is created for a host that knows no tasks, so that the same call finds the task also
 * after a restart of the server. {@link Receipt} says when it is removed.
 *
 * <p>In a shared store the row names the node of the last request that waited. Another node that gets the same call
 * asks that node, and joins the task where the node does not answer: it is dead, or nobody waits there any longer.
 */
final class UndeliveredCalls {

    private static final Logger LOG = LoggerFactory.getLogger(UndeliveredCalls.class);
    private static final String SPACE = "undelivered-call";
    private static final int CALLER_BYTES = 16;

    /** A request that waits for a task since {@code begun}. */
    record Waiting(InboundRequest request, TaskId task, Instant begun) {
        private boolean isOf(String session) {
            return request.manner().inSession() && request.session().id().equals(session);
        }
    }

    /** How long a node waits for the answer of another one, which looks for messages more often. */
    static final Duration ANSWER = Duration.ofSeconds(1);

    /** Ends the value of a row whose node was asked, and has not answered. */
    private static final String ASKED = "?";

    private final TaskEngine engine;
    private final Nodes nodes;

    /** The requests that wait for a task, until they are answered: nobody joins such a task. */
    private final Map<LiveCall, Waiting> waiting = new ConcurrentHashMap<>();

    /** Held while a repeated call looks whether it joins: only one does. */
    private final Guard joining = new Guard();

    /** Received results whose rows the store did not remove. */
    private final Set<TaskId> received =
            Collections.synchronizedSet(Collections.newSetFromMap(BoundedMap.byInsertion(1_000)));

    /** @param isSilent whether a request whose session calls the same again was given up in silence */
    UndeliveredCalls(TaskEngine engine, Nodes nodes, Predicate<Waiting> isSilent) {
        this.engine = engine;
        this.nodes = nodes;
        nodes.take(
                Kind.CALL_SOUGHT,
                told -> sought(told.text("key"), one -> one.isOf(told.session()) && isSilent.test(one)));
    }

    /** Has a request wait for a task. */
    void begin(InboundRequest request, Task task) {
        waiting.putIfAbsent(request.live(), new Waiting(request, task.id(), now()));
    }

    /** The request waits no longer. */
    void leave(InboundRequest request) {
        waiting.remove(request.live());
    }

    /** A request that waits for the task, and was not given up. */
    Optional<Waiting> waiting(TaskId task) {
        return waiters(task).findFirst();
    }

    private Stream<Waiting> waiters(TaskId task) {
        return waiting.values().stream()
                .filter(one -> one.task().equals(task) && !one.request().live().isOver());
    }

    /** Remembers the task of a call that begins to wait. One that has ended is remembered from before, or received. */
    void add(InboundRequest request, Task task) {
        String key = key(request, task);
        boolean isFirst =
                waiters(task.id()).allMatch(one -> one.request().live().equals(request.live()));
        if (key != null && !task.state().isTerminal() && isFirst) {
            put(key);
        }
    }

    /**
     * Has a request wait for the task of the same earlier call, where nobody waits for the task any longer, and nobody
     * has received its result.
     *
     * @param silent a request whose client gave it up in silence, or null
     * @return whether the request waits for the task now
     */
    boolean join(InboundRequest request, Task task, @Nullable LiveCall silent) {
        return joining.get(() -> {
            boolean isFree =
                    waiters(task.id()).allMatch(one -> one.request().live().equals(silent))
                            && has(request, task)
                            && isFreeElsewhere(request, task);
            if (isFree) {
                begin(request, task);
            }
            return isFree;
        });
    }

    /**
     * Asks the other node at which a request waits for the task, if there is one.
     *
     * @return whether {@link #join} knows more after {@link #ANSWER}
     */
    boolean asks(InboundRequest request, Task task) {
        String key = engine.rows().isShared() ? key(request, task) : null;
        String holder = key == null
                ? ""
                : engine.rows()
                        .get(SPACE, key, now())
                        .map(row -> row.value().text().replace(ASKED, ""))
                        .orElse("");
        if (holder.isEmpty() || holder.equals(nodes.id())) {
            return false;
        }
        change(key, holder, holder + ASKED);
        boolean isAlive = nodes.isAlive(holder);
        if (isAlive) {
            var body = JsonWriter.object().member("key", key).endObject();
            nodes.tellNode(holder, Kind.CALL_SOUGHT, request.session().id(), body.toJson());
        }
        return isAlive;
    }

    /** Answers another node, where a request still waits here. */
    private void sought(String key, Predicate<Waiting> isSilent) {
        if (waiters(task(key)).anyMatch(isSilent.negate())) {
            change(key, nodes.id() + ASKED, nodes.id());
        }
    }

    private void change(String key, String from, String to) {
        engine.rows().change(SPACE, key, now(), row -> row.value().text().equals(from) ? with(row, to) : row);
    }

    private static StoredRow with(StoredRow row, String holder) {
        return new StoredRow(row.space(), row.key(), Payload.ofText(holder), row.expiresAt());
    }

    /** Has this node hold the call from now on, unless another node does. */
    private boolean isFreeElsewhere(InboundRequest request, Task task) {
        String key = engine.rows().isShared() ? key(request, task) : null;
        return key == null
                || engine.rows()
                        .change(SPACE, key, now(), row -> {
                            String holder = row.value().text();
                            return holder.isEmpty() || holder.endsWith(ASKED) ? with(row, nodes.id()) : row;
                        })
                        .filter(row -> row.value().text().equals(nodes.id()))
                        .isPresent();
    }

    /** Whether the result of a call of this caller was not received yet. */
    boolean has(InboundRequest request, Task task) {
        String key = key(request, task);
        return key != null && isUndelivered(key, task.id());
    }

    private boolean isUndelivered(String key, TaskId task) {
        return !received.contains(task) && engine.rows().get(SPACE, key, now()).isPresent();
    }

    /** Carries out what an event means for a request that waits for a task, and gives its receipt after that. */
    Receipt happens(InboundRequest request, Task task, Receipt before, Event event) {
        var after = before.after(event);
        if (after == Receipt.GIVEN && before != Receipt.GIVEN) {
            return take(request, task) ? after : Receipt.RECEIVED;
        }
        if (after == Receipt.OPEN && before == Receipt.GIVEN) {
            putBack(request, task);
        }
        if (after == Receipt.OPEN && before == Receipt.AWAITED) {
            leave(request);
        }
        return after;
    }

    /** Removes the row of a result that is about to be written; false where it was removed before. */
    private boolean take(InboundRequest request, Task task) {
        String key = key(request, task);
        if (key == null || !isUndelivered(key, task.id())) {
            return false;
        }
        try {
            engine.rows().remove(SPACE, key);
        } catch (StoreException e) {
            // The client gets its result all the same.
            LOG.warn("task {}: it is not stored that its result was received: {}", task.id(), e.getMessage());
            received.add(task.id());
        }
        return true;
    }

    private void putBack(InboundRequest request, Task task) {
        received.remove(task.id());
        String key = key(request, task);
        if (key != null) {
            put(key);
        }
    }

    private void put(String key) {
        var until = now().plus(engine.limits().longestRetention());
        engine.rows().put(new StoredRow(SPACE, key, Payload.ofText(nodes.id()), until));
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

    private static TaskId task(String key) {
        return new TaskId(key.substring(key.lastIndexOf('/') + 1));
    }

    private Optional<Task> find(InboundRequest request, String key) {
        var id = task(key);
        var task = engine.find(request.owner(), id);
        if (task.isEmpty()) {
            engine.rows().remove(SPACE, key);
        }
        return task.filter(found -> !received.contains(id));
    }

    private Instant now() {
        return engine.time().now();
    }

    private static @Nullable String key(InboundRequest request, Task task) {
        String caller = caller(request);
        var call =
                new CallTool(task.spec().work(), Json.raw(task.spec().request().bytes()), CallExtras.NONE);
        return caller == null ? null : caller + "/" + digest(call) + "/" + task.id();
    }

    /** The key of a caller. Anonymous callers are told apart by their session; null where there is none. */
    private static @Nullable String caller(InboundRequest request) {
        boolean anonymous = request.principal().kind() == Principal.Kind.ANONYMOUS;
        if (anonymous && !request.manner().inSession()) {
            return null;
        }
        String name = anonymous
                ? "session " + request.session().id()
                : "owner " + request.owner().value();
        byte[] digest = JsonDigest.sha256(JsonWriter.quote(name));
        return HexFormat.of().formatHex(digest, 0, CALLER_BYTES);
    }

    private static String digest(CallTool call) {
        return CallStates.digest(new CallTool(call.tool(), call.arguments(), CallExtras.NONE));
    }
}
