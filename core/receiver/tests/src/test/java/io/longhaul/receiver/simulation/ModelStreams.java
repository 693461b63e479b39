// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.receiver.simulation.ModelStream.Kind;
import io.longhaul.receiver.simulation.ModelStream.Position;
import io.longhaul.receiver.simulation.ModelStream.Taken;
import io.longhaul.receiver.simulation.ModelStream.Told;
import io.longhaul.server.Served;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The streams of a client with a session: it opens them, leaves them, comes back to them, and reads them. */
final class ModelStreams {

    private static final int GETS = 2;
    private static final int STREAMS = 12;

    private final ModelSession client;
    private final ModelReader reader;
    private final List<ModelStream> streams = new ArrayList<>();

    ModelStreams(ModelSession client) {
        this.client = client;
        reader = new ModelReader(client);
    }

    /** A step of the simulation begins. */
    void next() {
        streams.removeIf(stream -> stream.over && !stream.broken || streams.size() > STREAMS && !stream.isOpen());
        streams.forEach(ModelStream::next);
    }

    ModelStream add(Kind kind, @Nullable ModelWork work, ModelWire wire) {
        var stream = new ModelStream(kind, work, wire);
        streams.add(stream);
        return stream;
    }

    /** The stream that was added last. */
    ModelStream last() {
        return streams.getLast();
    }

    void joins(ModelLedger ledger) {
        streams.forEach(stream -> stream.joins(ledger));
    }

    List<ModelStream> open() {
        return streams.stream().filter(ModelStream::isOpen).toList();
    }

    /** An event that was seen on any stream. */
    Optional<Taken> anySeen() {
        return streams.stream()
                .flatMap(stream -> stream.taken.stream())
                .filter(Taken::isSeen)
                .findAny();
    }

    /** Another session begins. */
    void clear() {
        streams.clear();
    }

    // What the client does; each returns whether it could be done.

    boolean get() {
        if (!client.way.isToldInSession() || gets() >= GETS) {
            return false;
        }
        add(Kind.GET, null, client.world.server().get(client.headers));
        return true;
    }

    private long gets() {
        return streams.stream()
                .filter(stream -> stream.kind == Kind.GET && stream.isOpen())
                .count();
    }

    boolean leave() {
        return client.any(streams, stream -> stream.isOpen() && stream.kind != Kind.LOOK, stream -> {
            // The connection breaks in the middle of a message: what came before was read.
            stream.wasSlow |= stream.slow;
            for (int whole = client.world.random.nextInt(4); whole > 0; whole--) {
                stream.wire.read().ifPresent(event -> take(stream, event));
            }
            stream.broken = true;
            stream.slow = false;
            stream.wire.leave();
            client.ledgers.values().forEach(ledger -> ledger.lost(stream, client.world.hasNodes()));
            if (isOwn(stream) && !stream.steady) {
                client.ledgers.values().forEach(ModelLedger::owesNoMore);
            }
        });
    }

    boolean stall() {
        return client.any(
                streams,
                stream -> stream.isOpen() && !stream.slow && stream.kind != Kind.LOOK,
                stream -> stream.slow = true);
    }

    boolean goOn() {
        return client.any(streams, stream -> stream.slow, stream -> {
            stream.slow = false;
            stream.wasSlow = true;
        });
    }

    /** Comes back to a stream with an event id that was seen on it. */
    boolean resume() {
        return client.any(
                streams,
                stream -> stream.broken
                        && (stream.kind != Kind.GET || gets() < GETS)
                        && (client.way != ModelWay.OPERATION
                                || !carries(
                                        stream.work, other -> stream.kind == other.kind && stream.kind == Kind.CALL))
                        && stream.taken.stream().anyMatch(Taken::isSeen),
                this::resume);
    }

    private void resume(ModelStream stream) {
        take(stream);
        int at = stream.taken.size() - 1;
        while (at > 0 && client.world.random.nextInt(3) == 0
                || !stream.taken.get(at).isSeen()) {
            at = at == 0 ? stream.taken.size() - 1 : at - 1;
        }
        var after = stream.taken.subList(at + 1, stream.taken.size());
        after.forEach(event -> forget(stream, event));
        after.clear();
        int last = at;
        client.ledgers.values().stream()
                .filter(ledger -> stream.equals(ledger.holder) && ledger.heldAt > last)
                .forEach(ledger -> ledger.holder = null);
        var more = new HashMap<>(client.headers);
        more.put("Last-Event-ID", stream.taken.get(at).id());
        client.world.log("  " + stream.kind + " from " + stream.taken.get(at).id());
        stream.resumed(client.world.server().get(more));
        if (stream.isOfEarlierServer && stream.kind == Kind.GET) {
            var from = Position.of(stream.taken.get(at).id());
            client.ledgers.values().forEach(ledger -> ledger.owes(stream, from));
        }
        stream.isOfEarlierServer = false;
    }

    /** The server was killed, with all connections. */
    void lost() {
        open().forEach(stream -> {
            stream.wasSlow |= stream.slow;
            if (client.world.random.nextBoolean()) {
                take(stream);
            }
            stream.broken = true;
            stream.slow = false;
        });
        streams.forEach(stream -> stream.isOfEarlierServer = true);
    }

