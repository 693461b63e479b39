// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;

import io.longhaul.testkit.talk.Talk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A client that speaks one generation, in so few verbs that a scenario written once fits every one of them. What most
 * generations say alike is said here; a generation overrides what it says in another way.
 */
abstract class Caller {

    static final String OTHER_CALL =
            "-32602 \"params._meta[\"io.longhaul/creation-key\"] was used before for another call\"";

    /**
     * What is to be called.
     *
     * @param key  makes the creation safe to repeat, where it is given
     * @param keep how long the result is to be kept, counted as the generation counts
     */
    record Order(String tool, @Nullable String key, Duration keep) {
        static Order of(String tool) {
            return new Order(tool, null, Works.KEPT);
        }

        Order keyed(String by) {
            return new Order(tool, by, keep);
        }
    }

    /**
     * A call that was made.
     *
     * @param id      what the verbs of the generation take; empty where it has none
     * @param request that made it
     */
    record Ref(String id, int request) {}

    /** A question of the server. */
    record Question(JsonNode id, String text) {}

    /** A client that follows a call until it ends. */
    interface Watch {
        Told end();
    }

    final Talk talk;
    private final String creating;
    private final String idName;
    private final Map<String, Integer> partsRead = new HashMap<>();
    private @Nullable Place place;

    /** @param creating the method that makes a call */
    Caller(Talk talk, String creating) {
        this(talk, creating, "taskId");
    }

    /** @param idName under which verbs take the id of a call */
    Caller(Talk talk, String creating, String idName) {
        this.talk = talk;
        this.creating = creating;
        this.idName = idName;
    }

    /** What this generation must say. */
    abstract Truth truth();

    final Talk talk() {
        return talk;
    }

    /** The same client, at a place of this process. */
    final Caller at(Place settled) {
        place = settled;
        return this;
    }

    final Place place() {
        return Objects.requireNonNull(place);
    }

    /** Goes on with a server that was started again. */
    final void goOn(Place after, String subject) {
        talk.goOn(at(after).place().way().wire(subject));
    }

    /** The params that make a call. */
    abstract ObjectNode params(Order order);

    /** The params of a verb that takes the id of a call. */
    ObjectNode named(String id) {
        return json("{'%s':'%s'}", idName, id);
    }

    /** What each request says of its sender, besides. */
    ObjectNode stated(ObjectNode params) {
        return params;
    }

    /** Whether a request or notice of the server with these params is about a call. */
    boolean isOf(Ref call, JsonNode params) {
        return true;
    }

    /** The verbs that take the id of a call, and nothing else. */
    List<String> verbNames() {
        return List.of();
    }

    final JsonNode ask(String method, ObjectNode params) {
        return talk.ask(method, stated(params));
    }

    /** The same params with the key of the order, where it has one. */
    static ObjectNode keyed(Order order, ObjectNode params) {
        if (order.key() != null) {
            params.withObject("_meta").put("io.longhaul/creation-key", order.key());
        }
        return params;
    }

    /** The same params as a request of 2026-07-28 that stands alone. */
    static ObjectNode stated(ObjectNode params, String capabilities) {
        params.withObject("_meta")
                .put("io.modelcontextprotocol/protocolVersion", "2026-07-28")
                .set("io.modelcontextprotocol/clientInfo", json("{'name':'t','version':'1'}"))
                .set("io.modelcontextprotocol/clientCapabilities", json(capabilities));
        return params;
    }

    /** The only one of some {@code inputRequests}. */
    static Question inputRequest(JsonNode requests) {
        String key = requests.propertyNames().iterator().next();
        return new Question(
                json("{'key':'%s'}", key).path("key"),
                requests.path(key).path("params").path("message").asString());
    }

    /** Makes a call, and waits for as much of an answer as there is at once. */
    abstract Ref create(Order order);

    /** Makes a call that is answered at once, with its id at {@code pointer} of the result. */
    final Ref created(Order order, String pointer) {
        int request = talk.begin(creating, params(order));
        var result = talk.response(request).orElseThrow().path("result");
        return new Ref(result.at(pointer).asString(), request);
    }

    /** What is said at once to a call that cannot be made. */
    JsonNode refusal(Order order) {
        return talk.ask(creating, params(order));
    }

