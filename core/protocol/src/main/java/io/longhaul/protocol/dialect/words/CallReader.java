// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.Round;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.dialect.Dialect.Decoded;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.json.ParamsException;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.RpcError;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads calls that all revisions spell alike. The methods throw {@link ParamsException} for a wrong field. */
public final class CallReader {

    /** Log levels by rising severity; any other value is refused. */
    private static final List<String> LEVELS =
            List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

    private CallReader() {}

    /** Reads params with {@code reader}; a fault in the params becomes an answer. */
    public static Decoded read(Json params, Function<Params, Call> reader) {
        try {
            return new Decoded.Good(reader.apply(Params.of(params)));
        } catch (ParamsException e) {
            return new Decoded.Bad(new RpcError(RpcError.INVALID_PARAMS, e.getMessage()), 200);
        }
    }

    /**
     * A tool call with its extras.
     *
     * @param levelKey the key in {@code _meta} for the log level of the request; null where sessions have the level
     */
    public static Call.CallTool callTool(Params params, TaskWish wish, @Nullable String levelKey, Round round) {
        var arguments = params.optionalObject("arguments");
        return new Call.CallTool(
                params.string("name"),
                arguments == null ? Json.EMPTY_OBJECT : arguments,
                wish,
                extras(params, levelKey),
                round);
    }

    /** A call of a tool in a session, with its wish for a task as {@code wish} reads it. */
    public static Decoded callTool(Json params, Function<Params, TaskWish> wish) {
        return read(params, read -> callTool(read, wish(read, wish), null, Round.FIRST));
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

    /** The extras of a call, with the log level under {@code levelKey}, if any. */
    public static CallExtras extras(Params params, @Nullable String levelKey) {
        return params.has(Meta.META) ? meta(params.inner(Meta.META), levelKey) : CallExtras.NONE;
    }

    /**
     * Answers to questions that were asked in an earlier round of the call. Values of unknown keys are ignored: "If
     * additional, unexpected parameters are provided in the `InputResponses` object, the server SHOULD ignore any
     * information it does not recognize or need."
     */
    public static Round round(Params params) {
        return params.has("inputResponses") || params.has("requestState")
                ? new Round(params.members("inputResponses"), params.optionalString("requestState"))
                : Round.FIRST;
    }

    public static Call.ListTools listTools(Params params) {
        return new Call.ListTools(params.optionalString("cursor"));
    }

    /** A cancellation. A notification that names no request is ignored, as the protocol requires. */
    public static Decoded cancelled(Json params) {
        Function<Params, Call> reader = read -> {
            var id = JsonRpcCodec.id(read.get("requestId"));
            return id == null
                    ? new Call.Ignored("notifications/cancelled")
                    : new Call.CancelRequest(id, read.optionalString("reason"));
        };
        return read(params, reader) instanceof Decoded.Good good
                ? good
                : new Decoded.Good(new Call.Ignored("notifications/cancelled"));
    }

    /** Reads a known log level. */
    public static @Nullable String level(Params params, String name) {
        var level = params.optionalString(name);
        return level == null || LEVELS.contains(level)
                ? level
                : params.fail(name, "must be one of " + String.join(", ", LEVELS));
    }

    /** An unknown method, or a notification that the server does not need. */
    public static Decoded unknown(String method, int httpStatus) {
        return method.startsWith("notifications/")
                ? new Decoded.Good(new Call.Ignored(method))
                : new Decoded.Bad(new RpcError(RpcError.METHOD_NOT_FOUND, "Unknown method: " + method), httpStatus);
    }

    private static CallExtras meta(Params meta, @Nullable String levelKey) {
        var token = meta.get(Meta.PROGRESS_TOKEN);
        if (token != null && token.kind() != Json.Kind.STRING && !token.isInteger()) {
            return meta.fail(Meta.PROGRESS_TOKEN, "must be a string or an integer");
        }
        var level = levelKey == null ? null : level(meta, levelKey);
        return new CallExtras(token, meta.optionalKey(Meta.CREATION_KEY), level, TraceCodec.read(meta));
    }
}