    /** The streams of calls of which the client knows nothing to come back to; they are forgotten. */
    List<ModelStream> removeUnseenCalls() {
        var unseen = streams.stream()
                .filter(stream ->
                        stream.kind == Kind.CALL && stream.taken.stream().noneMatch(Taken::isSeen))
                .toList();
        streams.removeAll(unseen);
        return unseen;
    }

    /** What came after the event that a client names is told again on that stream. */
    private void forget(ModelStream stream, Taken event) {
        // A question is looked for apart.
        if (isOwn(stream) && event.told().of() instanceof ModelSeries series) {
            series.forget(event.told().number());
        } else if (isOwn(stream) && event.told().of() instanceof ModelLedger ledger) {
            ledger.forgetEnd();
        } else if (stream.isOfEarlierServer && event.told().of() instanceof ModelSeries series) {
            // A stream that goes on from the record tells at least once. The server, which knows the id of the client
            // alone, takes it for new, and for another stream where this one breaks.
            series.mayRepeat(event.told().number());
        }
    }

    /** Whether what goes on the stream goes on no other. */
    private boolean isOwn(ModelStream stream) {
        return stream.kind == Kind.GET || stream.kind == Kind.CALL && !client.way.isAnsweredInTheEnd();
    }

    // What the client reads.

    /** Takes events in the order in which they were sent, whatever streams they are on. */
    void take() {
        for (var next = earliest(); next.isPresent(); next = earliest()) {
            var stream = next.get();
            stream.wire.read().ifPresent(event -> take(stream, event));
            settle(stream);
        }
        streams.stream().filter(stream -> !stream.slow).toList().forEach(this::settle);
    }

    private Optional<ModelStream> earliest() {
        return streams.stream()
                .filter(stream -> !stream.slow && stream.wire.next().isPresent())
                .min(Comparator.comparing(stream -> stream.wire.next().getAsLong()));
    }

    private void take(ModelStream stream) {
        for (var event = stream.wire.read(); event.isPresent(); event = stream.wire.read()) {
            take(stream, event.get());
        }
        settle(stream);
    }

    /** What was being written when the client had left may be told elsewhere; a stream may have ended. */
    private void settle(ModelStream stream) {
        stream.wire.inFlight().filter(event -> !event.data().isEmpty()).ifPresent(event -> {
            if (Told.of(Served.json(event.data()), client.ledgers) instanceof Told(ModelSeries series, int number)) {
                series.doubt(number);
            }
        });
        if (stream.wire.isEnded() && !stream.over && !stream.broken) {
            stream.over = true;
            end(stream);
        }
    }

    private void take(ModelStream stream, ModelWire.Event event) {
        var message = event.data().isEmpty() ? null : Served.json(event.data());
        client.saw(stream.kind + (stream.broken ? " (lost)" : ""), event);
        stream.sees(event.id());
        var told = stream.wire.status() == 200 && message != null
                ? reader.message(stream, message, event.order())
                : Told.NOTHING;
        stream.taken.add(new Taken(event.id(), message, told, stream.broken));
    }

    private void end(ModelStream stream) {
        int status = stream.wire.status();
        client.hold(status == 200 || status == 405, () -> stream.kind + " was answered with " + status);
        boolean isElsewhere = client.world.hasNodes();
        client.hold(isElsewhere || stream.kind != Kind.GET, () -> "a GET stream ended");
        if (stream.kind == Kind.GET) {
            client.ledgers.values().forEach(ledger -> ledger.lost(stream, isElsewhere));
        }
        if (isOwn(stream) && stream.work != null) {
            client.ledgers.get(stream.work.name).owesNoMore();
        }
        boolean isLive = stream.work != null && !stream.work.over;
        if (client.way == ModelWay.OPERATION && stream.kind == Kind.CALL && isLive) {
            client.hold(stream.responded, () -> "the stream of an operation ended before that");
            // Its client can come back for what is told of the operation.
            stream.broken = true;
        } else {
            client.hold(!isLive || stream.responded, () -> "the stream of a request ended before its task");
        }
    }

    // What the client must have read.

    boolean anySlow() {
        return streams.stream().anyMatch(stream -> stream.slow);
    }

    /** All is at rest: holds the requests that must have been answered. */
    void check(Instant now) {
        streams.stream().filter(stream -> !stream.slow && stream.isOpen()).forEach(stream -> {
            client.hold(stream.kind != Kind.LOOK, () -> "a look was not answered");
            client.hold(now.isBefore(stream.until), () -> "a request was not answered in its time");
        });
    }

    /** Whether a stream is open that carries what is told of the task. */
    boolean carries(ModelLedger ledger, Predicate<ModelStream> which) {
        return carries(ledger.work, stream -> which.test(stream) && (stream.work != null || ledger.wasOfSession));
    }

    boolean carries(ModelWork work, Predicate<ModelStream> which) {
        return streams.stream().anyMatch(stream -> stream.isOpenFor(work) && which.test(stream));
    }
}
