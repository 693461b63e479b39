// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.resume;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.base.ForwardingClientDialect;
import io.longhaul.protocol.dialect.words.ClientReading;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The client's side of resume tokens: "The operation is considered complete when the server provides a response which
 * does not contain a {@code nextResumeToken}." The client sends a token in the place where it came, in the params or in
 * {@code _meta}. The result for the caller has no token.
 */
public final class ClientResumeTokens extends ForwardingClientDialect {

    public ClientResumeTokens() {
        super(
                Generation.SEP_1003,
                Generation.V2025_06_18,
                new TaskHandling(Making.IN_PARTS, null, null, Following.BY_THE_CALL, Cancelling.BY_THE_CALL),
                said -> said.offering(true, false, false));
    }

    @Override
    public Outgoing encode(Call call, ClientProfile me) {
        return switch (call) {
            case Call.Initialize initialize -> announcing(super.encode(initialize, me));
            case Call.CallTool tool
            when tool.wish() instanceof TaskWish.NextPart parts ->
                resuming(super.encode(tool.wishing(new TaskWish.None()), me), parts);
            default -> super.encode(call, me);
        };
    }

    private static Outgoing announcing(Outgoing initialize) {
        var params = (ObjectNode) JsonTree.read(initialize.params());
        params.withObject("/capabilities").putObject("experimental").putObject(Meta.RESUME_TOKENS);
        return with(initialize, params);
    }

    private static Outgoing resuming(Outgoing call, TaskWish.NextPart parts) {
        if (parts.token() == null) {
            return call;
        }
        var params = (ObjectNode) JsonTree.read(call.params());
        var place = parts.inMeta() ? params.withObject("/" + Meta.META) : params;
        place.put(ResumeTokens.TOKEN, parts.token());
        return with(call, params);
    }

    private static Outgoing with(Outgoing message, ObjectNode params) {
        return new Outgoing(message.method(), JsonTree.write(params), message.headers());
    }

    @Override
    public Answer decode(Call call, Json result) throws UnusableMessageException {
        return call instanceof Call.CallTool
                        && JsonTree.read(result) instanceof ObjectNode node
                        && taken(node) instanceof TaskWish.NextPart next
                ? part(node, next)
                : super.decode(call, result);
    }

    /** Takes the next token out of the result; null where the result is final. */
    private static TaskWish.@Nullable NextPart taken(ObjectNode result) {
        var token = ClientReading.optionalText(result, ResumeTokens.NEXT);
        var beside = ClientReading.optionalText(result.path(Meta.META), ResumeTokens.NEXT);
        var task = ClientReading.optionalText(result.path(Meta.META), Meta.PART_OF);
        result.remove(ResumeTokens.NEXT);
        if (result.path(Meta.META) instanceof ObjectNode meta) {
            meta.remove(ResumeTokens.NEXT);
        }
        if (token != null) {
            return new TaskWish.NextPart(token, false, task);
        }
        return beside == null ? null : new TaskWish.NextPart(beside, true, task);
    }

    private static Answer part(ObjectNode result, TaskWish.NextPart next) {
        var meta = result.path(Meta.META);
        var life = meta.path(Meta.TOKEN_TTL);
        return new Answer.Part(
                JsonTree.write(result),
                next,
                life.isIntegralNumber() && life.canConvertToLong() ? Duration.ofMillis(life.longValue()) : null,
                !meta.path(Meta.NOTHING_NEW).asBoolean(false));
    }
}
