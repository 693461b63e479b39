// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import io.longhaul.server.ClientException;
import io.longhaul.server.PassingContext;

/** Has the questions of a quick call answered by its caller. */
record CallAnswerer(PassingContext call) implements Answerer {

    @Override
    public Capabilities capabilities() {
        var can = call.askable();
        return new Capabilities(can.form(), can.url(), can.sampling(), can.roots(), false, can.more());
    }

    @Override
    public Given answer(Answer.Question question) throws InterruptedException {
        try {
            return new Given.Result(call.ask(question.method(), QuestionParams.passedOn(question.params())));
        } catch (ClientException e) {
            return QuestionParams.unanswered(question.method(), new RpcError(e.code(), String.valueOf(e.getMessage())));
        }
    }
}
