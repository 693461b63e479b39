package io.longhaul.receiver.tool;

import io.longhaul.protocol.json.Json;

/** A tool that answers at once. Thread-safe: many calls run at the same time. */
@FunctionalInterface
public interface QuickTool {

    /**
     * Answers one call, blocking its virtual thread, which is interrupted when the call is cancelled.
     *
     * @return the whole result: {@code content} and what belongs to it
     * @throws RpcException what the caller is told as a JSON-RPC error
     * @throws Exception    anything else goes to the log, and the caller gets an internal error
     */
    Json call(Json arguments, QuickCall call) throws Exception;
}
