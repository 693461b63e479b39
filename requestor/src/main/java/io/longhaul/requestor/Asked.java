package io.longhaul.requestor;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.TransportException;
import org.jspecify.annotations.Nullable;

/** What became of a call to a server. Reasons are sentences for the user. */
public sealed interface Asked {

    /** The server answered. */
    record Answered(Answer answer) implements Asked {}

    /** The server answered with an error. */
    record Refused(RpcError error) implements Asked {}

    /** The server could not be reached within the patience, or whether it has done anything is not known. */
    record Lost(String reason, @Nullable TransportException cause) implements Asked {}

    /** The server answered what no server may. */
    record Unusable(String reason) implements Asked {}

    /** The caller gave the call up. */
    record GivenUp() implements Asked {}
}
