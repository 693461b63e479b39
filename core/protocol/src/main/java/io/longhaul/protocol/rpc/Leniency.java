// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How {@link JsonRpcCodec#lenient} reads one message of a server. */
final class Leniency {

    private Leniency() {}

    static Parsed message(Map<String, Json> members) {
        if (!JsonRpcCodec.VERSION.equals(members.get("jsonrpc"))) {
            return JsonRpcCodec.invalid("jsonrpc must be \"2.0\"", null);
        }
        var id = JsonRpcCodec.id(members.get("id"));
        var method = members.get("method");
        return method != null && method.kind() == Json.Kind.STRING
                ? new Parsed.Message(call(id, JsonReader.text(method), params(members)))
                : response(id, members.get("result"), members.get("error"));
    }

    static JsonRpcMessage call(@Nullable RequestId id, String method, Json params) {
        return id == null
                ? new JsonRpcMessage.Notification(method, params)
                : new JsonRpcMessage.Request(id, method, params);
    }

    private static Json params(Map<String, Json> members) {
        var params = members.getOrDefault("params", Json.EMPTY_OBJECT);
        return params.kind() == Json.Kind.OBJECT ? params : Json.EMPTY_OBJECT;
    }

    private static Parsed response(@Nullable RequestId id, @Nullable Json result, @Nullable Json error) {
        if (error != null && (result == null || error.kind() != Json.Kind.NULL)) {
            return new Parsed.Message(new JsonRpcMessage.Failure(id, JsonRpcCodec.anyError(error)));
        }
        if (result == null) {
            return JsonRpcCodec.invalid("A message must have a method, a result or an error", id);
        }
        return new Parsed.Message(
                id == null
                        ? new JsonRpcMessage.Failure(
                                null, new RpcError(RpcError.INVALID_REQUEST, "The answer does not name its request."))
                        : new JsonRpcMessage.Result(id, result));
    }
}
