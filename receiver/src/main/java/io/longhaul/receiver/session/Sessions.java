package io.longhaul.receiver.session;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.store.HandleStore;
import io.longhaul.engine.store.HandleStore.Handle;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.task.Retention;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.feature.ListMarks;
import io.longhaul.receiver.session.Session.Facts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions of the handshake era over HTTP. Each is a stored row, so that it outlives the process, and is bound to the
 * principal that opened it. One that is idle for too long is gone. Beyond the limit one of the caller that has the most
 * makes way: the one that was used the longest ago. The row of one that has created tasks is kept until the last of
 * them is past its retention, so that its client can come back to them; but for tasks whose retention is counted from
 * when it leaves.
 */
public final class Sessions {

    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);
    private static final String SPACE = "session";
    private static final int SWEEP = 1_000;

    /** Of a session whose row is looked at while it is not in use. */
    private static final Share UNKNOWN = new Share(Principal.ANONYMOUS.name());

    /**
     * One that is in memory.
     *
     * @param expiry when it is gone unless it is used; null while it has tasks
     */
    private record Entry(Session session, @Nullable Instant expiry) {
        boolean isIdle(Instant now) {
            return expiry != null && !now.isBefore(expiry) && !session.isBusy();
        }
    }

    private final Context context;
    private final JoinedTasks joined;
    private final Predicate<String> connected;
    private final ReentrantLock lock = new ReentrantLock();
    private final FairMap<Entry> recent;

    private TaskTime.Alarm alarm;
    private boolean closed;

    /** @param connected whether a session is that of an open connection, by its id */
    public Sessions(Context context, JoinedTasks joined, Predicate<String> connected) {
        this.joined = joined;
        this.context = context;
        this.connected = connected;
        recent = new FairMap<>(context.limits().sessions());
        Thread.ofVirtual().name("sessions").start(this::leave);
        alarm = nextLook();
    }

    /** @param lists as the client finds them */
    public Session open(Principal principal, Share share, Facts facts, ListMarks lists) {
        endIdle();
        var session = new Session(context.newId(), principal, share, facts);
        session.lists(lists);
        store(session);
        return session;
    }

    /** The session of that id if it is the own one of the principal of a message, and not over. */
    public Optional<Session> find(String id, Exchange message) {
        Instant now = context.now();
        Entry entry = cached(id);
        if (entry == null) {
            entry = stored(id, message.share(), now);
        } else if (entry.isIdle(now)) {
            end(entry.session());
            entry = null;
        }
        if (entry == null || !entry.session().principal().equals(message.principal())) {
            return Optional.empty();
        }
        Duration idle = context.limits().sessionIdle();
        if (entry.expiry() != null
                && entry.expiry().isBefore(now.plus(idle.multipliedBy(3).dividedBy(4)))) {
            store(entry.session());
        }
        return Optional.of(entry.session());
    }

    /** Keeps what has changed; where the disk is full, for as long as this process lives. */
    public void store(Session session) {
        Entry known = cached(session.id());
        boolean held = known != null && known.expiry() == null;
        Instant expiry = held ? null : context.now().plus(context.limits().sessionIdle());
        try {
            store(session, expiry);
        } catch (StoreFullException e) {
            LOG.debug("session {} is kept in memory alone", session.id(), e);
            remember(session, expiry);
        }
    }

    /** Keeps the row for as long as the session has tasks. */
    public void hold(Session session) {
        Entry known = cached(session.id());
        if (known != null && known.expiry() != null) {
            store(session, null);
        }
    }

    private void store(Session session, @Nullable Instant expiry) {
        var value = SessionForm.write(session);
        rows().put(new Handle(SPACE, session.id(), value, expiry));
        remember(session, expiry);
    }

    /** Ends the session, never its tasks. */
    public void end(Session session) {
        recent.remove(session.id());
        rows().remove(SPACE, session.id());
        session.close();
        joined.left(session.id());
    }

    /** Those in use. */
    public Stream<Session> all() {
        return recent.all().stream().map(Entry::session);
    }

    /** Ends all streams; the sessions go on after the next start. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            alarm.cancel();
        } finally {
            lock.unlock();
        }
        all().forEach(Session::close);
    }

    private void endIdle() {
        Instant now = context.now();
        var idle = recent.oldest(entry -> entry.isIdle(now));
        idle.forEach(entry -> end(entry.session()));
        if (!idle.isEmpty()) {
            rows().sweep(now, SWEEP);
        }
    }

    /** A session with tasks leaves the memory alone; any other ends. */
    private void makeWay(Entry entry) {
        if (entry.expiry() == null) {
            entry.session().close();
        } else {
            end(entry.session());
        }
    }

    private TaskTime.Alarm nextLook() {
        Instant next = context.now().plus(context.limits().sessionIdle());
        return context.engine()
                .time()
                .at(next, () -> Thread.ofVirtual().name("sessions").start(this::look));
    }

    /** Lets go of the sessions whose tasks are all gone: from now on they can be idle for too long. */
    private void look() {
        try {
            String after = null;
            for (var page = page(after); !page.isEmpty(); page = page(after)) {
                page.stream().filter(row -> row.expiresAt() == null).forEach(this::letGo);
                after = page.getLast().key();
            }
        } catch (StoreException e) {
            LOG.warn("sessions of tasks that are gone are looked for later: {}", e.getMessage());
        }
        leave();
        lock.lock();
        try {
            if (!closed) {
                alarm = nextLook();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sessions that are over leave the tasks that they have joined, also where they ended in an earlier process. */
    private void leave() {
        try {
            joined.sweep(id -> connected.test(id) || isOpen(id));
        } catch (StoreException e) {
            LOG.warn("sessions that are over leave their tasks later: {}", e.getMessage());
        }
    }

    private boolean isOpen(String id) {
        Instant now = context.now();
        Entry entry = cached(id);
        return entry == null ? rows().get(SPACE, id, now).isPresent() : !entry.isIdle(now);
    }

    private List<Handle> page(@Nullable String after) {
        return rows().list(SPACE, after, SWEEP, context.now());
    }

    private void letGo(Handle row) {
        Entry known = cached(row.key());
        Session session = known == null ? SessionForm.read(row.key(), UNKNOWN, row.value()) : known.session();
        if (!hasTasks(session)) {
            Instant expiry = context.now().plus(context.limits().sessionIdle());
            rows().put(new Handle(SPACE, row.key(), row.value(), expiry));
            if (known != null) {
                remember(session, expiry);
            }
            if (hasTasks(session)) {
                // One was created meanwhile.
                rows().put(new Handle(SPACE, row.key(), row.value(), null));
                remember(session, null);
            }
        }
    }

    private boolean hasTasks(Session session) {
        return SessionTasks.of(context)
                .of(session)
                .anyMatch(task -> task.status().retention().basis() != Retention.Basis.LEAVING);
    }

    private @Nullable Entry cached(String id) {
        return recent.get(id).orElse(null);
    }

    private @Nullable Entry stored(String id, Share share, Instant now) {
        return rows().get(SPACE, id, now)
                .map(row -> remember(SessionForm.read(id, share, row.value()), row.expiresAt()))
                .orElse(null);
    }

    private Entry remember(Session session, @Nullable Instant expiry) {
        List<Entry> away;
        Entry entry;
        lock.lock();
        try {
            Entry known = cached(session.id());
            entry = new Entry(known == null ? session : known.session(), expiry);
            away = recent.put(session.id(), entry.session().share(), entry);
        } finally {
            lock.unlock();
        }
        away.forEach(this::makeWay);
        return entry;
    }

    private HandleStore rows() {
        return context.engine().handles();
    }
}
