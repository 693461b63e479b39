package io.longhaul.client;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Makes calls that a server may answer with questions first, again with the answers. */
final class RoundTrips {

    private static final Duration BETWEEN = Duration.ofSeconds(1);

    private RoundTrips() {}

    /**
     * The answer that is no question. It may take as long as a person takes, where there is one to ask.
     *
     * @throws McpClientException where there is none
     */
    static Answer ask(Requestor requestor, Call.Interactive first) {
        boolean asksNobody = requestor.settings().answerer().capabilities().equals(Capabilities.NONE);
        var call = first;
        for (var round = 0; round < CallStart.MOST_ROUNDS; round++) {
            var outgoing = new OutgoingCall(call);
            var answer = Replies.require(requestor.ask(asksNobody ? outgoing : outgoing.withoutTimeout()));
            if (!(answer instanceof Answer.InputNeeded needed)) {
                return answer;
            }
            call = call.with(call.extras(), new Call.Retry(answers(requestor, needed), needed.requestState()));
        }
        throw new UnusableAnswerException("The server asks for input again and again without an end.", null);
    }

    private static Map<String, Json> answers(Requestor requestor, Answer.InputNeeded needed) {
        var settings = requestor.settings();
        var answers = new HashMap<String, Json>();
        try {
            if (needed.questions().isEmpty()) {
                settings.time().pause(BETWEEN);
            }
            for (var asked : needed.questions().entrySet()) {
                switch (settings.answerer().answer(asked.getValue())) {
                    case Answerer.Given.Result(var result) -> answers.put(asked.getKey(), result);
                    case Answerer.Given.Cannot(var why) ->
                        throw new UnusableAnswerException(
                                "The server asks something that this client cannot answer: " + why.message(), null);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerUnreachableException("The call was interrupted.", e);
        }
        return answers;
    }
}
