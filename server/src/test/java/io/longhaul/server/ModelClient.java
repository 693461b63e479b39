package io.longhaul.server;

import io.longhaul.engine.task.Task;
import io.longhaul.server.ModelStream.Kind;
import io.longhaul.server.ModelStream.Position;
import io.longhaul.server.ModelStream.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A client with one session: what it does, what it has read, and what it must have read. */
final class ModelClient {

    static final String ADA = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";
    private static final Duration LONGEST_HOLD = Duration.ofSeconds(2);
    private static final int GETS = 2;
    private static final int STREAMS = 12;

    /** @param again what the client does where the server dies over it */
    private record Pending(String what, ModelWire wire, Consumer<JsonNode> then, Runnable again) {}

    private final ModelWorld world;
    private final int number;
    private final ModelWay way;
    private final Map<String, String> headers = new HashMap<>();
    final Map<String, ModelLedger> ledgers = new LinkedHashMap<>();
    private final List<ModelStream> streams = new ArrayList<>();
    private final List<Pending> pending = new ArrayList<>();
    private final Map<ModelWire, Runnable> acknowledged = new LinkedHashMap<>();
    private int ids;
    private int read;

    ModelClient(ModelWorld world, int number, ModelWay way) {
        this.world = world;
        this.number = number;
        this.way = way;
        var opening = world.server().post(Map.of(), Served.initialize(way.version, Served.ELICITS));
        world.rest();
        headers.put("Mcp-Session-Id", opening.answered("Mcp-Session-Id").orElseThrow());
        headers.put("MCP-Protocol-Version", way.version);
        world.server().post(headers, Served.notification("notifications/initialized", "{}"));
        world.rest();
    }

    int read() {
        return read;
    }

    List<ModelWork> live() {
        return ledgers.values().stream()
                .map(ledger -> ledger.work)
                .filter(work -> !work.over && !work.id.isEmpty())
                .toList();
    }

    /** A step of the simulation begins. */
    void next() {
        streams.removeIf(stream -> stream.over && !stream.broken || streams.size() > STREAMS && !stream.isOpen());
        streams.forEach(ModelStream::next);
        ledgers.values().forEach(ledger -> {
            ledger.answered = ledger.work.answered;
            ledger.work.next();
        });
    }

    // What a client does; each returns whether it could be done.

    boolean create(ModelWork work) {
        ledgers.put(work.name, new ModelLedger(work));
        call(work);
        return true;
    }

    /** Calls the tool, for the first time or again under its key. */
    private void call(ModelWork work) {
        var params = Served.and(Served.call(work.tool(), "{\"name\":\"" + work.name + "\"}"), way.params(work.name));
        var wire = post("tools/call", params);
        if (way.isAnsweredAtOnce()) {
            pending.add(new Pending(
                    "a creation",
                    wire,
                    response -> work.id =
                            response.path("result").path("task").path("taskId").asString(),
                    () -> call(work)));
        } else {
            work.id = Integer.toString(ids);
            streams.add(new ModelStream(Kind.CALL, work, wire));
        }
    }

