package io.longhaul.server;

import io.longhaul.engine.task.Task;
import io.longhaul.server.ModelStream.Kind;
import io.longhaul.server.ModelStream.Position;
import io.longhaul.server.ModelStream.Taken;
import io.longhaul.server.ModelStream.Told;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A client with one session: what it does, what it has read, and what it must have read. */
final class ModelSession extends ModelClient {

    private static final Duration LONGEST_HOLD = Duration.ofSeconds(2);
    private static final int GETS = 2;
    private static final int STREAMS = 12;

    /** So many lines of a task are told however fast they come. */
    private static final int PACE = 100;

    private final ModelWay way;
    private final Map<String, String> headers = new HashMap<>();
    final Map<String, ModelLedger> ledgers = new LinkedHashMap<>();
    private final List<ModelStream> streams = new ArrayList<>();
    private final ModelEndings endings = new ModelEndings();

    ModelSession(ModelWorld world, int number, ModelWay way) {
        super(world, "client " + number + " of " + way);
        this.way = way;
        begin();
    }

    private void begin() {
        headers.clear();
        var opening = world.server().post(Map.of(), Served.initialize(way.version, Served.ELICITS));
        world.rest();
        headers.put("Mcp-Session-Id", opening.answered("Mcp-Session-Id").orElseThrow());
        headers.put("MCP-Protocol-Version", way.version);
        world.server().post(headers, Served.notification("notifications/initialized", "{}"));
        world.rest();
    }

    @Override
    Collection<ModelWork> works() {
        return ledgers.values().stream().map(ledger -> ledger.work).toList();
    }

    @Override
    List<Action> actions() {
        return List.of(
                tells(35),
                new Action("opens", 10, work -> get()),
                new Action("leaves", 9, work -> leave()),
                new Action("resumes", 11, work -> resume()),
                new Action("waits", 8, this::await),
                new Action("answers", 10, work -> answer()),
                new Action("cancels", 2, this::cancel),
                new Action("looks", 6, this::look),
                new Action("calls again", 3, this::callAgain),
                new Action("joins", 3, this::join),
                new Action("begins anew", 2, work -> renew()),
                new Action("stalls", 2, work -> stall()),
                new Action("goes on", 8, work -> goOn()));
    }

    @Override
    void next() {
        super.next();
        streams.removeIf(stream -> stream.over && !stream.broken || streams.size() > STREAMS && !stream.isOpen());
        streams.forEach(ModelStream::next);
        ledgers.values().forEach(ledger -> {
            ledger.answered = ledger.work.answered;
            ledger.wasOfSession = ledger.isOfSession;
            ledger.hasLostCall = false;
        });
    }

    // What a client does; each returns whether it could be done.

    @Override
    void create(ModelWork work) {
        ledgers.put(work.name, new ModelLedger(work, way != ModelWay.ASYNC));
        work.emits = way != ModelWay.ASYNC;
        call(work);
    }

    /** Calls the tool, for the first time or again under its key. */
    private void call(ModelWork work) {
        var wire = post(way.method(), way.call(work));
        work.call = lastId();
        if (way.isAnsweredAtOnce()) {
            await("a creation", wire, result -> named(work, way.named(result)), () -> call(work));
        } else {
            streams.add(new ModelStream(Kind.CALL, work, wire));
        }
        if (way == ModelWay.PLAIN) {
            named(work, work.name);
        }
    }

    private void named(ModelWork work, String name) {
        work.id = name;
        ledgers.get(work.name).isOfSession = true;
    }

    private boolean callAgain(ModelWork work) {
        if (way.isAnsweredAtOnce() || carries(work, stream -> stream.kind == Kind.CALL)) {
            return false;
        }
        call(work);
        return true;
    }

    private boolean join(ModelWork work) {
        if (way != ModelWay.ASYNC) {
            return false;
        }
        var params = Served.and(way.about(work), "\"_meta\":{\"progressToken\":\"" + work.name + "\"}");
        var wire = post("tools/async/join", params);
        streams.forEach(stream -> stream.joins(ledgers.get(work.name)));
        int call = lastId();
        await(
                "a join",
                wire,
                result -> {
                    ledgers.get(work.name).isOfSession = true;
                    work.call = call;
                },
                () -> {});
        return true;
    }

