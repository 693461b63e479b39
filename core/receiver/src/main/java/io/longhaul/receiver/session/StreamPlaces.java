// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.node.NodeMessage;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which node carries the side streams of a session, which belong to no request: the node at which such a stream
 * was opened last. The row of the session names the node. Where the store is not shared, there is only this node.
 */
public record StreamPlaces(Context context) {

    private static final Logger LOG = LoggerFactory.getLogger(StreamPlaces.class);
    private static final Share NONE = new Share(Principal.ANONYMOUS.name());

    /**
     * The node that carries the streams of a session.
     *
     * @param since when the node opened the newest of the streams
     * @param quiet since when no stream is open; null while one is open, or where the node has died
     */
    public record Place(
            String node, Instant since, @Nullable Instant quiet) {}

    /** The requests of a session whose side streams this node carries, or is about to open. */
    private static final class Carried implements Session.Part {
        private final Guard lock = new Guard();
        private final Set<Exchange> requests = new HashSet<>();
        /** When the client left the last one of the streams that have ended. */
        private Instant quiet = Instant.MIN;

        static Carried of(Session session) {
            return session.part(Carried.class, Carried::new);
        }
    }

    /**
     * Has this node carry the streams from now on, because a request is about to open one. Where another node carried
     * the streams, runs an action with its place, and with the time from which it may have told the client nothing:
     * what happens later may be told again. {@link #leave} must follow.
     */
    public void take(Session session, Exchange request, BiConsumer<Place, Instant> fromElsewhere) {
        if (isOfOneNode(session)) {
            return;
        }
        var before = new AtomicReference<@Nullable Place>();
        var carried = Carried.of(session);
        carried.lock.run(() -> {
            var now = context.now();
            change(session, there -> {
                before.set(there);
                return new Place(context.nodes().id(), now, null);
            });
            carried.requests.add(request);
            Optional.ofNullable(before.get())
                    .filter(this::isElsewhere)
                    .ifPresent(place -> fromElsewhere.accept(place, quietSince(place, now)));
        });
    }

    private Instant quietSince(Place place, Instant now) {
        if (place.quiet() != null) {
            return place.quiet();
        }
        return context.nodes().isAlive(place.node()) ? now : place.since();
    }

    /**
     * Ends what {@link #take} began; does nothing when called again. After the last stream of this node, records since
     * when the session has none. Where the client had opened its next stream before, the node of that stream is told
     * what the ended one has not brought.
     *
     * @param quiet since when the client may have been told nothing on the stream that has ended
     */
    public void leave(Session session, Exchange request, Supplier<Instant> quiet) {
        if (isOfOneNode(session)) {
            return;
        }
        var carried = Carried.of(session);
        carried.lock.run(() -> {
            if (carried.requests.remove(request)) {
                var gone = quiet.get();
                carried.quiet = gone.isAfter(carried.quiet) ? gone : carried.quiet;
                leave(session, gone, carried.requests.isEmpty() ? carried.quiet : null);
            }
        });
    }

    /**
     * Takes the message that the client may have been told nothing on an earlier stream since it left that: runs an
     * action that tells it here, while this node has a stream open; otherwise the place of the next stream learns it.
     *
     * @param action false where it cannot tell the client now
     */
    public void leftElsewhere(Session session, Instant quiet, BooleanSupplier action) {
        Carried.of(session).lock.run(() -> {
            boolean isTold =
                    here(session).filter(place -> place.quiet() == null).isPresent() && action.getAsBoolean();
            if (!isTold) {
                leave(session, quiet, null);
            }
        });
    }

    /** @param quietHere since when no stream is open here; null while one is */
    private void leave(Session session, Instant gone, @Nullable Instant quietHere) {
        var now = new AtomicReference<@Nullable Place>();
        change(session, there -> {
            now.set(there);
            if (there == null) {
                return null;
            }
            var quiet = there.quiet() == null && !isElsewhere(there) ? quietHere : there.quiet();
            boolean isEarlier = quiet != null && gone.isBefore(quiet);
            return new Place(there.node(), there.since(), isEarlier ? gone : quiet);
        });
        Optional.ofNullable(now.get())
                .filter(place -> place.quiet() == null && gone.isBefore(place.since()))
                .ifPresent(place -> context.nodes()
                        .tellNode(place.node(), NodeMessage.Kind.STREAM_LEFT, session.id(), quiet(gone)));
    }

    private static Json quiet(Instant gone) {
        return JsonWriter.object().member("quiet", gone.toString()).endObject().toJson();
    }

    /** The place of the streams of the session, where another node has one open. */
    public Optional<Place> elsewhere(Session session) {
        return isOfOneNode(session)
                ? Optional.empty()
                : current(session).filter(place -> isElsewhere(place) && place.quiet() == null);
    }

    /**
     * Takes the message that another node has opened a stream: runs an action that ends the streams here, unless this
     * node has opened a newer one since. Where the store fails, the streams end: the client opens another one.
     */
    public void openedElsewhere(Session session, Runnable end) {
        var carried = Carried.of(session);
        carried.lock.run(() -> {
            if (!isStillHere(session)) {
                end.run();
            }
        });
    }

    private boolean isStillHere(Session session) {
        try {
            return here(session).isPresent();
        } catch (StoreException e) {
            LOG.info("the streams of session {} end: where its newest one is cannot be read", session.id(), e);
            return false;
        }
    }

    /**
     * Runs an action for a message about the stream that this node opened at a time. Where another stream was opened
     * since, it has begun with all that goes on; where it is at another node, it is also told the ends since
     * {@code quiet}, unless it was told so when this node left its last stream.
     */
    public void withStream(Session session, Instant since, Instant quiet, Runnable action) {
        var carried = Carried.of(session);
        carried.lock.run(() -> {
            var place = here(session);
            if (place.isEmpty()) {
                if (!carried.requests.isEmpty() || quiet.isBefore(carried.quiet)) {
                    leave(session, quiet, null);
                }
            } else if (place.get().since().equals(since)) {
                action.run();
            }
        });
    }

    private Optional<Place> here(Session session) {
        return current(session).filter(place -> !isElsewhere(place));
    }

    private Optional<Place> current(Session session) {
        return context.engine()
                .rows()
                .get(Sessions.SPACE, session.id(), context.now())
                .flatMap(row -> Optional.ofNullable(read(row).place()));
    }

    private boolean isElsewhere(Place place) {
        return !place.node().equals(context.nodes().id());
    }

    private boolean isOfOneNode(Session session) {
        return session.isOfThisNode() || !context.engine().rows().isShared();
    }

    private void change(Session session, Function<@Nullable Place, @Nullable Place> change) {
        context.engine().rows().change(Sessions.SPACE, session.id(), context.now(), row -> {
            var there = read(row);
            there.place(change.apply(there.place()));
            return new StoredRow(row.space(), row.key(), SessionRow.write(there), row.expiresAt());
        });
    }

    private static Session read(StoredRow row) {
        return SessionRow.read(row.key(), NONE, row.value());
    }
}