    boolean get() {
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

    boolean await(ModelWork work) {
        if (!way.hasWaits()) {
            return false;
        }
        streams.add(new ModelStream(Kind.WAIT, work, post("tasks/result", named(work))));
        return true;
    }

    boolean leave() {
        return any(ModelStream::isOpen, stream -> {
            // The connection breaks in the middle of a message: what came before was read.
            stream.wasSlow |= stream.slow;
            for (int whole = world.random.nextInt(4); whole > 0; whole--) {
                take(stream, stream.wire.read());
            }
            stream.broken = true;
            stream.slow = false;
            stream.wire.leave();
            if (stream.kind == Kind.GET && !stream.steady) {
                ledgers.values().forEach(ModelLedger::owesNoMore);
            }
        });
    }

    boolean stall() {
        return any(stream -> stream.isOpen() && !stream.slow, stream -> stream.slow = true);
    }

    boolean goOn() {
        return any(stream -> stream.slow, stream -> {
            stream.slow = false;
            stream.wasSlow = true;
        });
    }

    /** Comes back to a stream with an event id that was seen on it. */
    boolean resume() {
        return any(
                stream -> stream.broken
                        && (stream.kind != Kind.GET || gets() < GETS)
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
        world.log("  " + number + " " + stream.kind + " from "
                + stream.taken.get(at).id());
        stream.wire = world.server().get(more);
        stream.broken = false;
        stream.over = false;
        stream.steady = false;
        stream.isBack = true;
        stream.responded = false;
        stream.alone = stream.kind != Kind.GET;
        if (stream.isOfEarlierServer && stream.kind == Kind.GET) {
            var from = Position.of(stream.taken.get(at).id());
            ledgers.values().forEach(ledger -> ledger.owes(stream, from));
        }
        stream.isOfEarlierServer = false;
    }

    /** The server was killed, with all connections; each may have brought something before. */
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
        ledgers.values().forEach(ModelLedger::crashed);
    }

    /** The server has started again. */
    void recover(Function<ModelWork, @Nullable Task> stored) {
        for (var work : ledgers.values().stream().map(ledger -> ledger.work).toList()) {
            var task = stored.apply(work);
            hold(task != null || work.id.isEmpty() || !way.isAnsweredAtOnce(), () -> work.name + " was lost");
            work.recover(task, world.server().now());
            hold(work.over || work.answered >= work.acknowledged, () -> "an answer to " + work.name + " was lost");
        }
        var unanswered = List.copyOf(pending);
        pending.clear();
        unanswered.forEach(request -> request.again().run());
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
        if (stream.kind != Kind.GET || event.message() == null) {
            return;
        }
        var params = event.message().path("params");
        switch (event.message().path("method").asString()) {
            case "notifications/progress" -> {
                var ledger = ledgers.get(params.path("progressToken").asString());
                if (!isSignOfLife(params)) {
                    ledger.forget(params.path("progress").asInt());
                }
            }
            case "notifications/tasks/status" -> {
                if (isEnd(params) && isKnown(params)) {
                    var ledger = byId(params.path("taskId").asString());
                    ledger.forgetEnd();
                }
            }
            default -> {
                // A question is looked for apart, and a line of the log is not owed.
            }
        }
    }

    boolean answer() {
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
        acknowledged.put(wire, () -> ledger.work.acknowledged = answered);
        ledger.question = null;
        return true;
    }

    boolean cancel(ModelWork work) {
        work.ends(world.server().now());
        work.cancelled = true;
        if (way.isAnsweredAtOnce()) {
            pending.add(new Pending("a cancellation", post("tasks/cancel", named(work)), response -> {}, () -> {}));
        } else {
            world.server().post(headers, Served.cancelled(work.id));
        }
        return true;
    }

    private static String named(ModelWork work) {
        return "{\"taskId\":\"" + work.id + "\"}";
    }

    private ModelWire post(String method, String params) {
        return world.server().post(headers, Served.request(++ids, method, params));
    }

    private boolean any(Predicate<ModelStream> which, Consumer<ModelStream> action) {
        var fit = streams.stream().filter(which).toList();
        if (fit.isEmpty()) {
            return false;
        }
        action.accept(fit.get(world.random.nextInt(fit.size())));
        return true;
    }

    // What a client reads.

    /** Takes all that was sent; false where nothing was. */
    boolean take() {
        int before = read;
        acknowledged.entrySet().removeIf(sent -> {
            if (sent.getKey().status() == 202) {
                sent.getValue().run();
            }
            return sent.getKey().status() != 0;
        });
        List.copyOf(pending).forEach(this::take);
        streams.stream().filter(stream -> !stream.slow).toList().forEach(this::take);
        return read > before;
    }

    private void take(Pending request) {
        if (request.wire().isEnded() || request.wire().status() == 0) {
            return;
        }
        request.wire().read().ifPresent(event -> {
            read++;
            var response = Served.json(event.data());
            hold(response.has("result"), () -> request.what() + " was answered with " + response);
            request.then().accept(response);
            pending.remove(request);
        });
    }

    private void take(ModelStream stream) {
        for (var event = stream.wire.read(); event.isPresent(); event = stream.wire.read()) {
            take(stream, event);
        }
        if (stream.wire.isEnded() && !stream.over && !stream.broken) {
            stream.over = true;
            end(stream);
        }
    }

    private void take(ModelStream stream, Optional<ModelWire.Event> event) {
        event.ifPresent(one -> {
            read++;
            var message = one.data().isEmpty() ? null : Served.json(one.data());
            world.saw(number, stream, one);
            stream.sees(one.id());
            if (stream.wire.status() == 200 && message != null) {
                message(stream, message);
            }
            stream.taken.add(new Taken(one.id(), message, stream.broken));
        });
    }

    private void end(ModelStream stream) {
        int status = stream.wire.status();
        hold(status == 200 || status == 405, () -> stream.kind + " was answered with " + status);
        var work = stream.work;
        if (work == null) {
            hold(false, () -> "a GET stream ended");
        } else {
            hold(work.over, () -> "the stream of a request ended before its task");
        }
    }

    private void message(ModelStream stream, JsonNode message) {
        hold(!stream.responded, () -> "a message came behind a response: " + message);
        var params = message.path("params");
        switch (message.path("method").asString()) {
            case "notifications/progress" -> progress(stream, params);
            case "notifications/tasks/status" -> status(stream, params);
            case "elicitation/create" -> question(stream, message);
            case "notifications/cancelled" ->
                ledgers.values().forEach(ledger -> ledger.withdraw(params.path("requestId")));
            case "notifications/message" -> {
                // Lines of the log come at a pace.
            }
            default -> {
                hold(
                        stream.work != null && stream.work.over,
                        () -> "a response came before the end or on a GET stream: " + message);
                stream.responded = true;
            }
        }
    }

    /** Steps are whole numbers. */
    static boolean isSignOfLife(JsonNode progress) {
        return progress.path("progress").asDouble() % 1 != 0;
    }

    private void progress(ModelStream stream, JsonNode params) {
        if (isSignOfLife(params)) {
            return;
        }
        var ledger = ledgers.get(params.path("progressToken").asString());
        int step = params.path("progress").asInt();
        int last = stream.lastStep(ledger.work);
        hold(step > last, () -> "step " + step + " of " + ledger.work.name + " was told behind step " + last);
        hold(
                stream.kind != Kind.CALL || ledger.isNext(step, last),
                () -> "step " + step + " of " + ledger.work.name + " was told behind step " + last);
        // A stream that goes on from the record first repeats what the session was told elsewhere.
        boolean repeats = stream.alone && !stream.steady;
        hold(
                (repeats ? ledger.repeated : ledger.told).add(step) || repeats || ledger.uncertain.contains(step),
                () -> "step " + step + " of " + ledger.work.name + " was told twice");
        hold(
                stream.taken().stream().noneMatch(event -> isEnd(event, ledger.work)),
                () -> "step " + step + " of " + ledger.work.name + " was told behind the end of its task");
    }

    private void status(ModelStream stream, JsonNode params) {
        if (isEnd(params) && isKnown(params)) {
            var ledger = byId(params.path("taskId").asString());
            boolean repeats = stream.alone && !stream.steady;
            hold(
                    ledger.ends == 0 || repeats || stream.isLate(),
                    () -> "the end of " + ledger.work.name + " was told twice");
            ledger.ends = repeats ? ledger.ends : 1;
            ledger.endIsRepeated |= repeats;
        }
    }

    private static boolean isEnd(Taken event, ModelWork work) {
        return event.message() != null
                && event.message().path("params").path("taskId").asString().equals(work.id)
                && isEnd(event.message().path("params"));
    }

    private static boolean isEnd(JsonNode params) {
        return List.of("completed", "cancelled", "failed")
                .contains(params.path("status").asString());
    }

    private void question(ModelStream stream, JsonNode message) {
        var params = message.path("params");
        var related = params.path("_meta").path("io.modelcontextprotocol/related-task");
        var ledger = related.isMissingNode()
                ? ledgers.get(stream.work == null ? "" : stream.work.name)
                : isKnown(related) ? byId(related.path("taskId").asString()) : null;
        if (ledger == null) {
            return;
        }
        int number = Integer.parseInt(params.path("message").asString().replaceAll("\\D", ""));
        hold(
                stream.isLate() || number > ledger.answered,
                () -> "question " + number + " was put though it was answered before");
        hold(
                stream.isLate() || !ledger.isInFront(number) || ledger.holder.isBack,
                () -> "question " + number + " of " + ledger.work.name + " was put while it was in front");
        if (number > ledger.work.answered && !(stream.broken && ledger.isInFront(number))) {
            ledger.holder = stream;
            ledger.heldAt = stream.taken.size();
            ledger.put = number;
            ledger.question = stream.broken ? ledger.question : message;
        }
    }

    /** Whether the client knows the task by its id: a task whose creation was not answered it does not. */
    private boolean isKnown(JsonNode params) {
        return ledgers.values().stream()
                .anyMatch(ledger -> ledger.work.id.equals(params.path("taskId").asString()));
    }

    private ModelLedger byId(String id) {
        return ledgers.values().stream()
                .filter(ledger -> ledger.work.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no task " + id));
    }

    // What a client must have read.

    /** All is at rest: holds what was read against what must have been. */
    void check() {
        hold(pending.isEmpty(), () -> pending.getFirst().what() + " was not answered");
        boolean slow = streams.stream().anyMatch(stream -> stream.slow);
        for (var ledger : ledgers.values()) {
            var work = ledger.work;
            if (work.progress > work.before && !work.cancelled && carries(work, stream -> stream.steady)) {
                ledger.owed.add(work.progress);
            }
            if (!slow) {
                check(ledger, work);
            }
        }
    }

    private void check(ModelLedger ledger, ModelWork work) {
        hold(
                ledger.hasAllOwed() || work.over && !carries(work, stream -> true),
                () -> work.name + " told " + ledger.told + " of " + ledger.owed);
        boolean gets = carries(work, stream -> stream.kind == Kind.GET);
        boolean waits = carries(work, stream -> stream.kind != Kind.GET);
        boolean held = world.server().now().isBefore(work.askedAt.plus(LONGEST_HOLD));
        hold(
                !work.asks() || !(waits || gets && !held) || ledger.isInFront(work.asked),
                () -> work.name + " asks, and nobody is asked");
        hold(!work.over || !ledger.isOpen(), () -> "the question of " + work.name + " was not withdrawn");
        hold(!work.over || !gets || ledger.isEndTold(), () -> "the end of " + work.name + " was not told");
        hold(!work.over || !waits, () -> "a request that waits for " + work.name + " was not answered");
    }

    private void hold(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new AssertionError("client " + number + " of " + way + ": " + otherwise.get());
        }
    }

    private boolean carries(ModelWork work, Predicate<ModelStream> which) {
        return streams.stream().anyMatch(stream -> stream.isOpenFor(work) && which.test(stream));
    }
}
