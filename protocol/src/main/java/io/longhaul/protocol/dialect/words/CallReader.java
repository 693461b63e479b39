// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.Retry;
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

/** Reads what all revisions spell alike. Its methods throw {@link ParamsException} for the field that is wrong. */
public final class CallReader {

    /** Log levels by rising severity; a value outside is refused. */
    private static final List<String> LEVELS =
            List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

    private CallReader() {}

    /** Reads params with {@code reader}; a fault in them becomes an answer. */
    public static Decoded read(Json params, Function<Params, Call> reader) {
        try {
            return new Decoded.Good(reader.apply(Params.of(params)));
        } catch (ParamsException e) {
            return new Decoded.Bad(new RpcError(RpcError.INVALID_PARAMS, e.getMessage()), 200);
        }
    }

    /**
     * A tool call, with what rides on it.
     *
     * @param levelKey where in {@code _meta} the request says which logs it wants; null where sessions say that
     */
    public static Call.CallTool callTool(Params params, TaskWish wish, @Nullable String levelKey, Retry retry) {
        var arguments = params.optionalObject("arguments");
        return new Call.CallTool(
                params.string("name"),
                arguments == null ? Json.EMPTY_OBJECT : arguments,
                wish,
                extras(params, levelKey),
                retry);
    }

    /** A call of a tool in a session, with its wish for a task as {@code wish} reads it. */
    public static Decoded callTool(Json params, Function<Params, TaskWish> wish) {
        return read(params, read -> callTool(read, wish(read, wish), null, Retry.FIRST));
    }

    /** The wish of a call for a task. A fault in the wish is told only where the call can be a task. */
    public static TaskWish wish(Params params, Function<Params, TaskWish> reader) {
        try {
            return reader.apply(params);
        } catch (ParamsException e) {
            return new TaskWish.Unreadable(e.getMessage());
        }
    }

    /**
     * Refuses a call that brings a token for the next part of a result to where none is taken: ignored, it would do
     * the work again that it belongs to.
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

    /** What rides on a call, with its log level under {@code levelKey} or nowhere. */
    public static CallExtras extras(Params params, @Nullable String levelKey) {
        return params.has(Meta.META) ? meta(params.inner(Meta.META), levelKey) : CallExtras.NONE;
    }

    /**
     * Answers to questions that were asked in an earlier round of the call. What was not asked can have any value:
     * "If additional, unexpected parameters are provided in the `InputResponses` object, the server SHOULD ignore any
     * information it does not recognize or need."
     */
    public static Retry retry(Params params) {
        return params.has("inputResponses") || params.has("requestState")
                ? new Retry(params.members("inputResponses"), params.optionalString("requestState"))
                : Retry.FIRST;
    }

    public static Call.ListTools listTools(Params params) {
        return new Call.ListTools(params.optionalString("cursor"));
    }

    /** A notification that names no request is ignored, as the protocol wants. */
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

    /** A log level that exists. */
    public static @Nullable String level(Params params, String name) {
        var level = params.optionalString(name);
        return level == null || LEVELS.contains(level)
                ? level
                : params.fail(name, "must be one of " + String.join(", ", LEVELS));
    }

    /** A method that there is not, or a notification that the server does not need. */
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
        return new CallExtras(token, meta.optionalKey(Meta.CREATION_KEY), level, TraceWords.read(meta));
    }
}
