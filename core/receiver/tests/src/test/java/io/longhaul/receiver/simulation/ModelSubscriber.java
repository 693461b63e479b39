// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.engine.task.Task;
import io.longhaul.server.Served;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A client of 2026-07-28, which has no session: it listens to its tasks by subscriptions, and answers their questions.
 * Each subscription tells how a task stands, and each change once.
 */
final class ModelSubscriber extends ModelClient {

    private static final ModelStateless REQUESTS = new ModelStateless(Served.TASKS);
    private static final int SUBSCRIPTIONS = 3;
    private static final List<String> ENDS = List.of("completed", "cancelled", "failed");

    /** One open subscription. */
    private static final class Listening {
        private final ModelWire wire;
        private final List<ModelWork> works;
        private final Map<ModelWork, JsonNode> told = new HashMap<>();
        private final Map<ModelWork, String> shapes = new HashMap<>();
        private boolean acknowledged;
        private boolean slow;

        Listening(ModelWire wire, List<ModelWork> works) {
            this.wire = wire;
            this.works = works;
        }
    }

    private final List<ModelWork> works = new ArrayList<>();
    private final List<Listening> open = new ArrayList<>();

    /** The keys of the open questions, as they were seen last. */
    private final Map<ModelWork, String> keys = new LinkedHashMap<>();

    /** Tasks whose last step may not have been stored when the server was killed, with that step. */
    private final Map<ModelWork, Integer> uncertain = new HashMap<>();

    ModelSubscriber(ModelWorld world) {
        super(world, "the subscriber");
    }

    @Override
    Collection<ModelWork> works() {
        return works;
    }

    @Override
    List<Action> actions() {
        return List.of(
                tells(50),
                new Action("listens", 15, work -> listen()),
                new Action("leaves", 6, work -> leave()),
                new Action("answers", 10, work -> answer()),
                new Action("cancels", 2, this::cancel),
                new Action("stalls", 2, work -> stall()),
                new Action("goes on", 10, work -> goOn()));
    }

    // What the client does; each returns whether it could be done.

    @Override
    void create(ModelWork work) {
        works.add(work);
        call(work);
    }

    private void call(ModelWork work) {
        String call = Served.call(work.tool(), "{\"name\":\"" + work.name + "\"}");
        var params = REQUESTS.params(call, "\"io.longhaul/creation-key\":\"" + work.name + "\"");
        var wire = post("tools/call", work.tool(), params);
        await("a creation", wire, result -> work.id = result.path("taskId").asString(), () -> call(work));
    }

    private boolean listen() {
        var ofInterest = live();
        if (ofInterest.isEmpty() || open.size() >= SUBSCRIPTIONS) {
            return false;
        }
        var ids = ofInterest.stream().map(work -> "\"" + work.id + "\"").toList();
        var wire = post("subscriptions/listen", "", REQUESTS.params("{\"notifications\":{\"taskIds\":" + ids + "}}"));
        open.add(new Listening(wire, ofInterest));
        return true;
    }

    private boolean leave() {
        return any(open, one -> true, one -> {
            one.wire.leave();
            open.remove(one);
        });
    }

    private boolean stall() {
        return any(open, one -> !one.slow, one -> one.slow = true);
    }

    private boolean goOn() {
        return any(open, one -> one.slow, one -> one.slow = false);
    }

    private boolean answer() {
        var asking = keys.keySet().stream().filter(ModelWork::asks).findFirst();
        if (asking.isEmpty()) {
            return false;
        }
        var work = asking.get();
        int answered = ++work.answered;
        String key = keys.remove(work);
        await(
                "an answer",
                update(work, "\"inputResponses\":{\"" + key + "\":" + ADA + "}", "tasks/update"),
                result -> work.acknowledged = answered,
                () -> {});
        return true;
    }

    private boolean cancel(ModelWork work) {
        work.ends(world.server().now());
        work.cancelled = true;
        await("a cancellation", update(work, "", "tasks/cancel"), result -> {}, () -> {});
        return true;
    }

    private ModelWire update(ModelWork work, String members, String method) {
        String more = members.isEmpty() ? "" : "," + members;
        return post(method, work.id, REQUESTS.params("{\"taskId\":\"" + work.id + "\"" + more + "}"));
    }

    private ModelWire post(String method, String name, String params) {
        return post(ModelStateless.headers(method, name), method, params);
    }

    @Override
    void lost() {
        open.clear();
        works.forEach(work -> uncertain.put(work, work.steps()));
    }

    @Override
    void recover(Function<ModelWork, @Nullable Task> stored) {
        keys.clear();
        super.recover(stored);
    }

    // What the client reads.

    @Override
    void takeStreams() {
        open.stream().filter(one -> !one.slow).toList().forEach(this::take);
    }

    private void take(Listening to) {
        for (var event = to.wire.read(); event.isPresent(); event = to.wire.read()) {
            saw("a subscription", event.get());
            var message = Served.json(event.get().data());
            var params = message.path("params");
            switch (message.path("method").asString()) {
                case "notifications/subscriptions/acknowledged" -> {
                    hold(!to.acknowledged, () -> "a subscription was acknowledged twice");
                    to.acknowledged = true;
                }
                case "notifications/tasks" -> change(to, params);
                default -> hold(false, () -> "a subscription brought " + message);
            }
        }
        hold(!to.wire.isEnded(), () -> "a subscription ended");
    }

    private void change(Listening to, JsonNode params) {
        hold(to.acknowledged, () -> "a change came before the acknowledgement");
        var work = to.works.stream()
                .filter(one -> one.id.equals(params.path("taskId").asString()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("a change of another task: " + params));
        var before = to.told.put(work, params);
        hold(
                before == null || !ENDS.contains(before.path("status").asString()),
                () -> "a change of " + work.name + " was told behind its end");
        String shape = params.path("status") + "|" + params.path("statusMessage") + "|"
                + params.path("_meta").path("io.longhaul/progress") + "|"
                + params.path("_meta").has("io.longhaul/output") + "|" + params.path("inputRequests") + "|"
                + work.answered;
        hold(!shape.equals(to.shapes.put(work, shape)), () -> "no change of " + work.name + " was told: " + shape);
        keys.remove(work);
        params.path("inputRequests").propertyNames().forEach(key -> keys.put(work, key));
    }

    // What the client must have read.

    @Override
    void check() {
        checkAnswered();
        Set<ModelWork> known = new HashSet<>(works);
        for (var one : open) {
            if (!one.slow) {
                hold(one.acknowledged, () -> "a subscription was not acknowledged");
                one.works.stream().filter(known::contains).forEach(work -> check(work, one.told.get(work)));
            }
        }
    }

    private void check(ModelWork work, @Nullable JsonNode told) {
        hold(told != null, () -> work.name + " was not told of");
        String status = told.path("status").asString();
        String expected = work.asks() ? "input_required" : "working";
        hold(work.over ? ENDS.contains(status) : status.equals(expected), () -> work.name + " was told as " + status);
        int step =
                told.path("_meta").path("io.longhaul/progress").path("progress").asInt();
        hold(
                work.over || step == work.steps() || uncertain.getOrDefault(work, 0) == work.steps(),
                () -> work.name + " was told at step " + step + " of " + work.steps());
    }
}
