// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
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
final class RoundTrips {

    /** How often a server may ask for input before it answers a request. */
    static final int MOST = 32;

    static final String WITHOUT_END = "The server asks for input again and again without an end.";

    private static final Duration BETWEEN = Duration.ofMillis(500);

    private RoundTrips() {}

    /**
     * The first answer that is no question. There is no time limit where a person may have to answer.
     *
     * @throws McpClientException where the call ends without an answer
     */
    static Answer ask(Requestor requestor, Answerer answerer, Call.Interactive first) {
        boolean asksNobody = answerer.capabilities().equals(Capabilities.NONE);
        var call = first;
        for (var round = 0; round < MOST; round++) {
            var outgoing = new OutgoingCall(call).answeredBy(answerer);
            var answer = Replies.require(requestor.ask(asksNobody ? outgoing : outgoing.withoutTimeout()));
            if (!(answer instanceof Answer.InputNeeded needed)) {
                return answer;
            }
            call = call.with(call.extras(), answeredOrInterrupted(requestor.settings(), answerer, needed));
        }
        throw new UnusableAnswerException(WITHOUT_END, null);
    }

    private static Call.Retry answeredOrInterrupted(
            RequestorSettings settings, Answerer answerer, Answer.InputNeeded needed) {
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
    static Call.Retry answered(RequestorSettings settings, Answerer answerer, Answer.InputNeeded needed)
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
                case Answerer.Given.Cannot(var why) ->
                    throw new UnusableAnswerException(
                            "The server asks something that this client cannot answer: " + why.message(), null);
            }
        }
        return new Call.Retry(answers, needed.requestState());
    }
}
