// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonException;
import io.longhaul.protocol.json.JsonException.Problem;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON-RPC 2.0 messages from bytes, and writes them. The codec is narrower than JSON-RPC where MCP is: an id is a
 * string or an integer, never null, and params are an object. Unknown members are ignored. Thread-safe; {@link #parse}
 * never throws.
 */
public final class JsonRpcCodec {

    private static final byte[] BEFORE_ID = "{\"jsonrpc\":\"2.0\",\"id\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BEFORE_RESULT = ",\"result\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = {'}'};

    /** The most messages in one array. */
    public static final int BATCH = 100;

    static final Json VERSION = Json.raw("\"2.0\"");

    private final JsonReader reader;
    private final boolean lenient;

    public JsonRpcCodec(WireLimits limits) {
        this(new JsonReader(limits.messageBytes(), limits.jsonDepth()), false);
    }

    private JsonRpcCodec(JsonReader reader, boolean lenient) {
        this.reader = reader;
        this.lenient = lenient;
    }

    /** A codec for messages of Longhaul's own server, which keeps the limits itself. */
    public static JsonRpcCodec trusting() {
        return new JsonRpcCodec(new JsonReader(Integer.MAX_VALUE, 1_000), false);
    }

    /**
     * A codec for a client, which reads as much of a server's message as possible. An unusable id or unusable params
     * are read as absent, a null error beside a result is ignored, and an error may be any value. An array may hold any
     * number of messages. The transport limits the size of a message.
     */
    public static JsonRpcCodec lenient() {
        return new JsonRpcCodec(new JsonReader(Integer.MAX_VALUE, WireLimits.DEFAULT.jsonDepth()), true);
    }

    /** Reads one message, or splits an array into its messages. */
    public Parsed parse(byte[] bytes) {
        var members = new LinkedHashMap<String, Json>();
        try {
            if (reader.object(bytes, members)) {
                return lenient ? Leniency.message(members) : message(members);
            }
        } catch (JsonException e) {
            return unreadable(e, members);
        }
        return isArray(bytes) ? batch(bytes) : invalid("A message must be a JSON object", null);
    }

    private Parsed batch(byte[] bytes) {
        var messages = JsonReader.elements(Json.raw(bytes), lenient ? Integer.MAX_VALUE : BATCH + 1);
        if (messages.isEmpty() && !lenient) {
            return invalid("A batch must hold a message", null);
        }
        return messages.size() > BATCH && !lenient
                ? invalid("A batch must not hold more than " + BATCH + " messages", null)
                : new Parsed.Batch(messages);
    }

    /** Writes one message on a single line. */
    public static Json encode(JsonRpcMessage message) {
        return switch (message) {
            case JsonRpcMessage.Request request ->
                end(method(start(request.params().size()), request.id(), request.method(), request.params()));
            case JsonRpcMessage.Notification note ->
                end(method(start(note.params().size()), null, note.method(), note.params()));
            case JsonRpcMessage.Result result ->
                spliced(
                        BEFORE_ID,
                        encode(result.id()).bytes(),
                        BEFORE_RESULT,
                        result.result().bytes(),
                        END);
            case JsonRpcMessage.Failure failure ->
                end(id(start(256), failure.id()).member("error", encode(failure.error())));
        };
    }

    /** Writes an error object. */
    public static Json encode(RpcError error) {
        return JsonWriter.object()
                .member("code", error.code())
                .member("message", error.message())
                .optional("data", error.data())
                .end();
    }

    /** Writes an id by itself. */
    public static Json encode(RequestId id) {
        return switch (id) {
            case RequestId.Text text -> JsonWriter.quote(text.value());
            case RequestId.Number number -> Json.raw(Long.toString(number.value()));
        };
    }

    /** Reads an id, or returns null where the value is not an id. */
    public static @Nullable RequestId id(@Nullable Json value) {
        if (value == null) {
            return null;
        }
        if (value.kind() == Json.Kind.STRING) {
            return new RequestId.Text(JsonReader.text(value));
        }
        var number = value.asLong();
        return number == null ? null : new RequestId.Number(number);
    }

    /** Reads an error object, or returns null where the value is not an error object. */
    static @Nullable RpcError error(Json value) {
        if (value.kind() != Json.Kind.OBJECT) {
            return null;
        }
        var members = JsonReader.members(value);
        var code = members.get("code");
        var message = members.text("message");
        var number = code == null ? null : code.asLong();
        return message == null || number == null || number != number.intValue()
                ? null
                : new RpcError(number.intValue(), message, members.get("data"));
    }

    /**
     * Reads an error of a server, which may be anything: a plain string becomes the message of an internal error, and
     * so does what has no message.
     */
    public static RpcError anyError(Json error) {
        if (error.kind() == Json.Kind.STRING) {
            return new RpcError(RpcError.INTERNAL_ERROR, JsonReader.text(error));
        }
        var members = error.kind() == Json.Kind.OBJECT ? JsonReader.members(error) : JsonMembers.NONE;
        var code = members.get("code");
        var number = code == null ? null : code.asLong();
        var message = members.text("message");
        return new RpcError(
                number == null || number != number.intValue() ? RpcError.INTERNAL_ERROR : number.intValue(),
                message == null ? "no reason given" : message,
                members.get("data"));
    }

    private static Parsed message(Map<String, Json> members) {
        var id = members.get("id");
        var readable = id(id);
        if (!members.containsKey("method")) {
            return response(members, readable);
        }
        if (!VERSION.equals(members.get("jsonrpc"))) {
            return invalid("jsonrpc must be \"2.0\"", readable);
        }
        if (id != null && readable == null) {
            return invalid("id must be a string or an integer", null);
        }
        var method = members.get("method");
        if (method.kind() != Json.Kind.STRING) {
            return invalid("method must be a string", readable);
        }
        if (members.containsKey("result") || members.containsKey("error")) {
            return invalid("A message has either a method or a result", readable);
        }
        var params = members.getOrDefault("params", Json.EMPTY_OBJECT);
        if (params.kind() != Json.Kind.OBJECT) {
            return new Parsed.Broken(new RpcError(RpcError.INVALID_PARAMS, "params must be an object"), readable);
        }
        return new Parsed.Message(Leniency.call(readable, JsonReader.text(method), params));
    }

    /**
     * A fault of a response is never reported under its id: the id is of a request of this side, and the peer could
     * take it for one of its own.
     */
    private static Parsed response(Map<String, Json> members, @Nullable RequestId id) {
        var result = members.get("result");
        var error = members.get("error");
        if (result == null && error == null) {
            return invalid("A message must have a method, a result or an error", id);
        }
        if (!VERSION.equals(members.get("jsonrpc"))) {
            return invalid("jsonrpc must be \"2.0\"", null);
        }
        if (result != null && error != null) {
            return invalid("A response has either a result or an error", null);
        }
        if (result != null) {
            return id == null
                    ? invalid("A response must have the id of its request", null)
                    : new Parsed.Message(new JsonRpcMessage.Result(id, result));
        }
        var known = error(error);
        return known == null
                ? invalid("error must be an object with an integer code and a message", null)
                : new Parsed.Message(new JsonRpcMessage.Failure(id, known));
    }

    /** Names the request where its id was read before a fault other than a syntax error. */
    private static Parsed unreadable(JsonException e, Map<String, Json> members) {
        var problem = e.problem();
        var grammatical = problem == Problem.DUPLICATE_MEMBER || problem == Problem.TOO_DEEP;
        var code = grammatical || problem == Problem.TOO_LARGE ? RpcError.INVALID_REQUEST : RpcError.PARSE_ERROR;
        var named = grammatical && members.containsKey("method");
        return new Parsed.Broken(
                new RpcError(code, "Cannot read the message: " + e.getMessage()), named ? id(members.get("id")) : null);
    }

    static Parsed invalid(String message, @Nullable RequestId id) {
        return new Parsed.Broken(new RpcError(RpcError.INVALID_REQUEST, message), id);
    }

    private static boolean isArray(byte[] bytes) {
        for (var b : bytes) {
            if (b > ' ') {
                return b == '[';
            }
        }
        return false;
    }

    /** One text of parts, in a buffer of its length: results can be long. */
    private static Json spliced(byte[]... parts) {
        int size = 0;
        for (byte[] part : parts) {
            size += part.length;
        }
        byte[] text = new byte[size];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, text, at, part.length);
            at += part.length;
        }
        return Json.raw(text);
    }

    private static JsonWriter start(int payload) {
        return JsonWriter.object(payload + 128).member("jsonrpc", VERSION);
    }

    private static JsonWriter id(JsonWriter writer, @Nullable RequestId id) {
        writer.name("id");
        return id == null ? writer.nothing() : writer.raw(encode(id));
    }

    private static JsonWriter method(JsonWriter writer, @Nullable RequestId id, String method, Json params) {
        if (id != null) {
            id(writer, id);
        }
        writer.member("method", method);
        return params.equals(Json.EMPTY_OBJECT) ? writer : writer.member("params", params);
    }

    private static Json end(JsonWriter writer) {
        return writer.end();
    }
}
