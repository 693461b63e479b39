// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.talk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * What one client says and hears: responses are found by their requests, all else is kept until it is asked for. Not
 * thread-safe.
 */
public final class Talk {

    private final AtomicInteger ids = new AtomicInteger();
    private final List<JsonNode> heard = new ArrayList<>();
    private final List<JsonNode> kept = new ArrayList<>();
    private ClientWire wire;

    public Talk(ClientWire wire) {
        this.wire = wire;
    }

    /** Opens a session. */
    public Talk open(String version, String capabilities) {
        ask("initialize", Messages.opening(version, capabilities));
        tell("notifications/initialized", "{}");
        return this;
    }

    /** The whole response. */
    public JsonNode ask(String method, Object params) {
        return response(begin(method, params)).orElseThrow(() -> new AssertionError("no response to " + method));
    }

    /** Sends a request, and gives its id. */
    public int begin(String method, Object params) {
        int id = ids.incrementAndGet();
        wire.send(Messages.request(id, method, params));
        return id;
    }

    /** Sends what it is given. */
    public void send(String message) {
        wire.send(message);
    }

    /** Gives up a request that stands alone, as its transport does that. */
    public void giveUp(int request) {
        wire.giveUp(request);
    }

    public void tell(String method, Object params) {
        wire.send(Messages.notification(method, params));
    }

    /** Answers a request of the server. */
    public void answer(JsonNode id, Object result) {
        wire.send(Messages.response(id, result));
    }

    /** Waits for the response to a request; empty where none will come. */
    public Optional<JsonNode> response(int request) {
        var found = hear(message ->
                isResponse(message, request) || message.path(ClientWire.ENDED).asInt(ClientWire.ALL) == request);
        return found.has(ClientWire.ENDED) ? Optional.empty() : Optional.of(found);
    }

    /** Whether a message of this method was heard and kept. */
    public boolean hasHeard(String method) {
        return kept.stream().anyMatch(message -> isOf(message, method));
    }

    /** All that has come and was looked at, in its order. */
    public List<JsonNode> heard() {
        return List.copyOf(heard);
    }

    /** Whether the response has come by now. */
    public boolean isAnswered(int request) {
        while (!wire.isQuiet()) {
            kept.add(take());
        }
        return kept.stream().anyMatch(message -> isResponse(message, request));
    }

    /** Waits for a message of the server, unless it was heard and kept. */
    public JsonNode hear(String method, Predicate<JsonNode> params) {
        return hear(message -> isOf(message, method) && params.test(message.path("params")));
    }

    /** What comes next, whatever it is. */
    public JsonNode next() {
        return hear(message -> true);
    }

    private JsonNode hear(Predicate<JsonNode> which) {
        for (var message : kept) {
            if (which.test(message)) {
                kept.remove(message);
                return message;
            }
        }
        for (var message = take(); ; message = take()) {
            if (which.test(message)) {
                return message;
            }
            kept.add(message);
        }
    }

    private JsonNode take() {
        var message = wire.next();
        if (message.path(ClientWire.ENDED).asInt(-1) == ClientWire.ALL) {
            throw new AssertionError("the server has left; it has said " + heard);
        }
        heard.add(message);
        return message;
    }

    private static boolean isOf(JsonNode message, String method) {
        return message.path("method").asString("").equals(method);
    }

    private static boolean isResponse(JsonNode message, int request) {
        return !message.has("method") && message.path("id").asInt(0) == request;
    }

    /** Goes on with a server that was started again, by a wire on which nothing was said yet. */
    public void goOn(ClientWire after) {
        kept.clear();
        after.goOnAfter(wire);
        wire = after;
    }

    /** Hears once more what came on the stream of a request, as the client of another wire. */
    public Talk reread(ClientWire other, int request) {
        other.reread(wire, request);
        return new Talk(other);
    }

    /** Ends the session where there is one. */
    public void leave() {
        wire.close();
    }
}
