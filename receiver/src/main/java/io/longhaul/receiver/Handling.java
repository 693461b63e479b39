package io.longhaul.receiver;

import io.longhaul.protocol.call.Answer;
import io.longhaul.receiver.tool.QuickCall;

/** What a handler answers to one call, blocking its thread. */
@FunctionalInterface
public interface Handling {

    /** @throws io.longhaul.receiver.tool.RpcException what the caller is told as a JSON-RPC error */
    Answer answer(QuickCall way) throws Exception;
}
