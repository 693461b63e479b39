// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.receiver.simulation.ModelResult.Place;
import io.longhaul.receiver.simulation.ModelResult.Round;
import io.longhaul.server.Served;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client that calls again for what comes next: with a token for the next part of the output (SEP-1003), or with the
 * answers to what it was asked (2026-07-28). Each call is answered once, and tells what happens meanwhile.
 */
final class ModelCaller extends ModelClient {

    /** How the client calls. */
    enum Way {
        /** For parts, in a session, in which it is asked by requests. */
        PARTS,
        /** For parts, where each request stands alone; it is asked in rounds. */
        LONE_PARTS,
        /** For the result, where each request stands alone; it is asked in rounds. */
        ROUNDS
    }

    private static final int CALLS = 3;
    private static final int KEPT = 6;

    final Way way;
    private final ModelCallRequests requests;
    private final Map<String, ModelResult> results = new LinkedHashMap<>();
    private final List<ModelCall> calls = new ArrayList<>();
    private final ModelCallReader reader = new ModelCallReader(this);

    /** Calls that were given up, and are not answered. */
    private final List<ModelCall> silent = new ArrayList<>();

    ModelCaller(ModelWorld world, Way way) {
        super(world, "the caller in " + way);
        this.way = way;
        requests = new ModelCallRequests(this);
    }

    @Override
    Collection<ModelWork> works() {
        return results.values().stream().map(result -> result.work).toList();
    }

    @Override
    List<Action> actions() {
        return List.of(
                tells(40),
                new Action("calls", 22, work -> callOn()),
                new Action("leaves", 8, work -> leave()),
                new Action("answers", 14, work -> answer()),
                new Action("cancels", 2, this::cancel),
                new Action("begins anew", 2, work -> renew()),
                new Action("stalls", 2, work -> any(calls, call -> !call.slow, call -> call.slow = true)),
                new Action("goes on", 8, work -> any(calls, call -> call.slow, ModelCaller::goOn)));
    }

    private static void goOn(ModelCall call) {
        call.slow = false;
        call.wasSlow = true;
    }

    @Override
    void next() {
        super.next();
        calls.forEach(ModelCall::next);
        results.values().forEach(result -> result.answered = result.work.answered);
        var ended = results.values().stream()
                .filter(result -> result.hasEnded() || result.work.over && !result.canGoOn())
                .toList();
        ended.stream()
                .limit(Math.max(0, ended.size() - KEPT))
                .filter(result -> open(result).isEmpty())
                .forEach(result -> results.remove(result.work.name));
    }

    // What the client does; each returns whether it could be done.

    @Override
    void create(ModelWork work) {
        work.id = work.name;
        work.emitsMuch = way != Way.ROUNDS;
        var result = new ModelResult(work, way == Way.PARTS || world.random.nextInt(4) > 0);
        results.put(work.name, result);
        call(result, ModelResult.beginning(), null, true);
    }

    /** The calls for a result that its client waits for. */
    List<ModelCall> open(ModelResult result) {
        return calls.stream().filter(call -> call.result.equals(result)).toList();
    }

    private void call(ModelResult result, Place from, @Nullable Round round, boolean isAnswer) {
        calls.add(requests.call(result, from, round, isAnswer));
    }

    /** Calls for what comes next, mostly; and sometimes for what came before, or while another such call is open. */
    private boolean callOn() {
        return any(results.values(), result -> result.canGoOn() && open(result).size() < CALLS, result -> {
            boolean isPlain = result.rounds.isEmpty() || world.random.nextInt(3) > 0;
            if (!result.places.isEmpty() && (isPlain || way == Way.PARTS)) {
                call(result, draw(result.places), null, false);
            } else if (!result.rounds.isEmpty()) {
                var round = draw(result.rounds);
                call(result, round.from(), round, false);
            }
        });
    }

    private <T> T draw(List<T> all) {
        return world.random.nextInt(3) > 0 ? all.getLast() : all.get(world.random.nextInt(all.size()));
    }

    private boolean answer() {
        return way == Way.PARTS ? answerRequest() : answerRound();
    }

    private boolean answerRequest() {
        return any(results.values(), result -> result.work.asks() && result.question != null, result -> {
            var question = result.question;
            int answered = ++result.work.answered;
            awaitAccepted(requests.answer(question), () -> result.work.acknowledged = answered);
            result.question = null;
        });
    }

