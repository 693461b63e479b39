// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.request;

import io.longhaul.client.McpClientException;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.client.UnusableAnswerException;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.question.ServerQuestions;
import java.time.Duration;
import java.util.HashMap;

/** Makes calls that a server may answer with questions first, and repeats them with the answers. */
public final class QuestionRounds {

    /** How often a server may ask for input before it answers a request. */
    public static final int MOST = 32;

    public static final String WITHOUT_END = "The server asks for input again and again without an end.";

    private static final Duration BETWEEN = Duration.ofMillis(500);

    private QuestionRounds() {}

    /**
     * The first answer that is no question. There is no time limit where a person may have to answer.
     *
     * @throws McpClientException where the call ends without an answer
     */
    public static CallResponse ask(Requestor requestor, Answerer answerer, Call.Interactive first) {
        boolean asksNobody = answerer.capabilities().equals(Capabilities.NONE);
        var call = first;
        for (var round = 0; round < MOST; round++) {
            var outgoing = new OutgoingCall(call).answeredBy(answerer);
            var answer = ServerResponses.require(requestor.ask(asksNobody ? outgoing : outgoing.withoutTimeout()));
            if (!(answer instanceof CallResponse.InputNeeded needed)) {
                return answer;
            }
            call = call.with(call.extras(), answeredOrInterrupted(requestor.settings(), answerer, needed));
        }
        throw new UnusableAnswerException(WITHOUT_END, null);
    }

    /** The contents of a resource as the JSON array that the server sent. */
    public static Json read(Requestor requestor, Answerer answerer, String uri) {
        var given = ask(requestor, answerer, new Call.ReadResource(uri, Call.CallExtras.NONE, Call.Round.FIRST));
        return ServerResponses.expect(CallResponse.ResourceRead.class, given, "what the resource holds")
                .contents();
    }

    private static Call.Round answeredOrInterrupted(
            RequestorSettings settings, Answerer answerer, CallResponse.InputNeeded needed) {
        try {
            return answered(settings, answerer, needed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerUnreachableException("The call was interrupted.", e);
        }
    }

    /**
     * The retry of a call with the answers to what the server asked.
     *
     * @throws UnusableAnswerException where a question cannot be answered, or there are too many
     */
    public static Call.Round answered(RequestorSettings settings, Answerer answerer, CallResponse.InputNeeded needed)
            throws InterruptedException {
        if (needed.questions().size() > ServerQuestions.PER_TASK) {
            throw new UnusableAnswerException(
                    "The server asks more than " + ServerQuestions.PER_TASK + " questions at once.", null);
        }
        if (needed.questions().isEmpty()) {
            settings.time().pause(BETWEEN);
        }
        var answers = new HashMap<String, Json>();
        for (var asked : answerer.answerAll(needed.questions()).entrySet()) {
            switch (asked.getValue()) {
                case Answerer.Given.Result(var result) -> answers.put(asked.getKey(), result);
                case Answerer.Given.Cannot(var why) -> throw unanswered(why.message());
                case Answerer.Given.LeftOpen(var why) -> throw unanswered(why);
            }
        }
        return new Call.Round(answers, needed.requestState());
    }

    private static UnusableAnswerException unanswered(String why) {
        return new UnusableAnswerException("The server asks something that this client cannot answer: " + why, null);
    }
}
