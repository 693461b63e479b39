// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers with an error a question for which the upstream does not say which of several calls it belongs to: with the
 * wrong caller, the question could disclose information. To an upstream with sessions, the gateway declares all
 * capabilities, because the caller is known only with a call.
 */
public final class UnknownCaller implements Answerer {

    private static final Logger LOG = LoggerFactory.getLogger(UnknownCaller.class);

    private final UpstreamServer upstream;
    private final AtomicBoolean warned = new AtomicBoolean();

    public UnknownCaller(UpstreamServer upstream) {
        this.upstream = upstream;
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, true, true, false);
    }

    @Override
    public Given answer(CallResponse.Question question) {
        // Many servers ask for the folders as soon as they have a session, and do without them.
        if (!question.method().equals("roots/list") && !warned.getAndSet(true)) {
            LOG.warn(
                    "a question ({}) of {} was refused: it does not say for which call it is; others are not logged",
                    question.method(),
                    upstream);
        }
        return new Given.Cannot(new RpcError(
                RpcError.INTERNAL_ERROR, "This gateway has several callers, and cannot know which of them is asked."));
    }
}
