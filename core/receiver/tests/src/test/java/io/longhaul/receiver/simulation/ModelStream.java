// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A stream as a model client knows it: the events that it took, whatever connections carried them. */
final class ModelStream {

    enum Kind {
        /** For what belongs to no request. */
        GET,
        /** Answers a request for the outcome of a task. */
        WAIT,
        /** Answers a call in its end, or tells of an operation. */
        CALL,
        /** Answers how a task stands. */
        LOOK
    }

    /**
     * What a message tells of a task.
     *
     * @param of     a series of a ledger, a ledger for the end of its task, a work for its question, or null
     * @param number in the series
     */
    record Told(@Nullable Object of, int number) {
        static final Told NOTHING = new Told(null, 0);

        /** The step or the line that a notification tells of. */
        static Told of(JsonNode message, Map<String, ModelLedger> ledgers) {
            var params = message.path("params");
            switch (message.path("method").asString()) {
                case "notifications/progress" -> {
                    var ledger =
                            ledgers.get(params.path("progressToken").asString().split("#")[0]);
                    // Steps are whole numbers; others are signs of life.
                    return params.path("progress").asDouble() % 1 == 0
                            ? new Told(ledger.steps, params.path("progress").asInt())
                            : NOTHING;
                }
                case "notifications/message" -> {
                    var line = params.path("data").asString().split(" line ");
                    return new Told(ledgers.get(line[0]).lines, Integer.parseInt(line[1]));
                }
                default -> {
                    return NOTHING;
                }
            }
        }
    }

    /**
     * An event that was sent.
     *
     * @param message null where it only primes the stream
     * @param told    what it tells of a task
     * @param lost    whether the client had left
     */
    record Taken(@Nullable String id, @Nullable JsonNode message, Told told, boolean lost) {
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
            return task.equals(work.stored) ? at.isBefore(happened) : !at.isAfter(happened);
        }
    }

    final Kind kind;

    /** What it waits for or calls, or null. */
    final @Nullable ModelWork work;

    /** All that was sent, also what got lost when the client left. */
    final List<Taken> taken = new ArrayList<>();

    /** The progress token that its request gave, or null. */
    @Nullable
    String token;

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

    /** When the request is answered at the latest, whatever the task does. */
    Instant until = Instant.MAX;

    /** Open since before the present step of the simulation. */
    boolean steady;

    /** The stream goes on from the record, which tells again what the session was told elsewhere. */
    boolean alone;

    /** Tasks that the session has joined while the stream was open, with the last step told before the first join. */
    private final Map<ModelLedger, Integer> joined = new HashMap<>();

    /** The stream was opened or resumed in the present step of the simulation. */
    private boolean isNew = true;

    /** What its task had reported by then, which a call that is answered in the end repeats. */
    private int stepsBefore;

    private int linesBefore;

    ModelStream(Kind kind, @Nullable ModelWork work, ModelWire wire) {
        this.kind = kind;
        this.work = work;
        this.wire = wire;
    }

    /** Whether the stream of a call has told what was reported before the stream was opened. */
    boolean isRepetition(Told told, ModelLedger ledger) {
        return isNew || told.number() <= (ledger.steps == told.of() ? stepsBefore : linesBefore);
    }

    /** The client has come back. */
    void resumed(ModelWire by) {
        wire = by;
        broken = false;
        over = false;
        steady = false;
        isBack = true;
        isNew = true;
        responded = false;
        alone = kind != Kind.GET;
        until = Instant.MAX;
    }

    /** The session joins a task: one stream is told how far the task is. */
    void joins(ModelLedger ledger) {
        if (isOpen()) {
            joined.merge(ledger, ledger.steps.lastTold(), Math::min);
        }
    }

    /** Whether a step of a task says how far that was when the session joined it. */
    boolean isSoFar(ModelLedger ledger, int step) {
        var told = joined.get(ledger);
        return told != null && step >= told;
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
        if (isNew && work != null) {
            stepsBefore = work.steps();
            linesBefore = work.lines();
        }
        isNew = false;
        if (!slow) {
            joined.clear();
        }
    }

    /** Whether what is taken now may have been sent long ago. */
    boolean isLate() {
        return broken || wasSlow;
    }

    boolean isOpen() {
        return !broken && !over;
    }

    boolean isOpenFor(ModelWork other) {
        return isOpen() && kind != Kind.LOOK && (work == null || work.equals(other));
    }

    /** What was taken since the stream goes on from the record, which may repeat what was before. */
    List<Taken> taken() {
        return taken.subList(kind == Kind.GET ? named : 0, taken.size());
    }

    boolean hasSeen(Object of, int number) {
        return taken.stream().anyMatch(event -> event.told().equals(new Told(of, number)));
    }

    /** The last number of a series that was told here under the present name of the stream, or 0. */
    int last(ModelSeries series) {
        return taken().reversed().stream()
                .map(Taken::told)
                .filter(told -> series.equals(told.of()))
                .findFirst()
                .map(Told::number)
                .orElse(0);
    }

    /** Whether no progress was told here under this token. */
    boolean isFirstUnder(String progressToken) {
        return taken.stream()
                .noneMatch(event -> event.message() != null
                        && progressToken.equals(event.message()
                                .path("params")
                                .path("progressToken")
                                .asString("")));
    }

    /** Whether the end of a task was told here under the present name of the stream. */
    boolean hasEnd(ModelLedger ledger) {
        return taken().stream().anyMatch(event -> ledger.equals(event.told().of()));
    }
}
