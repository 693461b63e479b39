package io.longhaul.requestor;

import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientReading;
import io.longhaul.protocol.dialect.words.ClientWriting;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON-RPC messages to bytes and back, for one that trusts nothing it reads. */
final class Wire {

    private Wire() {}

    static Json encode(JsonRpcMessage message) {
        var node = JsonTree.object().put("jsonrpc", "2.0");
        switch (message) {
            case JsonRpcMessage.Request request -> {
                node.set("id", ClientWriting.id(request.id()));
                method(node, request.method(), request.params());
            }
            case JsonRpcMessage.Notification notification -> method(node, notification.method(), notification.params());
            case JsonRpcMessage.Result result -> {
                node.set("id", ClientWriting.id(result.id()));
                node.set("result", JsonTree.read(result.result()));
            }
            case JsonRpcMessage.Failure failure -> {
                if (failure.id() != null) {
                    node.set("id", ClientWriting.id(failure.id()));
                }
                var error = node.putObject("error");
                error.put("code", failure.error().code())
                        .put("message", failure.error().message());
            }
        }
        return JsonTree.write(node);
    }

    private static void method(ObjectNode node, String method, Json params) {
        node.put("method", method);
        if (!params.equals(Json.EMPTY_OBJECT)) {
            node.set("params", JsonTree.read(params));
        }
    }

    /** One message, or several in an array. */
    static List<JsonRpcMessage> decodeAll(byte[] bytes) throws UnusableMessageException {
        var node = tree(bytes);
        if (!node.isArray()) {
            return List.of(decode(node));
        }
        var messages = new ArrayList<JsonRpcMessage>();
        for (JsonNode one : node) {
            messages.add(decode(one));
        }
        return messages;
    }

    static JsonRpcMessage decode(byte[] bytes) throws UnusableMessageException {
        return decode(tree(bytes));
    }

    private static JsonRpcMessage decode(JsonNode node) throws UnusableMessageException {
        if (!node.isObject() || !node.path("jsonrpc").asString("").equals("2.0")) {
            throw new UnusableMessageException("The server sent something that is no JSON-RPC 2.0 message.");
        }
        var id = id(node.path("id"));
        if (node.path("method").isString()) {
            var params = node.path("params").isObject() ? JsonTree.write(node.path("params")) : Json.EMPTY_OBJECT;
            var method = node.path("method").stringValue();
            return id == null
                    ? new JsonRpcMessage.Notification(method, params)
                    : new JsonRpcMessage.Request(id, method, params);
        }
        if (id != null && node.has("result") && !node.hasNonNull("error")) {
            return new JsonRpcMessage.Result(id, JsonTree.write(node.path("result")));
        }
        if (node.has("error")) {
            return new JsonRpcMessage.Failure(id, ClientReading.error(node.path("error")));
        }
        if (node.has("result")) {
            return new JsonRpcMessage.Failure(
                    null, new RpcError(RpcError.INVALID_REQUEST, "The answer does not name its request."));
        }
        throw new UnusableMessageException("The server sent a message that is neither a request nor a response.");
    }

    /** An id in words for people. */
    static String text(RequestId id) {
        return "request " + ClientWriting.id(id);
    }

    /** The request that a cancellation takes back. */
    static Optional<RequestId> withdrawn(JsonRpcMessage.Notification cancelled) {
        return Optional.ofNullable(id(JsonTree.read(cancelled.params()).path("requestId")));
    }

    private static JsonNode tree(byte[] bytes) throws UnusableMessageException {
        try {
            return JsonTree.read(bytes);
        } catch (IllegalArgumentException e) {
            throw new UnusableMessageException("The server sent something that cannot be read. " + e.getMessage());
        }
    }

    private static @Nullable RequestId id(JsonNode id) {
        if (id.isString()) {
            return new RequestId.Text(id.stringValue());
        }
        return id.isIntegralNumber() && id.canConvertToLong() ? new RequestId.Number(id.asLong()) : null;
    }
}
