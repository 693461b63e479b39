// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.call;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.TransportException;

/** What became of a call to a server, after all its exchanges. Reasons are sentences for the user. */
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

    /** The call has gone out and no answer came: the server may have carried out the call, or not. */
    record OutcomeUnknown(String reason, TransportException cause) implements Failed {}

    /** The server answered what no server may. */
    record Unusable(String reason) implements Failed {}

    /** The caller cancelled the call, or does not wait for it any more. */
    record Cancelled() implements CallEnd {}
}
