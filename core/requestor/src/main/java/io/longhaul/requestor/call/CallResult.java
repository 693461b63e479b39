// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.call;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.client.TransportException;

/** How a call to a server ended, after all its exchanges. Reasons are sentences for the user. */
public sealed interface CallResult {

    /** Whether the same call may be answered later: the server was out of reach. */
    default boolean isPassing() {
        return this instanceof Lost || this instanceof OutcomeUnknown;
    }

    /** The server answered. */
    record Answered(CallResponse answer) implements CallResult {}

    /** The server answered with an error. */
    record Refused(RpcError error) implements CallResult {}

    /** There is no answer. */
    sealed interface Failed extends CallResult {
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
    record Cancelled() implements CallResult {}
}
