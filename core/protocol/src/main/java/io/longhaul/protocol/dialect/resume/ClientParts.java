// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.resume;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.ClientExtension;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonTree;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Follows resume tokens in every generation: "The operation is considered complete when the server provides a response
 * which does not contain a {@code nextResumeToken}." The client sends a token in the place where it came, in the params
 * or in {@code _meta}. The result for the caller has no token.
 */
public final class ClientParts implements ClientExtension {

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
        var place = parts.inMeta() ? params.withObject("/" + Meta.META) : params;
        place.put(ResumeTokens.TOKEN, parts.token());
        return new Outgoing(call.method(), JsonTree.write(params), call.headers());
    }

    @Override
    public Optional<CallResponse> decode(Call call, Json result, ClientDialect own) throws UnusableMessageException {
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
        var meta = members.get(Meta.META);
        return members.has(ResumeTokens.NEXT)
                || meta != null && JsonTree.read(meta).has(ResumeTokens.NEXT);
    }

    /** Takes the next token out of the result; null where the result is final. */
    private static TaskWish.@Nullable NextPart taken(ObjectNode result) {
        var token = ClientReader.optionalText(result, ResumeTokens.NEXT);
        var beside = ClientReader.optionalText(result.path(Meta.META), ResumeTokens.NEXT);
        var task = ClientReader.optionalText(result.path(Meta.META), Meta.PART_OF);
        result.remove(ResumeTokens.NEXT);
        if (result.path(Meta.META) instanceof ObjectNode meta) {
            meta.remove(ResumeTokens.NEXT);
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
