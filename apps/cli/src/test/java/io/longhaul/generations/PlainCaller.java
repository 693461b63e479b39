// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;

import io.longhaul.generations.Truth.End;
import io.longhaul.testkit.talk.Talk;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A client that has never heard of tasks: a call is a request, and its response is all that will come. */
final class PlainCaller extends Caller {

    private static final String VERSION = "2025-06-18";
    private static final String NO_ID =
            "A call has no id and no time for which it is kept: its request and streams are its session's alone.";

    private int calls;

    PlainCaller(Talk talk) {
        super(talk.open(VERSION, "{'elicitation':{}}"), "tools/call");
    }

    @Override
    public Truth truth() {
        return Truth.ofAnswers("no response yet", "no response yet")
                .says(End.CANCELLED, "", Told.NO_RESPONSE)
                .says(End.CANCELLED_ELSEWHERE, "", "-32603 \"Task was cancelled\"")
                .saysToCancel("nothing", "nothing")
                .saysOfUnknown("-32600 \"No such session: it has ended, or was never opened\"", "its stream")
                .saysToOtherCreation(OTHER_CALL)
                .cannotBe(Cell.PARTIAL_OUTPUT, Truth.NO_PARTS)
                .cannotBe(Cell.EXPIRES, NO_ID)
                .cannotBe(Cell.UNKNOWN_ID, NO_ID);
    }

    /** The id is the token of the progress of the call. */
    @Override
    public Ref create(Order order) {
        String token = "p" + ++calls;
        return new Ref(token, talk.begin("tools/call", params(order, token)));
    }

    @Override
    ObjectNode params(Order order) {
        return params(order, "p" + ++calls);
    }

    private static ObjectNode params(Order order, String token) {
        return keyed(order, json("{'name':'%s','arguments':{},'_meta':{'progressToken':'%s'}}", order.tool(), token));
    }

    @Override
    public String state(Ref call) {
        return talk.isAnswered(call.request()) ? "a response" : "no response yet";
    }

    @Override
    public Watch watch(Ref call) {
        return () ->
                new Told("", talk.response(call.request()).map(Told::outcome).orElse(Told.NO_RESPONSE));
    }

    /** The same call under the same key is the same task. */
    @Override
    public Ref join(Ref call, Order order) {
        return create(order);
    }

    /** A stream can be read again from any of its events. */
    @Override
    public JsonNode fetch(Ref call) {
        return talk.reread(place().way().wire("alice"), call.request())
                .response(call.request())
                .orElseThrow();
    }

    /** Only progress names its call, by the token. */
    @Override
    boolean isOf(Ref call, JsonNode params) {
        return params.path("progressToken").asString(call.id()).equals(call.id());
    }

    /** The responses show whether it was. */
    @Override
    public boolean isSame(Ref first, Ref second) {
        return true;
    }

    @Override
    public Map<String, String> seenBy(Caller other, Ref call) {
        return Map.of(
                "its stream",
                Told.error(
                        talk.reread(place().way().wire("bob"), call.request()).next()));
    }

    @Override
    String senseless() {
        return """
                tools/call {'arguments':{}}
                tools/call {'name':7}
                tools/call {'name':'report','arguments':[]}
                """;
    }
}
