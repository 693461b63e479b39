// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.Round;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.UnreadableCallException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.json.ParamsException;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.RpcError;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls that all revisions spell alike: {@link #IN_SESSIONS} those of sessions, {@link #ALONE} those that stand alone.
 * A server reads strictly: its methods throw {@link ParamsException} for a wrong field.
 */
public record CallCodec(@Nullable String levelKey, boolean rounds) {

    private static final String RESPONSES = "inputResponses";

    /** Calls in sessions. */
    public static final CallCodec IN_SESSIONS = new CallCodec(null, false);

    /** Calls that stand alone: each has a log level of its own, and can be repeated with answers. */
    public static final CallCodec ALONE = new CallCodec(Meta.LOG_LEVEL, true);

    /** The key in {@code _meta} for the log level of the request; null where sessions have the level. */

    /** Whether a call can be repeated with answers. */

    /** A call of a method that sessions and requests that stand alone have; null for any other method. */
    public @Nullable Call read(String method, Params params) {
        return switch (method) {
            case "tools/list" -> new Call.ListTools(cursor(params));
            case "tools/call" -> callTool(params, new TaskWish.None());
            case "resources/list" -> new Call.ListResources(cursor(params));
            case "resources/templates/list" -> new Call.ListTemplates(cursor(params));
            case "resources/read" -> new Call.ReadResource(params.string("uri"), extras(params), round(params));
            case "prompts/list" -> new Call.ListPrompts(cursor(params));
            case "prompts/get" ->
                new Call.GetPrompt(params.string("name"), strings(params, "arguments"), extras(params), round(params));
            case "completion/complete" -> complete(params);
            case "notifications/cancelled" -> cancelled(params);
            default -> null;
        };
    }

    /**
     * A call as a client writes it, without the additions of a revision.
     *
     * @param name the name of the tool, resource or prompt, where a header repeats the name
     */
    public record Written(
            String method, ObjectNode params, @Nullable String name) {}

    /** The message of such a call, in which the wish for a task is left out; null for any other call. */
    public @Nullable Written write(Call call) {
        return switch (call) {
            case Call.ListTools list -> list("tools/list", list.cursor());
            case Call.CallTool tool -> {
                var params = JsonTree.object().put("name", tool.tool());
                params.set("arguments", JsonTree.read(tool.arguments()));
                yield interactive("tools/call", params, tool, tool.tool());
            }
            case Call.ListResources list -> list("resources/list", list.cursor());
            case Call.ListTemplates list -> list("resources/templates/list", list.cursor());
            case Call.ReadResource read ->
                interactive("resources/read", JsonTree.object().put("uri", read.uri()), read, read.uri());
            case Call.ListPrompts list -> list("prompts/list", list.cursor());
            case Call.GetPrompt get -> {
                var params = JsonTree.object().put("name", get.prompt());
                get.arguments().forEach(params.putObject("arguments")::put);
                yield interactive("prompts/get", params, get, get.prompt());
            }
            case Call.Complete complete -> new Written("completion/complete", complete(complete), null);
            case Call.CancelRequest(var id, var reason) -> {
                var params = JsonTree.object();
                params.set("requestId", JsonTree.read(JsonRpcCodec.encode(id)));
                yield new Written(
                        "notifications/cancelled", reason == null ? params : params.put("reason", reason), null);
            }
            case Call.Extended(var method, var params) -> new Written(method, (ObjectNode) JsonTree.read(params), null);
            default -> null;
        };
    }

    private static Written list(String method, @Nullable String cursor) {
        return new Written(method, cursor(cursor), null);
    }

    private Written interactive(String method, ObjectNode params, Call.Interactive call, String name) {
        extras(params, call.extras());
        if (rounds) {
            if (!call.round().responses().isEmpty()) {
                responses(params, call.round().responses());
            }
            if (call.round().requestState() != null) {
                params.put("requestState", call.round().requestState());
            }
        }
        if (levelKey != null && call.extras().logLevel() != null) {
            meta(params).put(levelKey, call.extras().logLevel());
        }
        return new Written(method, params, name);
    }

    /** A call of a tool with a wish for a task. */
    public Call.CallTool callTool(Params params, TaskWish wish) {
        var arguments = params.optionalObject("arguments");
        return new Call.CallTool(
                params.string("name"),
                arguments == null ? Json.EMPTY_OBJECT : arguments,
                wish,
                extras(params),
                round(params));
    }

    /** The extras of a call. */
    public CallExtras extras(Params params) {
        return params.has(Meta.META) ? meta(params.inner(Meta.META)) : CallExtras.NONE;
    }

    private CallExtras meta(Params meta) {
        var token = meta.get(Meta.PROGRESS_TOKEN);
        if (token != null && token.kind() != Json.Kind.STRING && !token.isInteger()) {
            return meta.fail(Meta.PROGRESS_TOKEN, "must be a string or an integer");
        }
        var level = levelKey == null ? null : level(meta, levelKey);
        return new CallExtras(token, meta.optionalKey(Meta.CREATION_KEY), level, TraceCodec.read(meta));
    }

