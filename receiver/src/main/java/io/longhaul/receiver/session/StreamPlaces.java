// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.Context;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Knows which node carries the side streams of a session, which belong to no request: the node at which such a stream
 * was opened last. The row of the session names the node. Where the store is not shared, there is only this node.
 */
public record StreamPlaces(Context context) {

    private static final Share NONE = new Share(Principal.ANONYMOUS.name());

    /**
     * The node that carries the streams of a session.
     *
     * @param since when the node took the streams
     * @param quiet since when no stream is open; null while one is open, or where the node has died
     */
    public record Place(
            String node, Instant since, @Nullable Instant quiet) {}

    /** Has this node carry the streams from now on; gives the earlier place where another node carried them. */
    public Optional<Place> take(Session session) {
        if (isOfOneNode(session)) {
            return Optional.empty();
        }
        var before = new AtomicReference<@Nullable Place>();
        change(session, there -> {
            before.set(there);
            return new Place(context.nodes().id(), context.now(), null);
        });
        return Optional.ofNullable(before.get()).filter(this::isElsewhere);
    }

    /** Records that the last stream of this node has closed, unless another node carries the streams by now. */
    public void leave(Session session) {
        if (!isOfOneNode(session)) {
            change(
                    session,
                    there -> there == null || isElsewhere(there)
                            ? there
                            : new Place(there.node(), there.since(), context.now()));
        }
    }

    /** The other node that carries an open stream of the session. */
    public Optional<String> elsewhere(Session session) {
        return isOfOneNode(session)
                ? Optional.empty()
                : context.engine()
                        .rows()
                        .get(Sessions.SPACE, session.id(), context.now())
                        .flatMap(row -> Optional.ofNullable(read(row).place()))
                        .filter(place -> isElsewhere(place) && place.quiet() == null)
                        .map(Place::node);
    }

    /** The time from which that node may have told the client nothing: what happens later may be told again. */
    public Instant quietSince(Place place) {
        if (place.quiet() != null) {
            return place.quiet();
        }
        return context.nodes().isAlive(place.node()) ? context.now() : place.since();
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
            return new StoredRow(row.space(), row.key(), SessionForm.write(there), row.expiresAt());
        });
    }

    private static Session read(StoredRow row) {
        return SessionForm.read(row.key(), NONE, row.value());
    }
}
