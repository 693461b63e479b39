package io.longhaul.client;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;

/** How a call ended. */
public sealed interface CallOutcome {

    /**
     * With the tool's own result.
     *
     * @param result  the whole result object: {@code content}, {@code structuredContent} and what else there is
     * @param isError whether the tool says that it failed
     */
    record ToolResult(Json result, boolean isError) implements CallOutcome {}

    /** With a JSON-RPC error of the server. */
    record ProtocolError(RpcError error) implements CallOutcome {}

    /** By cancellation, by this client or by another. */
    record Cancelled() implements CallOutcome {}

    /**
     * The outcome is unknown: the server was away for too long, or forgot the task. The reason is one sentence for the
     * user.
     */
    record Failed(String reason) implements CallOutcome {}
}
