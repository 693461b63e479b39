// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.receiver.simulation.ModelRuns.Run;
import io.longhaul.server.Served;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Two sessions of hosts that know no tasks, and call the same again when they have given up or have read the result. A
 * call that no client waits for any longer goes on with the next equal call, until its result was received.
 */
final class ModelHost extends ModelClient {

    private static final String VERSION = "2025-06-18";
    private static final String TIMED_OUT = "\"reason\":\"McpError: MCP error -32001: Request timed out\"";
    private static final int NAMES = 2;
    /** Another node is asked whether somebody waits there. */
    private static final Duration ASKED = Duration.ofMillis(1_500);

    /** A call that waits for its response. */
    private record Open(Map<String, String> session, ModelRuns runs, Run run, int id, ModelWire wire) {}

    private final List<Map<String, String>> sessions = new ArrayList<>();
    private final List<Open> open = new ArrayList<>();
    private final List<ModelRuns> calls = new ArrayList<>();

    ModelHost(ModelWorld world) {
        super(world, "the host");
        IntStream.range(0, NAMES).forEach(name -> calls.add(new ModelRuns("host" + name)));
        calls.forEach(world::hosted);
        IntStream.range(0, NAMES).forEach(number -> begin());
    }

    private void begin() {
        var opening = world.server().post(Map.of(), Served.initialize(VERSION, "{}"));
        world.rest();
        var session = new HashMap<String, String>();
        session.put("Mcp-Session-Id", opening.answered("Mcp-Session-Id").orElseThrow());
        session.put("MCP-Protocol-Version", VERSION);
        world.server().post(session, Served.notification("notifications/initialized", "{}"));
        world.rest();
        sessions.add(session);
    }

    @Override
    Collection<ModelWork> works() {
        return List.of();
    }

    @Override
    void create(ModelWork work) {
        throw new IllegalStateException("a host makes no tasks by name");
    }

    @Override
    List<Action> actions() {
        return List.of();
    }

    @Override
    void act() {
        switch (world.random.nextInt(3)) {
            case 0 -> call(draw(sessions), draw(calls));
            case 1 -> end();
            default -> giveUp();
        }
    }

    private <T> T draw(List<T> all) {
        return all.get(world.random.nextInt(all.size()));
    }

    private void end() {
        any(draw(calls).all(), run -> !run.hasEnded(), run -> {
            world.log("the host's " + run.result() + " ends");
            run.end();
        });
    }

    /** Calls, unless the session waits for such a call; what it must be given is certain where all is at rest. */
    private void call(Map<String, String> session, ModelRuns runs) {
        world.settle();
        if (open.stream()
                .anyMatch(one -> one.session().equals(session) && one.runs().equals(runs))) {
            return;
        }
        var before = runs.all();
        var free = before.stream()
                .filter(run -> !run.received
                        && open.stream().noneMatch(one -> one.run().equals(run)))
                .toList();
        world.log("the host calls " + runs.name);
        var wire = post(session, "tools/call", Served.call("hosted", "{\"name\":\"" + runs.name + "\"}"));
        world.rest();
        if (world.hasNodes()) {
            world.advance(ASKED);
        }
        var after = runs.all();
        boolean isNew = after.size() > before.size();
        boolean mayJoin = !free.isEmpty();
        boolean mustJoin = free.stream().anyMatch(run -> !run.unsure);
        hold(after.size() <= before.size() + 1, () -> runs.name + " was run twice by one call");
        hold(
                !isNew || !mustJoin,
                () -> runs.name + " was run again though nobody has received "
                        + free.getLast().result());
        hold(isNew || mayJoin, () -> runs.name + " was not run");
        if (isNew) {
            free.forEach(run -> run.received |= run.unsure);
        }
        after.removeAll(before);
        open.add(new Open(session, runs, isNew ? after.getFirst() : free.getLast(), lastId(), wire));
    }

    /** Gives a call up for want of time; the response may have gone out before the server knows. */
    private void giveUp() {
        any(open, one -> true, one -> {
            world.log("the host gives up " + one.run().result());
            world.server()
                    .post(
                            one.session(),
                            Served.notification(
                                    "notifications/cancelled", "{\"requestId\":" + one.id() + "," + TIMED_OUT + "}"));
            world.rest(world.random.nextInt(20));
            if (world.random.nextBoolean()) {
                one.wire().leave();
            }
            world.rest();
            if (world.hasNodes()) {
                world.advance(ASKED);
            }
            read(one);
            open.remove(one);
        });
    }

    @Override
    void takeStreams() {
        List.copyOf(open).stream().filter(this::read).forEach(open::remove);
    }

    /** Whether the response has come. */
    private boolean read(Open one) {
        boolean isAnswered = false;
        for (var event = one.wire().read();
                event.isPresent();
                event = one.wire().read()) {
            saw(one.run().result(), event.get());
            var result = Optional.of(event.get().data())
                    .filter(data -> !data.isEmpty())
                    .map(Served::json)
                    .filter(message -> !message.has("method"));
            if (result.isPresent()) {
                isAnswered = true;
                answered(one, result.get().at("/result/content/0/text").asString());
            }
        }
        return isAnswered;
    }

    private void answered(Open one, String text) {
        var run = one.runs().all().stream()
                .filter(other -> other.result().equals(text))
                .findFirst();
        hold(run.isPresent(), () -> one.runs().name + " was answered with " + text);
        hold(!run.get().received, () -> text + " was given again");
        hold(
                run.get().equals(one.run()) || one.run().unsure,
                () -> text + " came in place of " + one.run().result());
        run.get().received = true;
    }

    @Override
    void lost() {
        open.forEach(one -> {
            one.run().unsure |= one.run().hasEnded();
            read(one);
        });
        open.clear();
        calls.forEach(runs -> runs.all().forEach(run -> run.unsure |= run.hasEnded()));
    }

    @Override
    void check() {
        for (var one : open) {
            hold(!one.run().hasEnded(), () -> "a call of " + one.run().result() + " was not answered");
            hold(!one.wire().isEnded(), () -> "a call of " + one.run().result() + " ended without a response");
        }
    }
}
