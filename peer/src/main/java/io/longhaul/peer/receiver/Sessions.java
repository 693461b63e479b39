package io.longhaul.peer.receiver;

import io.longhaul.engine.store.HandleStore;
import io.longhaul.engine.store.HandleStore.Handle;
import io.longhaul.peer.receiver.Session.Facts;
import io.longhaul.protocol.transport.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of the handshake era over HTTP. Each is a stored row, so that it outlives the process, and is bound to the
 * principal that opened it. One that is idle for too long is gone, and beyond the limit the one that was used the
 * longest ago makes way.
 */
final class Sessions {

    private static final String SPACE = "session";
    private static final int SWEEP = 1_000;

    private record Entry(Session session, Instant expiry) {}

    private final Context context;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Entry> recent = new LinkedHashMap<>(16, 0.75f, true);

    Sessions(Context context) {
        this.context = context;
    }

    Session open(Principal principal, Facts facts) {
        var session = new Session(context.newId(), principal, facts);
        store(session);
        makeRoom();
        return session;
    }

    /** The session of that id if it is this principal's own and not over. */
    Optional<Session> find(String id, Principal principal) {
        Instant now = context.now();
        Entry entry = cached(id);
        if (entry == null) {
            entry = stored(id, now);
        } else if (!now.isBefore(entry.expiry()) && !entry.session().isBusy()) {
            end(entry.session());
            entry = null;
        }
        if (entry == null || !entry.session().principal().equals(principal)) {
            return Optional.empty();
        }
        Duration idle = context.limits().sessionIdle();
        if (entry.expiry().isBefore(now.plus(idle.multipliedBy(3).dividedBy(4)))) {
            store(entry.session());
        }
        return Optional.of(entry.session());
    }

    /** Keeps what has changed. */
    void store(Session session) {
        Instant expiry = context.now().plus(context.limits().sessionIdle());
        var value = SessionForm.write(session.principal(), Objects.requireNonNull(session.facts()));
        rows().put(new Handle(SPACE, session.id(), value, expiry));
        remember(session, expiry);
    }

    /** Ends the session, never its tasks. */
    void end(Session session) {
        lock.lock();
        try {
            recent.remove(session.id());
        } finally {
            lock.unlock();
        }
        rows().remove(SPACE, session.id());
        session.close();
    }

    /** Those in use. */
    Stream<Session> all() {
        lock.lock();
        try {
            return List.copyOf(recent.values()).stream().map(Entry::session);
        } finally {
            lock.unlock();
        }
    }

    /** Ends all streams; the sessions go on after the next start. */
    void close() {
        all().forEach(Session::close);
    }

    private void makeRoom() {
        Instant now = context.now();
        List<Session> over = new ArrayList<>();
        lock.lock();
        try {
            int tooMany = recent.size() - context.limits().sessions();
            for (Entry entry : recent.values()) {
                boolean idle = !now.isBefore(entry.expiry()) && !entry.session().isBusy();
                if (!idle && over.size() >= tooMany) {
                    break;
                }
                over.add(entry.session());
            }
        } finally {
            lock.unlock();
        }
        over.forEach(this::end);
        if (!over.isEmpty()) {
            rows().sweep(now, SWEEP);
        }
    }

    private @Nullable Entry cached(String id) {
        lock.lock();
        try {
            return recent.get(id);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Entry stored(String id, Instant now) {
        return rows().get(SPACE, id, now)
                .map(row ->
                        remember(SessionForm.read(id, row.value()), row.expiresAt() == null ? now : row.expiresAt()))
                .orElse(null);
    }

    private Entry remember(Session session, Instant expiry) {
        lock.lock();
        try {
            Entry known = recent.get(session.id());
            var entry = new Entry(known == null ? session : known.session(), expiry);
            recent.put(session.id(), entry);
            return entry;
        } finally {
            lock.unlock();
        }
    }

    private HandleStore rows() {
        return context.engine().handles();
    }
}
