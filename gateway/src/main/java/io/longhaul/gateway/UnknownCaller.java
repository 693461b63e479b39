// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Answers with an error a question for which the upstream does not say which of several calls it belongs to: with the
 * wrong caller, the question could disclose information. To an upstream with sessions, the gateway declares all
 * capabilities, because the caller is known only with a call.
 */
final class UnknownCaller implements Answerer {

    static final UnknownCaller ANSWERER = new UnknownCaller();

    private static final Logger LOG = LoggerFactory.getLogger(UnknownCaller.class);

    private UnknownCaller() {}

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, true, true, false);
    }

    @Override
    public Given answer(Answer.Question question) {
        // Many servers ask for the folders as soon as they have a session, and do without them.
        LOG.atLevel(question.method().equals("roots/list") ? Level.DEBUG : Level.WARN)
                .log(
                        "a question ({}) of an upstream was refused: it does not say for which call it is",
                        question.method());
        return new Given.Cannot(new RpcError(
                RpcError.INTERNAL_ERROR, "This gateway has several callers, and cannot know which of them is asked."));
    }
}