    private boolean look(ModelWork work) {
        if (!way.hasLooks()) {
            return false;
        }
        streams.add(new ModelStream(Kind.LOOK, work, post("tools/async/status", way.about(work))));
        return true;
    }

    /** The client ends its session, or forgets it, and begins another one. */
    private boolean renew() {
        world.rest();
        take();
        if (!isAnswered()) {
            return false;
        }
        var before = Map.copyOf(headers);
        boolean ends = world.random.nextInt(3) > 0;
        if (ends) {
            endings.await(world.server().delete(before), 204);
            world.rest();
            streams.stream().filter(ModelStream::isOpen).forEach(stream -> endings.awaitEnd(stream.wire));
        } else {
            streams.stream().filter(ModelStream::isOpen).forEach(stream -> stream.wire.leave());
        }
        begin();
        ledgers.values().forEach(ModelLedger::begin);
        if (ends) {
            endings.await(world.server().get(before), 404);
        }
        streams.stream()
                .flatMap(stream -> stream.taken.stream())
                .filter(Taken::isSeen)
                .findAny()
                .ifPresent(event -> {
                    var more = new HashMap<>(headers);
                    more.put("Last-Event-ID", event.id());
                    endings.await(world.server().get(more), 400);
                });
        streams.clear();
        return true;
    }

    private boolean get() {
        if (!way.isToldInSession() || gets() >= GETS) {
            return false;
        }
        streams.add(new ModelStream(Kind.GET, null, world.server().get(headers)));
        return true;
    }

    private long gets() {
        return streams.stream()
                .filter(stream -> stream.kind == Kind.GET && stream.isOpen())
                .count();
    }

    private boolean await(ModelWork work) {
        if (way.waits().isEmpty()) {
            return false;
        }
        boolean isTimed = way == ModelWay.ASYNC && world.random.nextBoolean();
        var params = isTimed ? Served.and(way.about(work), "\"timeout\":1") : way.about(work);
        var stream = new ModelStream(Kind.WAIT, work, post(way.waits(), params));
        if (isTimed) {
            stream.until = world.server().now().plusSeconds(1);
        }
        streams.add(stream);
        return true;
    }

    private boolean leave() {
        return any(streams, stream -> stream.isOpen() && stream.kind != Kind.LOOK, stream -> {
            // The connection breaks in the middle of a message: what came before was read.
            stream.wasSlow |= stream.slow;
            for (int whole = world.random.nextInt(4); whole > 0; whole--) {
                stream.wire.read().ifPresent(event -> take(stream, event));
            }
            stream.broken = true;
            stream.slow = false;
            stream.wire.leave();
            ledgers.values().forEach(ledger -> ledger.lost(stream));
            if (isOwn(stream) && !stream.steady) {
                ledgers.values().forEach(ModelLedger::owesNoMore);
            }
        });
    }

    private boolean stall() {
        return any(
                streams,
                stream -> stream.isOpen() && !stream.slow && stream.kind != Kind.LOOK,
                stream -> stream.slow = true);
    }

    private boolean goOn() {
        return any(streams, stream -> stream.slow, stream -> {
            stream.slow = false;
            stream.wasSlow = true;
        });
    }

    /** Comes back to a stream with an event id that was seen on it. */
    private boolean resume() {
        return any(
                streams,
                stream -> stream.broken
                        && (stream.kind != Kind.GET || gets() < GETS)
                        && (way != ModelWay.OPERATION
                                || !carries(
                                        stream.work, other -> stream.kind == other.kind && stream.kind == Kind.CALL))
                        && stream.taken.stream().anyMatch(Taken::isSeen),
                this::resume);
    }

