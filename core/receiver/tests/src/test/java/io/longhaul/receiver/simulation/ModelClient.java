// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.engine.task.Task;
import io.longhaul.receiver.simulation.ModelWire.Event;
import io.longhaul.server.Served;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A client of one generation: what it does, what it has read, and what it must have read. */
abstract class ModelClient {

    static final String ADA = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";
    private static final int LIVE = 2;
    private static final int CREATES = 5;

    /** How much of a message the trace has, in characters. */
    private static final int LONGEST_SHOWN = 2_000;

    /**
     * What a client can do.
     *
     * @param weight how often it does so, compared with its other actions
     * @param does   with one of its tasks; false where it could not be done
     */
    record Action(String what, int weight, Predicate<ModelWork> does) {}

    /**
     * A request that is answered whatever the work does.
     *
     * @param again what the client does where the server dies over it
     */
    record Pending(String what, ModelWire wire, Consumer<JsonNode> then, Runnable again) {}

    final ModelWorld world;
    private final String name;
    private final List<Pending> pending = new ArrayList<>();
    private final Map<ModelWire, Runnable> accepted = new LinkedHashMap<>();
    private int ids;
    private int read;

    ModelClient(ModelWorld world, String name) {
        this.world = world;
        this.name = name;
    }

    abstract Collection<ModelWork> works();

    abstract void create(ModelWork work);

    abstract List<Action> actions();

    /** Takes all that was sent on streams that the client reads. */
    abstract void takeStreams();

    /** All is at rest: holds what was read against what must have been. */
    abstract void check();

    /** The server was killed, with all connections; each may have brought something before. */
    abstract void lost();

    /** The server has started again, with what it had stored. */
    void recover(Function<ModelWork, @Nullable Task> stored) {
        for (var work : List.copyOf(works())) {
            var task = stored.apply(work);
            hold(task != null || work.id.isEmpty() || !isNamedByServer(), () -> work.name + " was lost");
            work.recover(task, world.server().now());
            hold(work.over || work.answered >= work.acknowledged, () -> "an answer to " + work.name + " was lost");
        }
        var unanswered = List.copyOf(pending);
        pending.clear();
        unanswered.forEach(request -> request.again().run());
    }

    /** Whether a task whose id the client knows was acknowledged by the server. */
    boolean isNamedByServer() {
        return true;
    }

    /** How many messages it has read. */
    int read() {
        return read;
    }

    List<ModelWork> live() {
        return works().stream().filter(work -> !work.over && !work.id.isEmpty()).toList();
    }

    /** A step of the simulation begins. */
    void next() {
        works().forEach(ModelWork::next);
    }

    /** Does what the seed draws: creates a task, tells one what to do, or an action of its own. */
    void act() {
        var live = live();
        if (live.isEmpty() || world.random.nextInt(100) < CREATES && live.size() < LIVE) {
            var work = world.work();
            world.log(name + " creates " + work.name);
            create(work);
            return;
        }
        var work = live.get(world.random.nextInt(live.size()));
        var actions = actions();
        int drawn =
                world.random.nextInt(actions.stream().mapToInt(Action::weight).sum());
        for (var action : actions) {
            drawn -= action.weight();
            if (drawn < 0) {
                if (action.does().test(work)) {
                    world.log(name + " " + action.what() + " (" + work.name + ")");
                }
                return;
            }
        }
    }

    /** The task does something, for any client of the model to be told of. */
    final Action tells(int weight) {
        return new Action("looks on", weight, world::tell);
    }

    final int newId() {
        return ++ids;
    }

    final int lastId() {
        return ids;
    }

    final ModelWire post(Map<String, String> headers, String method, String params) {
        return world.server().post(headers, Served.request(newId(), method, params));
    }

    /** Awaits the result of a request. */
    final void await(String what, ModelWire wire, Consumer<JsonNode> then, Runnable again) {
        pending.add(new Pending(what, wire, then, again));
    }

    /** Awaits that a message is accepted which has no response. */
    final void awaitAccepted(ModelWire wire, Runnable then) {
        accepted.put(wire, then);
    }

    final <T> boolean any(Collection<T> all, Predicate<T> which, Consumer<T> action) {
        var fit = all.stream().filter(which).toList();
        if (fit.isEmpty()) {
            return false;
        }
        action.accept(fit.get(world.random.nextInt(fit.size())));
        return true;
    }

    /** Takes all that was sent; false where nothing was. */
    final boolean take() {
        int before = read;
        for (var request : List.copyOf(pending)) {
            request.wire().read().ifPresent(event -> {
                saw(request.what(), event);
                var response = Served.json(event.data());
                hold(response.has("result"), () -> request.what() + " was answered with " + response);
                pending.remove(request);
                request.then().accept(response.path("result"));
            });
        }
        accepted.entrySet().removeIf(sent -> {
            if (sent.getKey().status() == 202) {
                sent.getValue().run();
            }
            return sent.getKey().status() != 0;
        });
        takeStreams();
        return read > before;
    }

    final void saw(Object where, Event event) {
        read++;
        String data = event.data();
        world.log("  " + name + " " + where + " " + event.id() + " "
                + data.substring(0, Math.min(LONGEST_SHOWN, data.length())));
    }

    final boolean isAnswered() {
        return pending.isEmpty();
    }

    final void checkAnswered() {
        hold(pending.isEmpty(), () -> pending.getFirst().what() + " was not answered");
    }

    final void hold(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new AssertionError(name + ": " + otherwise.get());
        }
    }
}
