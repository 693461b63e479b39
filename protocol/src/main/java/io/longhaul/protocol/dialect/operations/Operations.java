package io.longhaul.protocol.dialect.operations;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Retry;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.base.PlainHandshake;
import io.longhaul.protocol.dialect.words.CallReader;
import io.longhaul.protocol.dialect.words.RevisionFilter;
import io.longhaul.protocol.dialect.words.Splice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of SEP-1391: tools that take long are operations, each under a token that the client has chosen or that we
 * gave. All else is as in 2025-06-18.
 */
public final class Operations implements Dialect {

    private static final Traits TRAITS = new Traits(
            Conversation.SESSION,
            Streams.RESUMED,
            new TaskTraits(Told.ON_CALL, Cancelled.BY_CALL, AskedOn.STREAMS_AND_LOOKS, OperationReader.TOKENS));

    private final RevisionFilter wording = new RevisionFilter(Generation.NEXT.revision());
    private final PlainHandshake plain = new PlainHandshake(Generation.NEXT.revision());

    @Override
    public String name() {
        return "operations-" + Generation.NEXT.version();
    }

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public Decoded decode(String method, Json params) {
        return switch (method) {
            case "tools/call" ->
                CallReader.read(
                        params,
                        read -> CallReader.callTool(
                                read, CallReader.wish(read, OperationReader::wish), null, Retry.FIRST));
            case "tools/async/status" -> CallReader.read(params, OperationReader::status);
            case "tools/async/result" -> CallReader.read(params, OperationReader::result);
            default -> plain.decode(method, params);
        };
    }

    @Override
    public Encoded encode(RequestId id, Call call, Answer answer) {
        return switch (answer) {
            case Answer.Tools tools -> result(id, OperationWords.tools(tools, wording));
            case Answer.TaskCreated created -> result(id, OperationWords.accepted(created));
            case Answer.TaskState(var task)
            when call instanceof Call.GetOutcome ->
                task.end() instanceof End.Result ended
                        ? result(id, OperationWords.result(wording.toolResult(ended.result())))
                        : failure(id, OperationWords.noResult(task));
            case Answer.TaskState(var task) -> result(id, OperationWords.state(task));
            case Answer.Refused(Refusal.UnknownTask unknown) -> failure(id, OperationWords.notFound());
            case Answer.Refused(Refusal.CreationKeyReused reused)
            when call instanceof Call.CallTool tool && hasToken(tool) -> failure(id, OperationWords.reused());
            default -> plain.encode(id, call, answer);
        };
    }

    /** "The request/notification MUST contain an `_operation.token` associated with the originating operation." */
    @Override
    public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
        var message = plain.encode(notice, subscription);
        String token = switch (notice) {
            case Notice.Progress progress -> progress.taskId();
            case Notice.Log log -> log.taskId();
            case Notice.Withdrawn withdrawn -> withdrawn.taskId();
            default -> null;
        };
        return message == null || token == null
                ? message
                : new JsonRpcMessage.Notification(message.method(), related(message.params(), token));
    }

    @Override
    public JsonRpcMessage.@Nullable Request encode(RequestId id, Answer.Question question, @Nullable String taskId) {
        var message = plain.encode(id, question, taskId);
        return message == null || taskId == null
                ? message
                : new JsonRpcMessage.Request(id, message.method(), related(message.params(), taskId));
    }

    private static Json related(Json params, String token) {
        return Splice.into(params, Map.of("_operation", OperationWords.related(token)), Map.of());
    }

    private static boolean hasToken(Call.CallTool call) {
        return call.wish() instanceof Call.TaskWish.Terms terms && terms.alias() != null;
    }

    private static Encoded result(RequestId id, Json result) {
        return new Encoded(new JsonRpcMessage.Result(id, result), 200);
    }

    private static Encoded failure(RequestId id, RpcError error) {
        return new Encoded(new JsonRpcMessage.Failure(id, error), 200);
    }
}