    private void resume(ModelStream stream) {
        take(stream);
        int at = stream.taken.size() - 1;
        while (at > 0 && world.random.nextInt(3) == 0 || !stream.taken.get(at).isSeen()) {
            at = at == 0 ? stream.taken.size() - 1 : at - 1;
        }
        var after = stream.taken.subList(at + 1, stream.taken.size());
        after.forEach(event -> forget(stream, event));
        after.clear();
        int last = at;
        ledgers.values().stream()
                .filter(ledger -> stream.equals(ledger.holder) && ledger.heldAt > last)
                .forEach(ledger -> ledger.holder = null);
        var more = new HashMap<>(headers);
        more.put("Last-Event-ID", stream.taken.get(at).id());
        world.log("  " + stream.kind + " from " + stream.taken.get(at).id());
        stream.resumed(world.server().get(more));
        if (stream.isOfEarlierServer && stream.kind == Kind.GET) {
            var from = Position.of(stream.taken.get(at).id());
            ledgers.values().forEach(ledger -> ledger.owes(stream, from));
        }
        stream.isOfEarlierServer = false;
    }

    @Override
    void lost() {
        streams.stream().filter(ModelStream::isOpen).toList().forEach(stream -> {
            stream.wasSlow |= stream.slow;
            if (world.random.nextBoolean()) {
                take(stream);
            }
            stream.broken = true;
            stream.slow = false;
        });
        streams.forEach(stream -> stream.isOfEarlierServer = true);
        endings.clear();
        ledgers.values().forEach(ModelLedger::crashed);
    }

    @Override
    boolean isNamedByServer() {
        return way != ModelWay.PLAIN;
    }

    @Override
    void recover(Function<ModelWork, @Nullable Task> stored) {
        super.recover(stored);
        streams.stream()
                .filter(stream ->
                        stream.kind == Kind.CALL && stream.taken.stream().noneMatch(Taken::isSeen))
                .toList()
                .forEach(stream -> {
                    streams.remove(stream);
                    call(stream.work);
                    streams.getLast().alone = true;
                });
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
        return stream.kind == Kind.GET || stream.kind == Kind.CALL && !way.isAnsweredInTheEnd();
    }

    private boolean answer() {
        var open = ledgers.values().stream()
                .filter(ledger -> ledger.work.asks() && ledger.question != null)
                .toList();
        if (open.isEmpty()) {
            return false;
        }
        var ledger = open.get(world.random.nextInt(open.size()));
        int answered = ++ledger.work.answered;
        var wire = world.server()
                .post(
                        headers,
                        "{\"jsonrpc\":\"2.0\",\"id\":" + ledger.question.path("id") + ",\"result\":" + ADA + "}");
        awaitAccepted(wire, () -> ledger.work.acknowledged = answered);
        ledger.question = null;
        return true;
    }

    private boolean cancel(ModelWork work) {
        if (!ledgers.get(work.name).isOfSession && !way.isAnsweredAtOnce()) {
            return false;
        }
        work.ends(world.server().now());
        work.cancelled = true;
        switch (way) {
            case TASKS -> await("a cancellation", post("tasks/cancel", way.about(work)), result -> {}, () -> {});
            case ASYNC -> world.server().post(headers, Served.notification("tools/async/cancel", way.about(work)));
            case PLAIN, NAMED, OPERATION -> world.server().post(headers, Served.cancelled(work.call));
        }
        return true;
    }

    private ModelWire post(String method, String params) {
        return post(headers, method, params);
    }

    // What a client reads.

