package io.longhaul.requestor.call;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.TransportException;
import org.jspecify.annotations.Nullable;

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

    /** The server was out of reach for too long, or what it has done of the call is unknown. */
    record Lost(String reason, @Nullable TransportException cause) implements Failed {
        Lost(TransportException cause) {
            this(String.valueOf(cause.getMessage()), cause);
        }
    }

    /** The server answered what no server may. */
    record Unusable(String reason) implements Failed {}

    /** The caller cancelled the call, or does not wait for it any more. */
    record Cancelled() implements CallEnd {}
}
