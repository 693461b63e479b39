// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import io.longhaul.server.ClientException;
import io.longhaul.server.PassingContext;
import java.util.LinkedHashMap;
import java.util.Map;

/** Has the questions of a quick call answered by its caller. */
record CallAnswerer(PassingContext call, Unanswered unanswered) implements Answerer {

    @Override
    public Capabilities capabilities() {
        return PassedQuestions.askable(call.askable());
    }

    @Override
    public Given answer(Answer.Question question) throws InterruptedException {
        try {
            return new Given.Result(call.ask(question.method(), PassedQuestions.passedOn(question.params())));
        } catch (ClientException e) {
            return unanswered.reply(new RpcError(e.code(), String.valueOf(e.getMessage())));
        }
    }

    /** Asks the caller all questions that it can be asked. */
    @Override
    public Map<String, Given> answerAll(Map<String, Answer.Question> questions) throws InterruptedException {
        var passed = new LinkedHashMap<String, Answer.Question>();
        questions.forEach((key, question) ->
                passed.put(key, new Answer.Question(question.method(), PassedQuestions.passedOn(question.params()))));
        try {
            var given = new LinkedHashMap<String, Given>();
            call.askAll(passed).forEach((key, answer) -> given.put(key, new Given.Result(answer)));
            return given;
        } catch (ClientException e) {
            return Answerer.super.answerAll(questions);
        }
    }
}
