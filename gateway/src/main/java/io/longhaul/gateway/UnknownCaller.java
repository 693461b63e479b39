// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the questions of which an upstream does not say for which of several calls they are: with an error, since a
 * question that goes to the wrong caller may tell somebody what is not meant for them. An upstream with sessions is
 * told that it can ask anything, because whom it asks is known only with a call.
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
        LOG.warn("a question ({}) of an upstream was refused: it does not say for which call it is", question.method());
        return new Given.Cannot(new RpcError(
                RpcError.INTERNAL_ERROR, "This gateway has several callers, and cannot know which of them is asked."));
    }
}
