// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.feature.ListMarks;
import io.longhaul.receiver.plan.Leaving;
import io.longhaul.receiver.plan.Left;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The space in which the request ids of one client live: a session of the handshake era, a lasting connection, or a
 * single request that stands alone. A session routes messages and never owns a task.
 */
public final class Session {

    /**
     * What the handshake settled.
     *
     * @param version      the protocol version
     * @param capabilities of the client
     * @param logLevel     the least level that the client wants, or null where the client has set none
     * @param watched      the resources whose changes the client wants to know
     */
    public record Facts(
            String version,
            Capabilities capabilities,
            @Nullable String logLevel,
            Set<String> watched) {

        public Facts {
            watched = watched.isEmpty() ? Set.of() : Collections.unmodifiableSet(new LinkedHashSet<>(watched));
        }

        public Facts withLogLevel(String level) {
            return new Facts(version, capabilities, level, watched);
        }

        public Facts watching(String uri) {
            var more = new LinkedHashSet<>(watched);
            more.add(uri);
            return new Facts(version, capabilities, logLevel, more);
        }

        public Facts ignoring(String uri) {
            var less = new LinkedHashSet<>(watched);
            less.remove(uri);
            return new Facts(version, capabilities, logLevel, less);
        }
    }

    /** State that another package keeps with a session, in memory. Thread-safe. */
    public interface Part {
        /** Whether the session is in use because of this part. */
        default boolean isBusy() {
            return false;
        }

        /** Ends this part with its session; may be called again. */
        default void close() {}
    }

    private final String id;
    private final Principal principal;
    private final Share share;
    private final ConcurrentHashMap<RequestId, LiveCall> calls = new ConcurrentHashMap<>();

    /** Null where messages come in order: no cancellation overtakes its request. */
    private final @Nullable EarlyCancellations early;

    private final Map<Class<?>, Part> parts = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private volatile @Nullable ListMarks lists;
    private final AtomicReference<@Nullable Facts> facts;
    private volatile Json client = Json.EMPTY_OBJECT;
    private volatile boolean knowsTasks;
    private volatile StreamPlaces.@Nullable Place place;

    /**
     * @param share the share of the sessions that this session counts against
     * @param facts null where the session is settled later, by a message on its own connection
     */
    public Session(String id, Principal principal, Share share, @Nullable Facts facts) {
        this.id = id;
        this.principal = principal;
        this.share = share;
        early = facts == null ? null : new EarlyCancellations();
        this.facts = new AtomicReference<>(facts);
    }

    public String id() {
        return id;
    }

    public Principal principal() {
        return principal;
    }

    Share share() {
        return share;
    }

    public Owner owner() {
        return new Owner(principal.name());
    }

    /** Whether all messages of the session come to this node, as for a lasting connection or a single request. */
    public boolean isOfThisNode() {
        return early == null;
    }

    /** What the handshake settled, or null before it. */
    @Nullable
    public Facts facts() {
        return facts.get();
    }

    public void settle(Facts settled) {
        facts.set(settled);
    }

    /** What the client says of itself: its name and version. For decisions of convenience, never trusted. */
    public Json client() {
        return client;
    }

    public void client(Json info) {
        client = info;
    }

    public boolean hasAskedForTask() {
        return knowsTasks;
    }

    public void knowsTasks() {
        knowsTasks = true;
    }

    /** Takes over from the stored session what a request at another node can have changed. */
    void refresh(Session stored) {
        facts.set(stored.facts());
        knowsTasks = knowsTasks || stored.knowsTasks;
        place = stored.place;
    }

    /** The node that carries the streams of the session, as last read from its row; null where no stream was opened. */
    StreamPlaces.@Nullable Place place() {
        return place;
    }

    void place(StreamPlaces.@Nullable Place now) {
        place = now;
    }

    public void change(UnaryOperator<Facts> change) {
        facts.updateAndGet(before -> change.apply(Objects.requireNonNull(before)));
    }

    /** The requests of the server to the client that wait for a response, except the questions of tasks. */
    public PendingRequests pending() {
        return part(PendingRequests.class, PendingRequests::new);
    }

    /** The part of a type; made by {@code made} where the session has none yet. */
    public <T extends Part> T part(Class<T> type, Supplier<T> made) {
        Part known = parts.get(type);
        if (known == null) {
            T added = made.get();
            known = parts.putIfAbsent(type, added);
            if (known == null) {
                // The close of the session may have missed this part. No lock of the session is held here, because the
                // caller may hold a lock of the part.
                if (closed) {
                    added.close();
                }
                return added;
            }
        }
        return type.cast(known);
    }

    /** The lists as the client knows them, or null where that is unknown. */
    @Nullable
    public ListMarks lists() {
        return lists;
    }

    public void lists(ListMarks told) {
        lists = told;
    }

    public UrlElicitations urlElicitations() {
        return part(UrlElicitations.class, UrlElicitations::new);
    }

    /**
     * Begins a request; empty where another request with the same id is being answered.
     *
     * @param endless whether the request is answered only when the client gives it up
     */
    public Optional<LiveCall> begin(RequestId id, boolean endless) {
        var call = new LiveCall(id, endless);
        if (calls.putIfAbsent(id, call) != null) {
            return Optional.empty();
        }
        if (early != null && early.arrived(id)) {
            call.leave(Left.CANCELLED);
        }
        return Optional.of(call);
    }

    public Optional<LiveCall> live(RequestId id) {
        return Optional.ofNullable(calls.get(id));
    }

    /**
     * Cancels a request that the client gives up, even one that is still to come. Empty where no such request is being
     * answered, or where it was stopped before.
     */
    public Optional<LiveCall> cancel(RequestId id, @Nullable String reason) {
        if (early != null && !calls.containsKey(id)) {
            early.cancel(id);
        }
        return live(id).filter(call -> call.leave(call.leaving().cancelled(reason)));
    }

    /**
     * Begins again a request whose connection broke, and stops the earlier attempt to answer it.
     *
     * @param task    the task of the call, or null
     * @param leaving what becomes of the task when the client leaves
     */
    public LiveCall resume(RequestId id, @Nullable TaskId task, Leaving leaving) {
        var call = new LiveCall(id, false);
        if (task != null) {
            call.waitsFor(task, leaving);
        }
        LiveCall before = calls.put(id, call);
        if (before != null) {
            before.leave(Left.STOPPED);
        }
        if (closed) {
            call.leave(Left.CLOSED);
        }
        return call;
    }

    /** Ends a request right before its answer, or without one; a second call does nothing. */
    public void end(LiveCall call) {
        call.ended().complete(null);
        if (early != null && call.equals(calls.get(call.id()))) {
            early.ended(call.id());
        }
        calls.remove(call.id(), call);
    }

    /** Whether the session is in use: it has a request, or a busy part. */
    boolean isBusy() {
        return !calls.isEmpty() || parts.values().stream().anyMatch(Part::isBusy);
    }

    /** The client sends no more messages: ends all requests that only a message could end. */
    public void inputEnded() {
        calls.values().stream().filter(LiveCall::isEndless).forEach(call -> call.leave(Left.STOPPED));
        pending().close();
    }

    /** Ends all streams and calls of the session; its tasks go on. */
    public void close() {
        closed = true;
        calls.values().forEach(call -> call.leave(Left.CLOSED));
        parts.values().forEach(Part::close);
    }
}
