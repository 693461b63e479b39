package io.longhaul.peer.receiver;

import io.longhaul.peer.tool.QuickCall;
import io.longhaul.protocol.call.Answer;

/** What a handler answers to one call, blocking its thread. */
@FunctionalInterface
interface Handling {

    /** @throws io.longhaul.peer.tool.RpcException what the caller is told as a JSON-RPC error */
    Answer answer(QuickCall way) throws Exception;
}
