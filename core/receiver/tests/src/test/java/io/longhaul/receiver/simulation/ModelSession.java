// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.engine.task.Task;
import io.longhaul.receiver.simulation.ModelStream.Kind;
import io.longhaul.server.Served;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A client with one session: what it does, what it has read, and what it must have read. */
final class ModelSession extends ModelClient {

    private static final Duration LONGEST_HOLD = Duration.ofSeconds(2);

    /** So many lines of a task are told however fast they come. */
    static final int PACE = 100;

    final ModelWay way;
    final Map<String, String> headers = new HashMap<>();
    final Map<String, ModelLedger> ledgers = new LinkedHashMap<>();
    private final ModelStreams streams = new ModelStreams(this);
    private final ModelEndings endings = new ModelEndings();
    private int tokens;

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
                new Action("opens", 10, work -> streams.get()),
                new Action("leaves", 9, work -> streams.leave()),
                new Action("resumes", 11, work -> streams.resume()),
                new Action("waits", 8, this::await),
                new Action("answers", 10, work -> answer()),
                new Action("cancels", 2, this::cancel),
                new Action("looks", 6, this::look),
                new Action("calls again", 3, this::callAgain),
                new Action("joins", 3, this::join),
                new Action("begins anew", 2, work -> renew()),
                new Action("stalls", 2, work -> streams.stall()),
                new Action("goes on", 8, work -> streams.goOn()));
    }

    @Override
    void next() {
        super.next();
        streams.next();
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
        var token = token(work);
        ledgers.get(work.name).tokens.add(token);
        var wire = post(way.method(), way.call(work, token));
        work.call = lastId();
        if (way.isAnsweredAtOnce()) {
            await("a creation", wire, result -> named(work, way.named(result)), () -> call(work));
        } else {
            streams.add(Kind.CALL, work, wire).token = token;
        }
        if (way == ModelWay.PLAIN) {
            named(work, work.name);
        }
    }

    /** A progress token that no request has given yet. */
    private String token(ModelWork work) {
        return work.name + "#" + ++tokens;
    }

    private static String under(String params, String token) {
        return Served.and(params, "\"_meta\":{\"progressToken\":\"" + token + "\"}");
    }

    void named(ModelWork work, String name) {
        work.id = name;
        ledgers.get(work.name).isOfSession = true;
    }

    private boolean callAgain(ModelWork work) {
        if (way.isAnsweredAtOnce() || streams.carries(work, stream -> stream.kind == Kind.CALL)) {
            return false;
        }
        call(work);
        return true;
    }

    private boolean join(ModelWork work) {
        if (way != ModelWay.ASYNC) {
            return false;
        }
        var token = token(work);
        ledgers.get(work.name).tokens.add(token);
        var wire = post("tools/async/join", under(way.about(work), token));
        streams.joins(ledgers.get(work.name));
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
        streams.add(Kind.LOOK, work, post("tools/async/status", way.about(work)));
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
            streams.open().forEach(stream -> endings.awaitEnd(stream.wire));
        } else {
            streams.open().forEach(stream -> stream.wire.leave());
        }
        begin();
        ledgers.values().forEach(ModelLedger::begin);
        if (ends) {
            endings.await(world.server().get(before), 404);
        }
        streams.anySeen().ifPresent(event -> {
            var more = new HashMap<>(headers);
            more.put("Last-Event-ID", event.id());
            endings.await(world.server().get(more), 400);
        });
        streams.clear();
        return true;
    }

    private boolean await(ModelWork work) {
        if (way.waits().isEmpty()) {
            return false;
        }
        boolean isTimed = way == ModelWay.ASYNC && world.random.nextBoolean();
        var params = isTimed ? Served.and(way.about(work), "\"timeout\":1") : way.about(work);
        var token = world.random.nextBoolean() ? token(work) : null;
        var stream = streams.add(Kind.WAIT, work, post(way.waits(), token == null ? params : under(params, token)));
        stream.token = token;
        if (isTimed) {
            stream.until = world.server().now().plusSeconds(1);
        }
        return true;
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
            case PLAIN, NAMED, OPERATION -> {
                if (streams.carries(work, stream -> stream.kind == Kind.CALL && stream.slow)) {
                    ledgers.get(work.name).givesUp();
                }
                world.server().post(headers, Served.cancelled(work.call));
            }
        }
        return true;
    }

    private ModelWire post(String method, String params) {
        return post(headers, method, params);
    }

    @Override
    void lost() {
        streams.lost();
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
        streams.removeUnseenCalls().forEach(stream -> {
            call(stream.work);
            streams.last().alone = true;
        });
    }

    @Override
    void takeStreams() {
        streams.take();
    }

    // What a client must have read.

    @Override
    void check() {
        checkAnswered();
        boolean slow = streams.anySlow();
        endings.check(this);
        var now = world.server().now();
        streams.check(now);
        for (var ledger : ledgers.values()) {
            var work = ledger.work;
            Predicate<ModelStream> carries = stream -> stream.steady && now.isBefore(stream.until);
            if (!work.cancelled && !ledger.hasLostCall && streams.carries(ledger, carries)) {
                work.newLines().filter(line -> line <= PACE).forEach(ledger.lines::owe);
                if (streams.carries(ledger, carries.and(stream -> stream.token != null || ledger.wasOfSession))) {
                    work.newSteps().forEach(ledger.steps::owe);
                }
            }
            if (!slow) {
                check(ledger, work);
            }
        }
    }

    private void check(ModelLedger ledger, ModelWork work) {
        boolean gets = ledger.wasOfSession && streams.carries(ledger, stream -> stream.kind == Kind.GET);
        boolean waits = streams.carries(work, stream -> stream.kind != Kind.GET);
        boolean isPast = work.over && !gets && !waits;
        hold(
                ledger.hasAllOwed(gets) || isPast,
                () -> work.name + " was told steps " + ledger.steps + " and lines " + ledger.lines);
        boolean held = way.holdsQuestions() && world.server().now().isBefore(work.askedAt.plus(LONGEST_HOLD));
        hold(
                !work.asks() || !(waits || gets && !held) || isInFront(ledger, work),
                () -> work.name + " asks, and nobody is asked");
        hold(!work.over || !ledger.isOpen(), () -> "the question of " + work.name + " was not withdrawn");
        hold(
                !work.over || !gets || !way.isEndToldInSession(work) || ledger.isEndTold(),
                () -> "the end of " + work.name + " was not told");
        hold(!work.over || !waits, () -> "a request that waits for " + work.name + " was not answered");
    }

    /** Whether the client has the open question before it; each node puts the question on one of its own streams. */
    private boolean isInFront(ModelLedger ledger, ModelWork work) {
        return ledger.isInFront(work.asked)
                || world.hasNodes() && streams.carries(work, stream -> stream.hasSeen(work, work.asked));
    }
}
