// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.operations;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.AskedOn;
import io.longhaul.protocol.dialect.Traits.Cancelling;
import io.longhaul.protocol.dialect.Traits.Following;
import io.longhaul.protocol.dialect.Traits.Making;
import io.longhaul.protocol.dialect.Traits.NotifiedOn;
import io.longhaul.protocol.dialect.Traits.Telling;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.base.PlainHandshake;
import io.longhaul.protocol.dialect.words.CallCodec;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.FeatureCodec;
import io.longhaul.protocol.dialect.words.Related;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The dialect of sessions of SEP-1391: calls of long-running tools are operations, each under a token that the client
 * or the server has chosen. "the client MUST provide a unique operation.token to represent the operation across
 * requests", polls {@code tools/async/status} as often as the server suggests, and fetches the result of a completed
 * operation. Everything else is as in 2025-06-18.
 */
public final class Operations extends PlainHandshake {

    private static final Related RELATED = new Related(false, "_operation", "token");
    private static final Revision REVISION = Generation.NEXT.revision();

    private static final Json ASYNC = JsonWriter.quote("async");

    public Operations() {
        super("operations", Generation.NEXT, REVISION, operations(traits(REVISION)), RELATED);
    }

    private static Traits operations(Traits session) {
        return session.with(
                new Making(Created.BY_SERVER, Keep.From.COMPLETION, OperationCodec.TOKENS),
                Following.LOOKING_THEN_ASKING,
                new Telling(NotifiedOn.ON_CALL, AskedOn.STREAMS_AND_LOOKS),
                Cancelling.BY_CALL);
    }

    @Override
    public Call read(String method, Params params) {
        return switch (method) {
            case "tools/call" -> CallCodec.IN_SESSIONS.callTool(params, CallCodec.wish(params, OperationCodec::wish));
            case "tools/async/status" -> new Call.GetTask(params.string("token"));
            case "tools/async/result" -> new Call.GetOutcome(params.string("token"));
            default -> super.read(method, params);
        };
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.GetTask(var token) -> out("tools/async/status", "token", token);
            case Call.GetOutcome(var token) -> out("tools/async/result", "token", token);
            default -> super.write(call, me);
        };
    }

    @Override
    protected void wish(ObjectNode params, TaskWish.Terms terms) {
        OperationCodec.write(params, terms);
    }

    @Override
    protected Hello offered(Hello said) {
        return said.offering(true, false, false);
    }

    /** Every tool: a long-running tool is called as an operation. */
    @Override
    public boolean shows(CallResponse.ToolInfo tool, Capabilities client) {
        return true;
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        return switch (response) {
            case CallResponse.Tools tools -> Encoded.result(id, tools(tools));
            case CallResponse.TaskCreated created -> Encoded.result(id, OperationCodec.accepted(created));
            case CallResponse.TaskState(var task)
            when call instanceof Call.GetOutcome ->
                task.end() instanceof End.Result ended
                        ? Encoded.result(id, OperationCodec.result(wording.toolResult(ended.result())))
                        : Encoded.failure(id, OperationCodec.noResult(task));
            case CallResponse.TaskState(var task) -> Encoded.result(id, OperationCodec.state(task));
            case CallResponse.Refused(Refusal.UnknownTask unknown) -> Encoded.failure(id, OperationCodec.notFound());
            case CallResponse.Refused(Refusal.CreationKeyReused reused)
            when call instanceof Call.CallTool tool && tool.alias() != null ->
                Encoded.failure(id, OperationCodec.reused());
            default -> super.encode(id, call, response);
        };
    }

    /** "The request/notification MUST contain an `_operation.token` associated with the originating operation." */
    @Override
    public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
        var said = super.encode(notice, subscription);
        return said == null
                ? null
                : new JsonRpcMessage.Notification(said.method(), RELATED.to(notice.taskId(), said.params()));
    }

    @Override
    public CallResponse read(Call call, Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "result");
        return switch (call) {
            case Call.CallTool tool when node.path("operation").isObject() -> created(tool, node);
            case Call.GetTask get -> new CallResponse.TaskState(OperationCodec.read(get.taskId(), node, false));
            case Call.GetOutcome get -> new CallResponse.ToolResult(payload(node));
            default -> super.read(call, result);
        };
    }

    /**
     * The answer to a call. The interface in the SEP has no token in an immediate result: the operation then has the
     * token of the call.
     */
    private static CallResponse created(Call.CallTool call, JsonNode node) throws UnusableMessageException {
        var operation = node.path("operation");
        var given = ClientReader.optionalText(operation, "token");
        var token = given == null ? ownToken(call) : given;
        var content = ClientReader.content(node.path("content"));
        return new CallResponse.TaskCreated(
                OperationCodec.read(token, operation, true), content.isEmpty() ? null : JsonTree.write(content));
    }

    private static String ownToken(Call.CallTool call) throws UnusableMessageException {
        var alias = call.alias();
        if (alias == null) {
            throw new UnusableMessageException("The server began an operation that has no token.");
        }
        return alias.id();
    }

    private static Json payload(JsonNode node) throws UnusableMessageException {
        if (!node.path("result").isObject()) {
            throw new UnusableMessageException("The server's operation has completed without a result.");
        }
        return JsonTree.write(node.path("result"));
    }

    /** "Async tools MUST be marked with an `invocationMode` field": a tool that is never called so has none. */
    private Json tools(CallResponse.Tools tools) {
        return FeatureCodec.tools(tools, wording, "invocationMode", mode -> mode == TaskMode.NEVER ? null : ASYNC);
    }

    @Override
    protected TaskMode mode(JsonNode tool) {
        return tool.path("invocationMode").asString("").equals("async") ? TaskMode.OPTIONAL : TaskMode.NEVER;
    }
}