    /** What the verb says that asks how a call stands, where the generation has one. */
    JsonNode get(Ref call) {
        throw new UnsupportedOperationException("no verb asks how a call stands");
    }

    /** What is said of the state of a call that has not ended. */
    String state(Ref call) {
        return get(call).path("status").asString();
    }

    /** Asks how a call stands until that is one of {@code ends}, and then for the outcome. */
    final Told poll(Ref call, String ends) {
        var task = get(call);
        while (!task.path("status").asString().matches(ends)) {
            task = get(call);
        }
        String error = task.has("error") ? "`error` \"" + task.path("error").asString() + "\", " : "";
        return new Told(task.path("status").asString(), error + Told.outcome(fetch(call)));
    }

    /** Begins to wait for the end. */
    abstract Watch watch(Ref call);

    /** A call of this order that another client of the same owner has made. */
    Ref adopt(Ref call, Order order) {
        return new Ref(call.id(), 0);
    }

    /** As {@link #adopt}, and follows it from now on as the other client does. */
    Ref join(Ref call, Order order) {
        return adopt(call, order);
    }

    /** Ends the session where retention begins with that. */
    void leave() {}

    /** How the call has ended, asked for once more. */
    abstract JsonNode fetch(Ref call);

    /** Waits for the question of a call. */
    Question question(Ref call) {
        var asked = talk.hear("elicitation/create", params -> isOf(call, params));
        return new Question(
                asked.path("id"), asked.path("params").path("message").asString());
    }

    void answer(Ref call, Question question, ObjectNode result) {
        talk.answer(question.id(), result);
    }

    /** What is said to a wish to cancel. */
    String cancel(Ref call) {
        talk.tell("notifications/cancelled", json("{'requestId':%d}", call.request()));
        return "nothing";
    }

    /** Waits for the first progress of a call. */
    String progress(Ref call) {
        var told = talk.hear("notifications/progress", params -> isOf(call, params));
        return Told.progress(told.path("params"));
    }

    /** Waits for the next piece of partial output, where the generation has such. */
    String part(Ref call) {
        int next = partsRead.merge(call.id(), 1, Integer::sum) - 1;
        var parts = parts(call);
        while (parts.size() <= next) {
            parts = parts(call);
        }
        return parts.get(next);
    }

    /** The partial output so far, by the resource that the server names for it. */
    List<String> parts(Ref call) {
        return read(get(call).path("_meta").path("io.longhaul/output"));
    }

    /** The texts of a resource; none where there is none. */
    final List<String> read(JsonNode uri) {
        var texts = new ArrayList<String>();
        if (uri.isString()) {
            ask("resources/read", json("{'uri':'%s'}", uri.asString()))
                    .path("result")
                    .path("contents")
                    .forEach(content -> texts.add(content.path("text").asString()));
        }
        return texts;
    }

    /** What each verb that takes the id of a call says. */
    Map<String, JsonNode> verbs(String id) {
        var said = new LinkedHashMap<String, JsonNode>();
        verbNames().forEach(verb -> said.put(verb, ask(verb, named(id))));
        return said;
    }

    /** Requests whose params make no sense, one a line: a method and its params. */
    abstract String senseless();

    /** Whether {@link #senseless} makes a call of a tool that waits at the gate. */
    boolean isSenselessOfCall() {
        return false;
    }

    /** Responses to requests whose params make no sense. */
    List<JsonNode> malformed() {
        return senseless()
                .lines()
                .map(line -> line.split(" ", 2))
                .map(request -> ask(request[0], json(request[1])))
                .toList();
    }

    /** What somebody else is told of a call, by what they asked with. */
    Map<String, String> seenBy(Caller other, Ref call) {
        var seen = new LinkedHashMap<String, String>();
        other.verbs(call.id()).forEach((verb, response) -> seen.put(verb, Told.outcome(response)));
        return seen;
    }

    /** Whether two creations gave the same call, as far as one can see at once. */
    boolean isSame(Ref first, Ref second) {
        return first.id().equals(second.id());
    }

    /** The tasks that are listed, where the generation lists any. */
    List<String> list() {
        throw new UnsupportedOperationException("nothing is listed");
    }

    Told end(Ref call) {
        return watch(call).end();
    }
}
