package io.longhaul.receiver.tool;

import io.longhaul.protocol.call.Answer;

/** What a handler answers to one call, blocking its thread. */
@FunctionalInterface
public interface QuickHandler {

    /** @throws io.longhaul.receiver.tool.RpcException what the caller is told as a JSON-RPC error */
    Answer answer(QuickCall way) throws Exception;
}
