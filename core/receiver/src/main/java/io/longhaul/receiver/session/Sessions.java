// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.feature.ListMarks;
import io.longhaul.receiver.node.NodeMessage;
import io.longhaul.receiver.session.Session.Facts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions of the handshake era over HTTP. Each session is a stored row, outlives the process, and is bound to the
 * principal that opened it. A session that is idle for too long ends. Beyond the limit of sessions, the least recently
 * used session of the caller with the most sessions is evicted. The row of a session that has created tasks is kept
 * until the retention of the last task is over, so that its client can come back to the tasks. Tasks whose retention
 * counts from when the session leaves are the exception. Thread-safe.
 *
 * <p>Where other nodes write the rows too, the row decides: each message reads it, and a session whose row is gone has
 * ended. The limit of sessions then holds for the sessions that each node has opened. A node has at most as many
 * sessions of other nodes in memory; when these are evicted, they leave only its memory.
 */
public final class Sessions {

    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);
    static final String SPACE = "session";
    private static final int SWEEP = 1_000;
    private static final int ENDED = 10_000;

    /** The share of a session whose row is read while no caller uses the session. */
    private static final Share UNKNOWN = new Share(Principal.ANONYMOUS.name());

    /**
     * A session in memory.
     *
     * @param expiry   when the session ends unless a message uses it; null while it has tasks
     * @param isOwn    whether this node ends the session where there are too many sessions
     * @param isStored whether the session has a row, or had one until it ended elsewhere
     * @param asked    whether the row says that the client has asked for a task
     */
    private record Cached(Session session, @Nullable Instant expiry, boolean isOwn, boolean isStored, boolean asked) {
        boolean isIdle(Instant now) {
            return expiry != null && !now.isBefore(expiry) && !session.isBusy();
        }
    }

    private final Context context;
    private final List<Kept> kept = new CopyOnWriteArrayList<>();
    private final Predicate<String> connected;
    private final FairMap<Cached> recent;

    /** Sessions that other nodes, or earlier processes of a shared store, have opened. */
    private final FairMap<Cached> guests;

    /** The ids of the last sessions that have ended, so that a concurrent read or write does not bring one back. */
    private final Map<String, Boolean> ended = BoundedMap.byInsertion(ENDED);

    /** A session that is used with less than this time left gets its full idle time again. */
    private final Duration renewed;

    /** Whether other nodes write the rows, too. */
    private final boolean isShared;

    private TaskTime.Alarm alarm;
    private boolean closed;

    /** @param connected whether the session with an id belongs to an open connection */
    public Sessions(Context context, Predicate<String> connected) {
        this.context = context;
        this.connected = connected;
        isShared = rows().isShared();
        recent = new FairMap<>(context.limits().sessions());
        guests = new FairMap<>(context.limits().sessions());
        renewed = context.limits().sessionIdle().multipliedBy(3).dividedBy(4);
        alarm = nextReview();
    }

    /**
     * Runs {@code whenEnded} for each session that ends, and for each of the known ones that has ended in an earlier
     * process.
     *
     * @param known the ids of sessions for which something is kept
     */
    public void watch(Supplier<Stream<String>> known, Consumer<String> whenEnded) {
        kept.add(new Kept(known, whenEnded));
        Thread.ofVirtual().name("sessions").start(this::sweepKept);
    }

    /** Something is kept for sessions until they end. */
    private record Kept(Supplier<Stream<String>> sessions, Consumer<String> whenEnded) {}

    /** The session of a lasting connection has ended. */
    public void ended(String session) {
        kept.forEach(one -> one.whenEnded().accept(session));
    }

    /**
     * @param client what the client says of itself
     * @param lists  as the client knows them at the start
     */
    public Session open(Principal principal, Share share, Facts facts, Json client, ListMarks lists) {
        endIdle();
        var session = new Session(context.newId(), principal, share, facts);
        session.client(client);
        session.lists(lists);
        remember(new Cached(session, idleFromNow(), true, false, false));
        store(session);
        return session;
    }

    /**
     * The session with this id, if it belongs to the principal of the message and has not ended.
     *
     * @throws StoreException where this node does not know the session and cannot read its row, so that the session may
     *     exist
     */
    public Optional<Session> find(String id, Exchange message) {
        Instant now = context.now();
        Cached found = isShared ? current(id, message.share(), now) : known(id, message.share(), now);
        if (found == null || !found.session().principal().equals(message.principal())) {
            return Optional.empty();
        }
        if (found.expiry() != null && found.expiry().isBefore(now.plus(renewed))) {
            store(found.session());
        }
        return Optional.of(found.session());
    }

    private @Nullable Cached known(String id, Share share, Instant now) {
        Cached known = cached(id);
        if (known == null) {
            return stored(id, share, now).orElse(null);
        }
        if (known.isIdle(now)) {
            end(known.session());
            return null;
        }
        return known;
    }

    /** The session as its row has it now; while the store fails, as this node has it in memory. */
    private @Nullable Cached current(String id, Share share, Instant now) {
        Cached known = cached(id);
        try {
            if (known != null && !known.isStored()) {
                store(known.session());
                return cached(id);
            }
            var stored = stored(id, share, now);
            if (stored.isEmpty() && known != null) {
                leave(known.session());
            }
            return stored.orElse(null);
        } catch (StoreException e) {
            if (known == null) {
                throw e;
            }
            LOG.debug("session {} is taken for what it was", id, e);
            return known;
        }
    }

    /** Changes the facts of the handshake, in memory and in the row. */
    public void change(Session session, UnaryOperator<Facts> change) {
        session.change(change);
        store(session, change);
    }

    /**
     * Stores what has changed. While the store fails, the change stays in memory only: clients take an error in answer
     * to {@code initialize} for a server of another version, and give up.
     */
    void store(Session session) {
        store(session, UnaryOperator.identity());
    }

    private void store(Session session, UnaryOperator<Facts> change) {
        Cached known = cached(session.id());
        Instant expiry = known != null && known.expiry() == null ? null : idleFromNow();
        try {
            store(session, expiry, change);
        } catch (StoreException e) {
            LOG.debug("session {} is kept in memory alone", session.id(), e);
            remember(session, expiry, known == null || known.isStored());
        }
    }

    /** Keeps the row for as long as the session has tasks. */
    public void hold(Session session) {
        Cached known = cached(session.id());
        if (known != null && (known.expiry() != null || session.hasAskedForTask() && !known.asked())) {
            store(session, null, UnaryOperator.identity());
        }
    }

    private void store(Session session, @Nullable Instant expiry, UnaryOperator<Facts> change) {
        Cached known = cached(session.id());
        if (!isShared || known != null && !known.isStored()) {
            put(session.id(), SessionRow.write(session), expiry);
        } else if (change(session.id(), row -> form(session, row, change, expiry))
                .isEmpty()) {
            leave(session);
        }
        remember(session, expiry, true);
    }

    /** The row to write. For what other nodes may have changed, the current row decides. */
    private static StoredRow form(
            Session session, StoredRow row, UnaryOperator<Facts> change, @Nullable Instant expiry) {
        var there = SessionRow.read(row.key(), UNKNOWN, row.value());
        var facts = change.apply(Objects.requireNonNull(there.facts()));
        session.place(there.place());
        return new StoredRow(SPACE, row.key(), SessionRow.write(session, facts), expiry);
    }

    private Optional<StoredRow> change(String id, UnaryOperator<StoredRow> change) {
        return rows().change(SPACE, id, context.now(), change);
    }

    private void put(String id, Payload form, @Nullable Instant expiry) {
        rows().put(new StoredRow(SPACE, id, form, expiry));
        if (hasEnded(id)) {
            rows().remove(SPACE, id);
        }
    }

    private synchronized boolean hasEnded(String id) {
        return ended.containsKey(id);
    }

    /** Ends the session, never its tasks. */
    public void end(Session session) {
        forget(session);
        rows().remove(SPACE, session.id());
        context.nodes().tellIfPossible(NodeMessage.Kind.SESSION_ENDED, session.id(), Json.EMPTY_OBJECT);
        session.close();
        ended(session.id());
    }

    /** Closes a session that another node has ended. */
    public void leave(Session session) {
        forget(session);
        session.close();
    }

    private synchronized void forget(Session session) {
        ended.put(session.id(), true);
        remove(session);
    }

    public Stream<Session> all() {
        return inMemory().map(Cached::session);
    }

    /** The session with this id, where this node has it in memory. */
    public Optional<Session> inMemory(String id) {
        return Optional.ofNullable(cached(id)).map(Cached::session);
    }

    private Stream<Cached> inMemory() {
        return Stream.concat(recent.all().stream(), guests.all().stream());
    }

    /** The number of sessions in the memory of this node. */
    public int size() {
        return recent.size() + guests.size();
    }

    /** Ends all streams; the sessions go on after the next start. */
    public void close() {
        synchronized (this) {
            closed = true;
            alarm.cancel();
        }
        all().forEach(Session::close);
    }

    private void endIdle() {
        Instant now = context.now();
        var idle = Stream.of(recent, guests)
                .flatMap(all -> all.oldest(session -> session.isIdle(now)).stream())
                .toList();
        idle.forEach(isShared ? this::drop : session -> end(session.session()));
        if (!idle.isEmpty()) {
            rows().sweep(now, SWEEP);
        }
    }

    /** Evicts a session. One with tasks, or of another node, leaves only the memory; any other ends. */
    private void evict(Cached session) {
        if (session.expiry() == null || !session.isOwn()) {
            drop(session);
        } else {
            end(session.session());
        }
    }

    /** Removes the session from the memory of this node. The session goes on when it is used again. */
    private void drop(Cached session) {
        remove(session.session());
        session.session().close();
    }

    private void remove(Session session) {
        recent.remove(session.id());
        guests.remove(session.id());
    }

    private TaskTime.Alarm nextReview() {
        var idle = context.limits().sessionIdle();
        // A session that is in use here is renewed well before other nodes take it for idle.
        var period = isShared ? idle.dividedBy(4) : idle;
        return context.after(period, () -> Thread.ofVirtual().name("sessions").start(this::review));
    }

    /** Releases the sessions whose tasks are all gone: their idle time counts from now on. */
    private void review() {
        try {
            if (isShared) {
                inMemory()
                        .filter(known ->
                                known.expiry() != null && known.session().isBusy())
                        .forEach(known -> store(known.session()));
            }
            Context.rows(context.engine(), SPACE, "")
                    .filter(row -> row.expiresAt() == null)
                    .forEach(this::releaseWithoutTasks);
        } catch (StoreException e) {
            LOG.warn("sessions of tasks that are gone are looked for later: {}", e.getMessage());
        }
        sweepKept();
        synchronized (this) {
            if (!closed) {
                alarm = nextReview();
            }
        }
    }

    private void sweepKept() {
        try {
            for (var one : kept) {
                one.sessions()
                        .get()
                        .filter(id -> !connected.test(id) && !isOpen(id))
                        .forEach(one.whenEnded());
            }
        } catch (StoreException e) {
            LOG.warn("sessions that are over are swept later: {}", e.getMessage());
        }
    }

    private boolean isOpen(String id) {
        Instant now = context.now();
        Cached known = isShared ? null : cached(id);
        return known == null ? !hasEnded(id) && rows().get(SPACE, id, now).isPresent() : !known.isIdle(now);
    }

    private void releaseWithoutTasks(StoredRow row) {
        Cached known = cached(row.key());
        Session session = known == null ? SessionRow.read(row.key(), UNKNOWN, row.value()) : known.session();
        if (!hasTasks(session)) {
            Instant expiry = idleFromNow();
            release(row.key(), known, expiry);
            if (hasTasks(session)) {
                // A task was created meanwhile.
                release(row.key(), known, null);
            }
        }
    }

    private void release(String id, @Nullable Cached known, @Nullable Instant expiry) {
        change(id, row -> new StoredRow(SPACE, id, row.value(), expiry));
        if (known != null) {
            remember(new Cached(known.session(), expiry, known.isOwn(), known.isStored(), known.asked()));
        }
    }

    private boolean hasTasks(Session session) {
        return SessionTasks.of(context)
                .of(session)
                .anyMatch(task -> task.status().retention().basis() != Retention.Basis.LEAVING);
    }

    private @Nullable Cached cached(String id) {
        return recent.get(id).or(() -> guests.get(id)).orElse(null);
    }

    private Optional<Cached> stored(String id, Share share, Instant now) {
        return rows().get(SPACE, id, now)
                .flatMap(row -> remember(SessionRow.read(id, share, row.value()), row.expiresAt(), true));
    }

    private Optional<Cached> remember(Session session, @Nullable Instant expiry, boolean isStored) {
        return remember(new Cached(session, expiry, !isShared, isStored, session.hasAskedForTask()));
    }

    /** Puts a session in memory; empty where the session has ended meanwhile. */
    private Optional<Cached> remember(Cached now) {
        List<Cached> evicted;
        Cached cached;
        var session = now.session();
        synchronized (this) {
            if (ended.containsKey(session.id())) {
                return Optional.empty();
            }
            Cached known = cached(session.id());
            if (known == null) {
                cached = now;
            } else {
                if (isShared) {
                    known.session().refresh(session);
                }
                cached = new Cached(known.session(), now.expiry(), known.isOwn(), now.isStored(), now.asked());
            }
            evicted = (cached.isOwn() ? recent : guests)
                    .put(session.id(), cached.session().share(), cached);
        }
        evicted.forEach(this::evict);
        return Optional.of(cached);
    }

    private Instant idleFromNow() {
        return context.now().plus(context.limits().sessionIdle());
    }

    private RowStore rows() {
        return context.engine().rows();
    }
}