    /** Adds the extras of a call to params, except the log level. */
    public static ObjectNode extras(ObjectNode params, CallExtras extras) {
        if (extras.progressToken() != null) {
            meta(params).set(Meta.PROGRESS_TOKEN, JsonTree.read(extras.progressToken()));
        }
        if (extras.creationKey() != null) {
            meta(params).put(Meta.CREATION_KEY, extras.creationKey());
        }
        return params;
    }

    /** The {@code _meta} of params, which get one where they have none. */
    public static ObjectNode meta(ObjectNode params) {
        return params.path(Meta.META) instanceof ObjectNode present ? present : params.putObject(Meta.META);
    }

    /** The cursor of a list. */
    public static @Nullable String cursor(Params params) {
        return params.optionalString("cursor");
    }

    /** Params that ask for a page of a list. */
    public static ObjectNode cursor(@Nullable String cursor) {
        var params = JsonTree.object();
        return cursor == null ? params : params.put("cursor", cursor);
    }

    /** The wish of a call for a task. A fault in the wish is reported only where the call can be a task. */
    public static TaskWish wish(Params params, Function<Params, TaskWish> reader) {
        try {
            return reader.apply(params);
        } catch (ParamsException e) {
            return new TaskWish.Unreadable(e.getMessage());
        }
    }

    /**
     * Refuses a call that sends a token for the next part of a result to a method that accepts none. A call with an
     * ignored token would run the work again.
     */
    public static void refuseResumeToken(Params params, String instead) {
        if (params.has(Meta.RESUME_TOKEN)) {
            params.fail(Meta.RESUME_TOKEN, instead);
        }
        var meta = params.inner(Meta.META);
        if (meta.has(Meta.RESUME_TOKEN)) {
            meta.fail(Meta.RESUME_TOKEN, instead);
        }
    }

    /**
     * Answers to questions that were asked in an earlier round of the call. Values of unknown keys are ignored: "If
     * additional, unexpected parameters are provided in the `InputResponses` object, the server SHOULD ignore any
     * information it does not recognize or need."
     */
    private Round round(Params params) {
        return rounds && (params.has(RESPONSES) || params.has("requestState"))
                ? new Round(params.members(RESPONSES), params.optionalString("requestState"))
                : Round.FIRST;
    }

    /** Adds the answers to questions to params. */
    public static ObjectNode responses(ObjectNode params, Map<String, Json> responses) {
        var node = params.putObject(RESPONSES);
        responses.forEach((key, result) -> node.set(key, JsonTree.read(result)));
        return params;
    }

    private static Call complete(Params params) {
        params.object("ref");
        params.object("argument");
        var argument = params.inner("argument");
        return new Call.Complete(
                reference(params.inner("ref")),
                argument.string("name"),
                argument.string("value"),
                strings(params.inner("context"), "arguments"));
    }

    private static Call.Completed reference(Params ref) {
        return switch (ref.string("type")) {
            case "ref/prompt" -> new Call.Completed.Prompt(ref.string("name"));
            case "ref/resource" -> new Call.Completed.Template(ref.string("uri"));
            default -> ref.fail("type", "must be ref/prompt or ref/resource");
        };
    }

    private static ObjectNode complete(Call.Complete call) {
        var params = JsonTree.object();
        var ref = params.putObject("ref");
        switch (call.of()) {
            case Call.Completed.Prompt(var name) ->
                ref.put("type", "ref/prompt").put("name", name);
            case Call.Completed.Template(var uri) ->
                ref.put("type", "ref/resource").put("uri", uri);
        }
        params.putObject("argument").put("name", call.argument()).put("value", call.typed());
        if (!call.others().isEmpty()) {
            call.others().forEach(params.putObject("context").putObject("arguments")::put);
        }
        return params;
    }

    /** A cancellation. A notification that names no request is ignored, as the protocol requires. */
    private static Call cancelled(Params params) {
        var id = JsonRpcCodec.id(params.get("requestId"));
        var reason = params.get("reason");
        return id == null || reason != null && reason.kind() != Json.Kind.STRING
                ? new Call.Ignored("notifications/cancelled")
                : new Call.CancelRequest(id, params.optionalString("reason"));
    }

    /** Reads a known log level. */
    public static @Nullable String level(Params params, String name) {
        var level = params.optionalString(name);
        return level == null || Notice.Log.LEVELS.contains(level)
                ? level
                : params.fail(name, "must be one of " + String.join(", ", Notice.Log.LEVELS));
    }

    /** A notification that the server does not need; any other method is unknown. */
    public static Call unknown(String method, int httpStatus) {
        if (method.startsWith("notifications/")) {
            return new Call.Ignored(method);
        }
        throw new UnreadableCallException(
                new RpcError(RpcError.METHOD_NOT_FOUND, "Unknown method: " + method), httpStatus);
    }

    /** The strings of an object. A null counts as absent. */
    private static Map<String, String> strings(Params params, String name) {
        var inner = params.inner(name);
        Map<String, String> strings = new LinkedHashMap<>();
        inner.members().asMap().forEach((key, value) -> {
            switch (value.kind()) {
                case STRING -> strings.put(key, JsonReader.text(value));
                case NULL -> {}
                default -> inner.fail(key, "must be a string");
            }
        });
        return strings;
    }
}
