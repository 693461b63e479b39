// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.question;

import io.longhaul.gateway.link.UpstreamServer;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer.Given;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a question of a call was not answered. An upstream gets an error in place of an answer that nobody gave. Where an
 * upstream can take no error, the call ends, and its caller learns the reason from here. Thread-safe.
 */
public final class UnansweredQuestion {

    private volatile @Nullable RpcError why;

    /** The reply to the upstream. */
    public Given reply(RpcError error) {
        why = error;
        return new Given.Cannot(error);
    }

    /** One sentence for the caller of the call; empty where each question was answered. */
    public Optional<String> sentence(UpstreamServer upstream) {
        return Optional.ofNullable(why)
                .map(error -> "The server '" + upstream.name()
                        + "' behind this gateway has asked a question that nobody answered: " + error.message());
    }
}
