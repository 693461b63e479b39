// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.call;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.TransportException;

/** How a call to a server ended, after all its exchanges. Reasons are sentences for the user. */
public sealed interface CallEnd {

    /** The server answered. */
    record Answered(Answer answer) implements CallEnd {}

    /** The server answered with an error. */
    record Refused(RpcError error) implements CallEnd {}

    /** There is no answer. */
    sealed interface Failed extends CallEnd {
        String reason();
    }

    /** The server was out of reach for too long, and has not begun the call. */
    record Lost(String reason, TransportException cause) implements Failed {
        Lost(TransportException cause) {
            this(String.valueOf(cause.getMessage()), cause);
        }
    }

    /** The call went out and no answer came: the server may or may not have carried out the call. */
    record OutcomeUnknown(String reason, TransportException cause) implements Failed {}

    /**
     * The server's answer breaks the protocol.
     *
     * @param isResult whether the answer is a result of the call; else no answer to the call could be read
     */
    record Unusable(String reason, boolean isResult) implements Failed {
        Unusable(String reason) {
            this(reason, false);
        }
    }

    /** The caller cancelled the call, or no longer waits for it. */
    record Cancelled() implements CallEnd {}
}
