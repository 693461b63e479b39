package io.longhaul.server;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A stream as a model client knows it: the events that it took, whatever connections carried them. */
final class ModelStream {

    enum Kind {
        /** For what belongs to no request. */
        GET,
        /** Answers a request for the outcome of a task. */
        WAIT,
        /** Answers a call in its end. */
        CALL
    }

    /**
     * An event that was sent.
     *
     * @param message null where it only primes the stream
     * @param lost    whether the client had left
     */
    record Taken(@Nullable String id, @Nullable JsonNode message, boolean lost) {
        /** Whether the client can come back behind the event. */
        boolean isSeen() {
            return id != null && !lost;
        }
    }

    /**
     * How far a client was told, as the id of an event says.
     *
     * @param at   all that happened before this time was told
     * @param task of which all was told up to the event, or empty
     */
    record Position(Instant at, String task) {
        static Position of(String id) {
            var parts = id.split("\\.", -1);
            return new Position(Instant.ofEpochMilli(Long.parseLong(parts[3])), parts[4]);
        }

        /** Whether something that happened to a task is to be told from here on. */
        boolean isBefore(ModelWork work, Instant happened) {
            return task.equals(work.id) ? at.isBefore(happened) : !at.isAfter(happened);
        }
    }

    final Kind kind;

    /** What it waits for or calls, or null. */
    final @Nullable ModelWork work;

    /** All that was sent, also what got lost when the client left. */
    final List<Taken> taken = new ArrayList<>();

    /** How many events were taken under earlier names. */
    private int named;

    ModelWire wire;

    /** The server was killed since the client has opened or resumed the stream: it goes on from the record. */
    boolean isOfEarlierServer;

    /** The client has left, and does not know what was sent since. */
    boolean broken;

    /** The client does not read. */
    boolean slow;

    /** The client did not read until the present step of the simulation. */
    boolean wasSlow;

    /** The client came back in the present step of the simulation: what it had was put elsewhere until then. */
    boolean isBack;

    /** The server has ended the stream. */
    boolean over;

    boolean responded;

    /** Open since before the present step of the simulation. */
    boolean steady;

    /** The stream goes on from the record, which tells again what the session was told elsewhere. */
    boolean alone;

    ModelStream(Kind kind, @Nullable ModelWork work, ModelWire wire) {
        this.kind = kind;
        this.work = work;
        this.wire = wire;
    }

    /** The next event has this id: where the name of the stream differs, the server did not keep the stream. */
    void sees(@Nullable String id) {
        var before = taken.isEmpty() ? null : taken.getLast().id();
        if (id != null && before != null && !name(before).equals(name(id))) {
            alone = true;
            named = taken.size();
        }
    }

    private static String name(String id) {
        int from = id.indexOf('.');
        return id.substring(from, id.indexOf('.', from + 1));
    }

    /** A step of the simulation begins. */
    void next() {
        steady = isOpen() && (steady || !slow);
        wasSlow = false;
        isBack = false;
    }

    /** Whether what is taken now may have been sent long ago. */
    boolean isLate() {
        return broken || wasSlow;
    }

    boolean isOpen() {
        return !broken && !over;
    }

    boolean isOpenFor(ModelWork other) {
        return isOpen() && (work == null || work.equals(other));
    }

    /** What was taken since the stream goes on from the record, which may repeat what was before. */
    List<Taken> taken() {
        return taken.subList(kind == Kind.GET ? named : 0, taken.size());
    }

    boolean hasSeen(ModelWork of, int step) {
        return taken.stream().anyMatch(event -> step(event, of) == step);
    }

    private static int step(Taken event, ModelWork of) {
        var message = event.message();
        return message != null
                        && message.path("method").asString().equals("notifications/progress")
                        && message.path("params")
                                .path("progressToken")
                                .asString()
                                .equals(of.name)
                        && !ModelClient.isSignOfLife(message.path("params"))
                ? message.path("params").path("progress").asInt()
                : 0;
    }

    /** The last step of a task that was told here under the present name of the stream, or 0. */
    int lastStep(ModelWork of) {
        for (var event : taken().reversed()) {
            int step = step(event, of);
            if (step > 0) {
                return step;
            }
        }
        return 0;
    }
}
