// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.operations;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.AskedOn;
import io.longhaul.protocol.dialect.Traits.Cancelling;
import io.longhaul.protocol.dialect.Traits.Following;
import io.longhaul.protocol.dialect.Traits.Making;
import io.longhaul.protocol.dialect.Traits.NotifiedOn;
import io.longhaul.protocol.dialect.Traits.Telling;
import io.longhaul.protocol.dialect.base.PlainHandshake;
import io.longhaul.protocol.dialect.words.CallReader;
import io.longhaul.protocol.dialect.words.FeatureWriter;
import io.longhaul.protocol.dialect.words.Related;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of sessions of SEP-1391: calls of long-running tools are operations, each under a token that the client
 * or the server has chosen. Everything else is as in 2025-06-18.
 */
public final class Operations extends PlainHandshake {

    static final Related RELATED = new Related(false, "_operation", "token");

    private static final Json ASYNC = JsonWriter.quote("async");

    public Operations() {
        super("operations-" + Generation.NEXT.version(), Operations::traits, Generation.NEXT.revision(), RELATED);
    }

    static Traits traits(Traits session) {
        return session.with(
                new Making(Created.BY_SERVER, Keep.From.COMPLETION, OperationReader.TOKENS),
                Following.LOOKING_THEN_ASKING,
                new Telling(NotifiedOn.ON_CALL, AskedOn.STREAMS_AND_LOOKS),
                Cancelling.BY_CALL);
    }

    @Override
    public Call read(String method, Params params) {
        return switch (method) {
            case "tools/call" ->
                CallReader.IN_SESSIONS.callTool(params, CallReader.wish(params, OperationReader::wish));
            case "tools/async/status" -> new Call.GetTask(params.string("token"));
            case "tools/async/result" -> new Call.GetOutcome(params.string("token"));
            default -> super.read(method, params);
        };
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
            case CallResponse.TaskCreated created -> Encoded.result(id, OperationWriter.accepted(created));
            case CallResponse.TaskState(var task)
            when call instanceof Call.GetOutcome ->
                task.end() instanceof End.Result ended
                        ? Encoded.result(id, OperationWriter.result(wording.toolResult(ended.result())))
                        : Encoded.failure(id, OperationWriter.noResult(task));
            case CallResponse.TaskState(var task) -> Encoded.result(id, OperationWriter.state(task));
            case CallResponse.Refused(Refusal.UnknownTask unknown) -> Encoded.failure(id, OperationWriter.notFound());
            case CallResponse.Refused(Refusal.CreationKeyReused reused)
            when call instanceof Call.CallTool tool && hasToken(tool) -> Encoded.failure(id, OperationWriter.reused());
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

    /** "Async tools MUST be marked with an `invocationMode` field": a tool that is never called so has none. */
    private Json tools(CallResponse.Tools tools) {
        return FeatureWriter.tools(tools, wording, "invocationMode", mode -> mode == TaskMode.NEVER ? null : ASYNC);
    }

    private static boolean hasToken(Call.CallTool call) {
        return call.wish() instanceof Call.TaskWish.Terms terms && terms.alias() != null;
    }
}