    /** Answers the last round or an earlier one, once or again. */
    private boolean answerRound() {
        return any(
                results.values(),
                result -> !result.rounds.isEmpty() && open(result).size() < CALLS,
                result -> {
                    var round = draw(result.rounds);
                    if (round.number() == result.work.answered + 1) {
                        result.work.answered++;
                    }
                    call(result, round.from(), round, true);
                });
    }

    /** The connection of a call breaks in the middle of a message: what came before was read. */
    private boolean leave() {
        var now = world.server().now();
        return any(calls, call -> way == Way.PARTS || !call.isLikeAHost(now), call -> {
            call.wasSlow |= call.slow;
            for (int whole = world.random.nextInt(4); whole > 0; whole--) {
                call.wire.read().ifPresent(event -> take(call, event));
            }
            boolean cancels = way != Way.PARTS && !call.result.keyed && call.from.token() == null;
            if (cancels) {
                // Whether the response has gone out before decides what leaving means.
                call.slow = false;
                settle();
            }
            if (calls.remove(call) && !call.responded) {
                call.wire.leave();
                if (cancels) {
                    end(call.result.work);
                    world.rest();
                }
            }
        });
    }

    /** Reads all that there is to read. */
    private void settle() {
        do {
            world.rest();
        } while (take());
    }

    private void end(ModelWork work) {
        if (!work.over) {
            work.ends(world.server().now());
            work.cancelled = true;
        }
    }

    /** Gives up a call that waits, and its work with it; in 2026-07-28 that is done by closing the response. */
    private boolean cancel(ModelWork work) {
        if (way != Way.PARTS) {
            return false;
        }
        settle();
        return any(open(results.get(work.name)), call -> !call.slow && !work.over, call -> {
            end(work);
            requests.cancel(call);
            calls.remove(call);
            silent.add(call);
            world.rest();
        });
    }

    /** The client loses all its connections and begins another session. */
    private boolean renew() {
        if (way != Way.PARTS) {
            return false;
        }
        settle();
        calls.forEach(call -> call.wire.leave());
        calls.clear();
        requests.beginAnew();
        results.values().forEach(result -> result.question = null);
        return true;
    }

    @Override
    void lost() {
        List.copyOf(calls).forEach(call -> {
            call.wasSlow |= call.slow;
            if (world.random.nextBoolean()) {
                for (var event = call.wire.read(); event.isPresent(); event = call.wire.read()) {
                    take(call, event.get());
                }
            }
        });
        calls.clear();
        silent.clear();
        results.values().forEach(ModelResult::crashed);
    }

    @Override
    boolean isNamedByServer() {
        return false;
    }

    @Override
    void recover(Function<ModelWork, @Nullable Task> stored) {
        for (var result : results.values()) {
            var task = stored.apply(result.work);
            boolean isStored = task != null;
            boolean isKept = !result.work.cancelled || task != null && task.state() == TaskState.CANCELLED;
            hold(isKept, () -> result.work.name + " was given up, and goes on");
            hold(isStored || !result.isAcknowledged(), () -> result.work.name + " was lost");
            // Without a key the client cannot know whether its first call has arrived.
            if (!isStored && !result.keyed) {
                result.work.over = true;
            }
        }
        super.recover(stored);
    }

    // What the client reads.

    @Override
    void takeStreams() {
        for (var next = earliest(); next.isPresent(); next = earliest()) {
            var call = next.get();
            call.wire.read().ifPresent(event -> take(call, event));
        }
        calls.removeIf(call -> call.responded);
    }

    private void take(ModelCall call, ModelWire.Event event) {
        saw(call, event);
        reader.take(call, event);
    }

    private Optional<ModelCall> earliest() {
        return calls.stream()
                .filter(call -> !call.slow && call.wire.next().isPresent())
                .min(Comparator.comparing(call -> call.wire.next().getAsLong()));
    }

    // What the client must have read.

    @Override
    void check() {
        checkAnswered();
        for (var call : silent) {
            for (var event = call.wire.read(); event.isPresent(); event = call.wire.read()) {
                saw(call, event.get());
                var data = event.get().data();
                hold(data.isEmpty() || Served.json(data).has("method"), () -> call + " was answered: " + data);
            }
        }
        silent.clear();
        calls.stream().filter(call -> !call.slow).forEach(reader::check);
    }
}
