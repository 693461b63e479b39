// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.resume;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Riding;
import io.longhaul.protocol.call.CallResponse.ServerProfile;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Overlay;
import io.longhaul.protocol.dialect.Overlay.Envelope;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.Cancelling;
import io.longhaul.protocol.dialect.Traits.Following;
import io.longhaul.protocol.dialect.Traits.Making;
import io.longhaul.protocol.dialect.Traits.Telling;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.base.ForwardingDialect;
import io.longhaul.protocol.dialect.base.PlainHandshake;
import io.longhaul.protocol.dialect.words.CallCodec;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.Splice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Resume tokens, SEP-1003: "When a server wants to communicate to a client that a call may be resumed, it includes a
 * {@code nextResumeToken} in the result payload. If the caller chooses to resume the call it provides this value in the
 * {@code resumeToken} field in addition to the original call params." A token in {@code _meta} is answered with a token
 * in {@code _meta}. The dialect of the session's version handles everything else.
 */
public final class ResumeTokens extends ForwardingDialect {

    /** The longest accepted token, in characters. Longhaul's own tokens are shorter. */
    public static final int LONGEST_TOKEN = 1_024;

    private static final String TOKEN = Meta.RESUME_TOKEN;
    private static final String NEXT = "nextResumeToken";

    /** "Without changing any other call parameters": these are all that a call in parts has. */
    private static final Set<String> OF_A_PART =
            Set.of("name", "arguments", Meta.META, TOKEN, "inputResponses", "requestState");

    /**
     * Creates the dialect over another. "Immune to transient network issues": a client asks again for a lost part, with
     * its last token.
     *
     * @param plain the dialect of the same version, for all messages except parts
     */
    ResumeTokens(Dialect plain, Revision version) {
        super("resume-" + version.version(), traits(plain.traits()), plain);
    }

    static Traits traits(Traits plain) {
        return plain.with(
                new Making(Created.IN_PARTS, null, null),
                Following.BY_THE_CALL,
                Telling.NOTHING,
                Cancelling.BY_OPEN_CALL);
    }

    @Override
    public Call read(String method, Params params) {
        var call = super.read(method, params);
        return call instanceof Call.CallTool tool ? tool.wishing(wish(params, params.inner(Meta.META))) : call;
    }

    /** Reads the token; of two tokens the one in the params counts. */
    private static TaskWish wish(Params params, Params meta) {
        boolean resumes = params.has(TOKEN) || meta.has(TOKEN);
        params.members().names().stream()
                .filter(name -> resumes && !OF_A_PART.contains(name))
                .forEach(name -> params.fail(
                        name, "cannot be given with " + TOKEN + ": a call is resumed with the params that it had"));
        return params.has(TOKEN) || !meta.has(TOKEN)
                ? new TaskWish.NextPart(token(params), false)
                : new TaskWish.NextPart(token(meta), true);
    }

    /** "Treat any {@code resumeToken} as untrusted input and validate it before use". */
    private static @Nullable String token(Params from) {
        var token = from.optionalString(TOKEN);
        return token == null || token.length() <= LONGEST_TOKEN
                ? token
                : from.fail(TOKEN, "is longer than the " + LONGEST_TOKEN + " characters that a token can have");
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        if (!(response instanceof CallResponse.Part part)) {
            return super.encode(id, call, response);
        }
        var encoded = super.encode(id, call, new CallResponse.ToolResult(part.result()));
        var result = ((JsonRpcMessage.Result) encoded.response()).result();
        var token = new JsonWriter().string(String.valueOf(part.next().token())).toJson();
        Map<String, Json> meta = new LinkedHashMap<>();
        if (!part.fresh()) {
            meta.put(Meta.NOTHING_NEW, Json.raw("true"));
        }
        if (part.life() != null) {
            meta.put(Meta.TOKEN_TTL, Json.raw(String.valueOf(part.life().toMillis())));
        }
        if (part.next().task() != null) {
            meta.put(Meta.PART_OF, new JsonWriter().string(part.next().task()).toJson());
        }
        if (part.next().inMeta()) {
            meta.put(NEXT, token);
        }
        var said = Splice.into(result, part.next().inMeta() ? Map.of() : Map.of(NEXT, token), meta);
        return new Encoded(new JsonRpcMessage.Result(id, said), encoded.httpStatus());
    }

