// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;

import io.longhaul.generations.Truth.State;
import io.longhaul.testkit.talk.Talk;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The same where every request stands alone: what is asked ends a request, and the same call brings the answer. */
final class StatelessResumeTokensCaller extends ResumeTokensCaller {

    private static final String NO_REQUEST =
            "A question ends the request that it came for, so that there is no request to cancel while it is open.";

    private final Map<String, JsonNode> asked = new HashMap<>();

    StatelessResumeTokensCaller(Talk talk) {
        super(talk);
    }

    @Override
    public Truth truth() {
        return super.truth()
                .says(State.ASKING, "a result with `inputRequests`")
                .cannotBe(Cell.QUESTION_CANCELLED, NO_REQUEST);
    }

    @Override
    ObjectNode stated(ObjectNode params) {
        return stated(params, "{'elicitation':{},'experimental':{'resumeTokens':{}}}");
    }

    @Override
    public String state(Ref call) {
        return asked.containsKey(call.id()) ? "a result with `inputRequests`" : super.state(call);
    }

    @Override
    public Question question(Ref call) {
        var result =
                talk.response(standings.get(call.id()).request()).orElseThrow().path("result");
        asked.put(call.id(), result);
        var requests = result.path("inputRequests");
        return inputRequest(requests);
    }

    @Override
    public void answer(Ref call, Question question, ObjectNode result) {
        var responses = json("{}");
        responses.set(question.id().asString(), result);
        again(call, responses);
    }

    /** The same call with what was carried; another client may have answered what was asked. */
    private void again(Ref call, ObjectNode responses) {
        var order = standings.get(call.id()).order();
        var params = again(order);
        params.set("requestState", asked.remove(call.id()).path("requestState"));
        params.set("inputResponses", responses);
        standings.put(call.id(), new Standing(order, "", talk.begin("tools/call", params)));
    }

    @Override
    public Watch watch(Ref call) {
        if (asked.containsKey(call.id())) {
            again(call, json("{}"));
        }
        return super.watch(call);
    }

    @Override
    public String cancel(Ref call) {
        talk.giveUp(standings.get(call.id()).request());
        return "nothing";
    }
}
