package io.longhaul.requestor;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;

/** What one request came back with. */
sealed interface Response {

    record Result(Json result) implements Response {}

    record Failure(RpcError error, int status) implements Response {}

    /** An HTTP status that is no success, without a JSON-RPC message. */
    record Status(int status) implements Response {}
}
