// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.receiver.simulation.ModelTalk.State;
import io.longhaul.server.Served;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A client of 2026-07-28 that is asked in rounds by quick calls, which wait in memory or run again. What comes after a
 * state and an answer is always the same, whichever state the client sends, how often, and to which process.
 */
final class ModelTalker extends ModelClient {

    private static final ModelStateless REQUESTS = new ModelStateless("{\"elicitation\":{}}");
    private static final int MOST_QUESTIONS = 3;

    private final Map<ModelWork, ModelTalk> talks = new LinkedHashMap<>();
    private int answers;

    ModelTalker(ModelWorld world) {
        super(world, "the talker");
    }

    @Override
    Collection<ModelWork> works() {
        return talks.keySet();
    }

    @Override
    List<Action> actions() {
        return List.of(
                new Action("goes on", 20, work -> send(work, true)),
                new Action("sends and leaves", 4, work -> send(work, false)));
    }

    @Override
    void next() {
        super.next();
        talks.keySet().removeIf(work -> work.over);
    }

    @Override
    void create(ModelWork work) {
        work.id = work.name;
        var talk = new ModelTalk(work, world.random.nextInt(MOST_QUESTIONS + 1));
        talks.put(work, talk);
        world.talk(talk);
        send(talk, talk.states.getFirst(), true);
    }

    private boolean send(ModelWork work, boolean waits) {
        var states = talks.get(work).states;
        boolean isLast = world.random.nextInt(3) > 0;
        send(talks.get(work), isLast ? states.getLast() : states.get(world.random.nextInt(states.size())), waits);
        return true;
    }

    private void send(ModelTalk talk, State state, boolean waits) {
        talk.sends(state, world.processes(), world.handlersWait());
        String answer = "-" + ++answers;
        String call = Served.call("talks", "{\"name\":\"" + talk.work.name + "\"}");
        if (!state.isBeginning()) {
            call = Served.and(
                    call,
                    "\"requestState\":\"" + state.state() + "\",\"inputResponses\":{\"" + state.key()
                            + "\":{\"action\":\"accept\",\"content\":{\"name\":\"" + answer + "\"}}}");
        }
        var wire = post(ModelStateless.headers("tools/call", "talks"), "tools/call", REQUESTS.params(call));
        int process = world.processes();
        var given = state.isBeginning() ? List.<String>of() : state.with(answer);
        if (waits) {
            await("a round", wire, result -> took(talk, given, result, process), () -> {});
        } else {
            // The server may have taken the answer, or learns of the closing before.
            world.rest(world.random.nextInt(10));
            wire.leave();
        }
    }

    private void took(ModelTalk talk, List<String> given, JsonNode result, int process) {
        if (!talk.asksAfter(given)) {
            var text = result.path("content").path(0).path("text").asString();
            hold(text.equals(talk.result(given)), () -> text + " came in place of " + talk.result(given));
            talk.ends();
            return;
        }
        var asked = result.path("inputRequests").properties();
        hold(asked.size() == 1, () -> talk.work.name + " asked " + result + " after " + given);
        var question = asked.iterator().next();
        var words = question.getValue().path("params").path("message").asString();
        hold(words.equals(talk.question(given.size())), () -> words + " came after " + given);
        boolean isKnown = talk.states.stream()
                .anyMatch(state ->
                        state.answers().size() < given.size() && state.key().equals(question.getKey()));
        hold(!isKnown, () -> "the key " + question.getKey() + " was used again");
        talk.states.add(
                new State(given, question.getKey(), result.path("requestState").asString(), process));
    }

    @Override
    void takeStreams() {}

    @Override
    boolean isNamedByServer() {
        return false;
    }

    @Override
    void lost() {}

    @Override
    void check() {
        checkAnswered();
        for (var talk : talks.values()) {
            hold(!talk.ranTooOften(), () -> talk.work.name + " was run again while it waited");
        }
    }
}