    /** Takes events in the order in which they were sent, whatever streams they are on. */
    @Override
    void takeStreams() {
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
            if (Told.of(Served.json(event.data()), ledgers) instanceof Told(ModelSeries series, int number)) {
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
        saw(stream.kind + (stream.broken ? " (lost)" : ""), event);
        stream.sees(event.id());
        var told =
                stream.wire.status() == 200 && message != null ? message(stream, message, event.order()) : Told.NOTHING;
        stream.taken.add(new Taken(event.id(), message, told, stream.broken));
    }

    private void end(ModelStream stream) {
        int status = stream.wire.status();
        hold(status == 200 || status == 405, () -> stream.kind + " was answered with " + status);
        hold(stream.kind != Kind.GET, () -> "a GET stream ended");
        if (isOwn(stream)) {
            ledgers.get(stream.work.name).owesNoMore();
        }
        boolean isLive = stream.work != null && !stream.work.over;
        if (way == ModelWay.OPERATION && stream.kind == Kind.CALL && isLive) {
            hold(stream.responded, () -> "the stream of an operation ended before that");
            // Its client can come back for what is told of the operation.
            stream.broken = true;
        } else {
            hold(!isLive || stream.responded, () -> "the stream of a request ended before its task");
        }
    }

    private Told message(ModelStream stream, JsonNode message, long order) {
        hold(!stream.responded, () -> "a message came behind a response: " + message);
        var params = message.path("params");
        switch (message.path("method").asString()) {
            case "notifications/progress", "notifications/message" -> {
                return told(stream, Told.of(message, ledgers));
            }
            case "notifications/tasks/status" -> {
                return status(stream, params);
            }
            case "elicitation/create" -> question(stream, message, order);
            case "notifications/cancelled" -> {
                ledgers.values().forEach(ledger -> ledger.withdraw(params.path("requestId")));
                return cancelled(stream, params.path("requestId"));
            }
            case "notifications/tasks/created" -> named(stream.work, stream.work.name);
            default -> response(stream, message);
        }
        return Told.NOTHING;
    }

    private void response(ModelStream stream, JsonNode message) {
        var work = stream.work;
        hold(work != null, () -> "a response came on a GET stream: " + message);
        var result = message.path("result");
        boolean isCreation = stream.kind == Kind.CALL && way == ModelWay.OPERATION;
        boolean isTimedOut = result.path("isPending").asBoolean(false) && !stream.until.equals(Instant.MAX);
        hold(
                work.over || isCreation || isTimedOut || stream.kind == Kind.LOOK,
                () -> "a response came before the end: " + message);
        if (isCreation) {
            named(work, way.named(result));
        }
        stream.responded = true;
    }

    private Told told(ModelStream stream, Told told) {
        if (!(told.of() instanceof ModelSeries series)) {
            return told;
        }
        var ledger = ledgers.values().stream()
                .filter(one -> one.steps == series || one.lines == series)
                .findFirst()
                .orElseThrow();
        boolean isStep = ledger.steps == series;
        int number = told.number();
        String what = (isStep ? "step " : "line ") + number + " of " + ledger.work.name;
        int last = stream.last(series);
        if (way == ModelWay.ASYNC && isStep && isSoFar(stream, ledger, number)) {
            series.tell(number, true);
            return told;
        }
        hold(number > last, () -> what + " was told behind " + last);
        boolean isWhole = stream.kind == Kind.CALL && way.isAnsweredInTheEnd();
        hold(
                !isWhole || number > PACE && !isStep || series.isNext(number, last),
                () -> what + " was told behind " + last);
        // A stream that goes on from the record first repeats what the session was told elsewhere.
        boolean repeats = stream.alone && !stream.steady || isWhole && stream.isRepetition(told, ledger);
        hold(series.tell(number, repeats) || isWhole, () -> what + " was told twice");
        hold(!stream.hasEnd(ledger), () -> what + " was told behind the end of its task");
        return told;
    }

    private static boolean isSoFar(ModelStream stream, ModelLedger ledger, int step) {
        return stream.isSoFar(ledger, step) || !stream.steady && ledger.steps.isLast(step);
    }

    private Told status(ModelStream stream, JsonNode params) {
        // A task whose creation was not answered is not known to the client.
        return ledgers.values().stream()
                .filter(ledger -> isEnd(params)
                        && ledger.work.id.equals(params.path("taskId").asString()))
                .findFirst()
                .map(ledger -> ended(stream, ledger))
                .orElse(Told.NOTHING);
    }

    /** Who has called or joined is told of a cancellation under the id of that request. */
    private Told cancelled(ModelStream stream, JsonNode request) {
        return ledgers.values().stream()
                .filter(ledger -> way == ModelWay.ASYNC && stream.kind == Kind.GET)
                .filter(ledger -> ledger.work.cancelled && ledger.work.call == request.asInt(0))
                .findFirst()
                .map(ledger -> ended(stream, ledger))
                .orElse(Told.NOTHING);
    }

    private Told ended(ModelStream stream, ModelLedger ledger) {
        boolean repeats = stream.alone && !stream.steady;
        hold(
                ledger.ends == 0 || repeats || stream.isLate(),
                () -> "the end of " + ledger.work.name + " was told twice");
        ledger.ends = repeats ? ledger.ends : 1;
        ledger.endIsRepeated |= repeats;
        return new Told(ledger, 0);
    }

    private static boolean isEnd(JsonNode params) {
        return List.of("completed", "cancelled", "failed")
                .contains(params.path("status").asString());
    }

    private void question(ModelStream stream, JsonNode message, long order) {
        var words = message.path("params").path("message").asString().split(" question ");
        var ledger = ledgers.get(words[0]);
        int number = Integer.parseInt(words[1]);
        hold(
                stream.isLate() || number > ledger.answered,
                () -> "question " + number + " was put though it was answered before");
        hold(
                stream.isLate()
                        || !ledger.isInFront(number)
                        || ledger.holder.isBack
                        || ledger.holder.wire.hasEndedBefore(order),
                () -> "question " + number + " of " + ledger.work.name + " was put while it was in front");
        // It is where it went out last, whenever that is read; where that stream has broken, it may be put again.
        boolean isLatest = order > ledger.heldSince;
        if (isLatest && number > ledger.work.answered) {
            ledger.heldSince = order;
            ledger.holder = stream;
            ledger.heldAt = stream.taken.size();
            ledger.put = number;
            ledger.question = stream.broken ? ledger.question : message;
        }
    }

    // What a client must have read.

    @Override
    void check() {
        checkAnswered();
        boolean slow = streams.stream().anyMatch(stream -> stream.slow);
        endings.check(this);
        var now = world.server().now();
        streams.stream().filter(stream -> !stream.slow && stream.isOpen()).forEach(stream -> {
            hold(stream.kind != Kind.LOOK, () -> "a look was not answered");
            hold(now.isBefore(stream.until), () -> "a request was not answered in its time");
        });
        for (var ledger : ledgers.values()) {
            var work = ledger.work;
            if (!work.cancelled
                    && !ledger.hasLostCall
                    && carries(ledger, stream -> stream.steady && now.isBefore(stream.until))) {
                work.newSteps().forEach(ledger.steps::owe);
                work.newLines().filter(line -> line <= PACE).forEach(ledger.lines::owe);
            }
            if (!slow) {
                check(ledger, work);
            }
        }
    }

    private void check(ModelLedger ledger, ModelWork work) {
        boolean gets = ledger.wasOfSession && carries(ledger, stream -> stream.kind == Kind.GET);
        boolean waits = carries(work, stream -> stream.kind != Kind.GET);
        boolean isPast = work.over && !gets && !waits;
        hold(
                ledger.hasAllOwed(gets) || isPast,
                () -> work.name + " was told steps " + ledger.steps + " and lines " + ledger.lines);
        boolean held = way.holdsQuestions() && world.server().now().isBefore(work.askedAt.plus(LONGEST_HOLD));
        hold(
                !work.asks() || !(waits || gets && !held) || ledger.isInFront(work.asked),
                () -> work.name + " asks, and nobody is asked");
        hold(!work.over || !ledger.isOpen(), () -> "the question of " + work.name + " was not withdrawn");
        hold(
                !work.over || !gets || !way.isEndToldInSession(work) || ledger.isEndTold(),
                () -> "the end of " + work.name + " was not told");
        hold(!work.over || !waits, () -> "a request that waits for " + work.name + " was not answered");
    }

    /** Whether a stream is open that carries what is told of the task. */
    private boolean carries(ModelLedger ledger, Predicate<ModelStream> which) {
        return carries(ledger.work, stream -> which.test(stream) && (stream.work != null || ledger.wasOfSession));
    }

    private boolean carries(ModelWork work, Predicate<ModelStream> which) {
        return streams.stream().anyMatch(stream -> stream.isOpenFor(work) && which.test(stream));
    }
}
