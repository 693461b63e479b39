// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import io.longhaul.protocol.json.Json;
import org.jspecify.annotations.Nullable;

/** One JSON-RPC 2.0 message. Params, results and error data stay raw. */
public sealed interface JsonRpcMessage {

    /** A request; {@code params} is an object, empty where the message had no params. */
    record Request(RequestId id, String method, Json params) implements JsonRpcMessage {}

    /** A notification; {@code params} is an object, empty where the message had no params. */
    record Notification(String method, Json params) implements JsonRpcMessage {}

    /** A successful response. */
    record Result(RequestId id, Json result) implements JsonRpcMessage {}

    /** A failed response; {@code id} is null where the id of the request could not be read. */
    record Failure(@Nullable RequestId id, RpcError error) implements JsonRpcMessage {}
}
