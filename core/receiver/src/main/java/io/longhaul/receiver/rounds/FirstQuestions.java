// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.request.InboundRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks questions in rounds of a call, before there is a task. The client carries the answers. */
public record FirstQuestions(CallStates states, Map<String, Question> questions) {

    private static final Duration ROUND = Duration.ofHours(1);

    /** The response to a call that lacks an answer; empty where the call brings all. */
    public Optional<CallResponse> missing(InboundRequest request, CallTool call, @Nullable CarriedState carried) {
        Map<String, Json> given = given(call, carried);
        Map<String, Question> open = new LinkedHashMap<>(questions);
        open.keySet().removeAll(given.keySet());
        for (var question : open.values()) {
            var lacks = QuestionKinds.missing(question, request.capabilities());
            if (lacks != null) {
                return Optional.of(new CallResponse.Refused(new Refusal.CapabilityMissing(lacks)));
            }
        }
        var problem = QuestionKinds.problem(questions, given);
        if (problem.isPresent()) {
            return Optional.of(new CallResponse.Refused(new Refusal.InvalidParams(problem.get())));
        }
        if (open.isEmpty()) {
            return Optional.empty();
        }
        String state = states.seal(request, call, CarriedState.ofGiven(given), ROUND);
        return Optional.of(new CallResponse.InputNeeded(open, state));
    }

    /** The answers of this round and of earlier rounds. */
    public Map<String, Json> given(CallTool call, @Nullable CarriedState carried) {
        Map<String, Json> given = new LinkedHashMap<>(carried == null ? Map.of() : carried.given());
        given.putAll(call.round().responses());
        given.keySet().retainAll(questions.keySet());
        return given;
    }
}
