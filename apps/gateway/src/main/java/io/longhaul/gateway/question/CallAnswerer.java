// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.question;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import io.longhaul.server.ClientException;
import io.longhaul.server.ForwardContext;
import java.util.LinkedHashMap;
import java.util.Map;

/** Has the questions of a quick call answered by its caller. */
public record CallAnswerer(ForwardContext call, UnansweredQuestion unanswered) implements Answerer {

    @Override
    public Capabilities capabilities() {
        return ForwardedQuestions.askable(call.askable());
    }

    @Override
    public Given answer(CallResponse.Question question) throws InterruptedException {
        try {
            return new Given.Result(call.ask(question.method(), ForwardedQuestions.passedOn(question.params())));
        } catch (ClientException e) {
            return unanswered.reply(new RpcError(e.code(), String.valueOf(e.getMessage())));
        }
    }

    /** Asks the caller all questions that it can be asked. */
    @Override
    public Map<String, Given> answerAll(Map<String, CallResponse.Question> questions) throws InterruptedException {
        var passed = new LinkedHashMap<String, CallResponse.Question>();
        questions.forEach((key, question) -> passed.put(
                key, new CallResponse.Question(question.method(), ForwardedQuestions.passedOn(question.params()))));
        try {
            var given = new LinkedHashMap<String, Given>();
            call.askAll(passed).forEach((key, answer) -> given.put(key, new Given.Result(answer)));
            return given;
        } catch (ClientException e) {
            return Answerer.super.answerAll(questions);
        }
    }
}
