// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What one client says and hears: responses are found by their requests, all else is kept until it is asked for. Not
 * thread-safe.
 */
final class Talk {

    private final AtomicInteger ids = new AtomicInteger();
    private final List<JsonNode> kept = new ArrayList<>();
    private @Nullable Place place;
    private Wire wire;

    /** @param place null where the servers are other processes */
    Talk(@Nullable Place place, Wire wire) {
        this.place = place;
        this.wire = wire;
    }

    /** JSON as it is written in Java: with {@code '} for quotation marks. */
    static ObjectNode json(String form, Object... values) {
        return (ObjectNode) JsonMapper.shared().readTree(form.replace('\'', '"').formatted(values));
    }

    /** Opens a session. */
    Talk open(String version, String capabilities) {
        ask(
                "initialize",
                json(
                        "{'protocolVersion':'%s','capabilities':%s,'clientInfo':{'name':'t','version':'1'}}",
                        version, capabilities.replace('\'', '"')));
        tell("notifications/initialized", json("{}"));
        return this;
    }

    /** The whole response. */
    JsonNode ask(String method, ObjectNode params) {
        return response(begin(method, params)).orElseThrow(() -> new AssertionError("no response to " + method));
    }

    /** Sends a request, and gives its id. */
    int begin(String method, ObjectNode params) {
        int id = ids.incrementAndGet();
        wire.send(json("{'jsonrpc':'2.0','id':%d,'method':'%s'}", id, method).set("params", params));
        return id;
    }

    /** Gives up a request that stands alone, as its transport does that. */
    void giveUp(int request) {
        wire.giveUp(request);
    }

    /** Lets as much time pass as the server holds the request that was sent last. */
    void passHold(Duration hold) {
        Objects.requireNonNull(place).passWhenAwaited(hold);
    }

    void tell(String method, ObjectNode params) {
        wire.send(json("{'jsonrpc':'2.0','method':'%s'}", method).set("params", params));
    }

    /** Answers a request of the server. */
    void answer(JsonNode id, ObjectNode result) {
        var response = json("{'jsonrpc':'2.0'}");
        response.set("id", id);
        wire.send(response.set("result", result));
    }

    /** Waits for the response to a request; empty where none will come. */
    Optional<JsonNode> response(int request) {
        var found = hear(message ->
                isResponse(message, request) || message.path(Wire.ENDED).asInt(0) == request);
        return found.has(Wire.ENDED) ? Optional.empty() : Optional.of(found);
    }

    /** Whether a message of this method was heard and kept. */
    boolean hasHeard(String method) {
        return kept.stream()
                .anyMatch(message -> message.path("method").asString("").equals(method));
    }

    /** Whether the response has come by now. */
    boolean isAnswered(int request) {
        while (!wire.isQuiet()) {
            kept.add(wire.next());
        }
        return kept.stream().anyMatch(message -> isResponse(message, request));
    }

    /** Waits for a message of the server, unless it was heard and kept. */
    JsonNode hear(String method, Predicate<JsonNode> params) {
        return hear(
                message -> message.path("method").asString("").equals(method) && params.test(message.path("params")));
    }

    /** What comes next, whatever it is. */
    JsonNode next() {
        return hear(message -> true);
    }

    private JsonNode hear(Predicate<JsonNode> which) {
        for (var message : kept) {
            if (which.test(message)) {
                kept.remove(message);
                return message;
            }
        }
        for (var message = wire.next(); ; message = wire.next()) {
            if (which.test(message)) {
                return message;
            }
            kept.add(message);
        }
    }

    private static boolean isResponse(JsonNode message, int request) {
        return !message.has("method") && message.path("id").asInt(0) == request;
    }

    /** Goes on with a server that was started again. */
    void goOn(Place after) {
        kept.clear();
        place = after;
        wire = wire.again(after);
    }

    /** Hears once more what came on the stream of a request, as a client of this name. */
    Talk reread(String subject, int request) {
        return new Talk(place, wire.rereadAs(subject, request));
    }

    /** Ends the session where there is one. */
    void leave() {
        wire.close();
    }
}