    /**
     * The overlay for calls of tools by clients that announced parts, or that send a token. A client follows tokens in
     * every generation: "The operation is considered complete when the server provides a response which does not
     * contain a {@code nextResumeToken}." It sends a token in the place where it came, in the params or in {@code
     * _meta}. The result for its caller has no token.
     */
    public static final class OnCalls implements Overlay {

        @Override
        public boolean claims(Envelope message) {
            return message.method().equals("tools/call")
                    && (message.params().has(TOKEN)
                            || message.meta().has(TOKEN)
                            || message.client().parts() && !asksForTask(message));
        }

        /** Where every request stands alone, a request that declares tasks gets a task. */
        private static boolean asksForTask(Envelope message) {
            return message.params().has("task")
                    || message.params().has("operation")
                    || message.client().tasks();
        }

        @Override
        public boolean needsSession() {
            return false;
        }

        /** The dialect over that of a session, whose own wishes on calls give way to parts. */
        @Override
        public Dialect over(Dialect session, Revision version) {
            return new ResumeTokens(session.traits().sessions() ? new PlainHandshake(version) : session, version);
        }

        @Override
        public Riding announced(ServerProfile server, Revision version) {
            return server.offer().tasks()
                    ? new Riding(Map.of(), Map.of(Meta.RESUME_TOKENS, Json.EMPTY_OBJECT), Map.of())
                    : Riding.NONE;
        }

        @Override
        public Optional<Outgoing> encode(Call call, ClientProfile me, ClientDialect own) {
            return call instanceof Call.CallTool tool && tool.wish() instanceof TaskWish.NextPart parts
                    ? Optional.of(resuming(own.write(tool.wishing(new TaskWish.None()), me), parts))
                    : Optional.empty();
        }

        private static Outgoing resuming(Outgoing call, TaskWish.NextPart parts) {
            if (parts.token() == null) {
                return call;
            }
            var params = (ObjectNode) JsonTree.read(call.params());
            var place = parts.inMeta() ? CallCodec.meta(params) : params;
            place.put(TOKEN, parts.token());
            return new Outgoing(call.method(), JsonTree.write(params), call.headers());
        }

        @Override
        public Optional<CallResponse> decode(Call call, Json result, ClientDialect own)
                throws UnusableMessageException {
            return call instanceof Call.CallTool
                            && hasToken(result)
                            && own.read(call, result) instanceof CallResponse.ToolResult
                            && JsonTree.read(result) instanceof ObjectNode node
                            && taken(node) instanceof TaskWish.NextPart next
                    ? Optional.of(part(node, next))
                    : Optional.empty();
        }

        /** Whether the result may have a token; most results are large and have none, and are not read as a tree. */
        private static boolean hasToken(Json result) {
            var members = JsonReader.members(result);
            return members.has(NEXT) || members.object(Meta.META).has(NEXT);
        }

        /** Takes the next token out of the result; null where the result is final. */
        private static TaskWish.@Nullable NextPart taken(ObjectNode result) {
            var token = ClientReader.optionalText(result, NEXT);
            var beside = ClientReader.optionalText(result.path(Meta.META), NEXT);
            var task = ClientReader.optionalText(result.path(Meta.META), Meta.PART_OF);
            result.remove(NEXT);
            if (result.path(Meta.META) instanceof ObjectNode meta) {
                meta.remove(NEXT);
            }
            if (token != null) {
                return new TaskWish.NextPart(token, false, task);
            }
            return beside == null ? null : new TaskWish.NextPart(beside, true, task);
        }

        private static CallResponse part(ObjectNode result, TaskWish.NextPart next) {
            var meta = result.path(Meta.META);
            var life = meta.path(Meta.TOKEN_TTL);
            return new CallResponse.Part(
                    JsonTree.write(result),
                    next,
                    life.isIntegralNumber() && life.canConvertToLong() ? Duration.ofMillis(life.longValue()) : null,
                    !meta.path(Meta.NOTHING_NEW).asBoolean(false));
        }
    }
}
