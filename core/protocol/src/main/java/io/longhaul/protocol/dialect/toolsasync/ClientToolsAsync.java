// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.toolsasync;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.base.ClientHandshake;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.ClientWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The client's side of the {@code tools/async} draft. The client uses the draft for tools that "should ideally be
 * called using the async protocol". It waits for the result in repeated requests with a timeout, and joins the call
 * again in every new session.
 */
public final class ClientToolsAsync extends ClientHandshake {

    private static final double MILLIS = 1_000;

    /**
     * The mark before an integer token, and before a string token that begins with this mark, so that the two differ.
     */
    private static final String MARK = "#";

    public ClientToolsAsync() {
        super(Generation.TOOLS_ASYNC, AsyncCalls::traits, null);
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.CallTool tool
            when tool.wish() instanceof TaskWish.Terms terms ->
                out(ToolsAsync.CALL, keeping(ClientWriter.callTool(tool), terms.time()));
            case Call.PollOutcome poll -> {
                var params = token(poll.taskId());
                if (poll.timeout() != null) {
                    params.put("timeout", seconds(poll.timeout()));
                }
                yield out(ToolsAsync.GET, ClientWriter.extras(params, poll.extras()));
            }
            case Call.JoinTask join ->
                out(ToolsAsync.JOIN, ClientWriter.extras(keeping(token(join.taskId()), join.keep()), join.extras()));
            case Call.CancelTask cancel -> out(ToolsAsync.CANCEL, token(cancel.taskId()));
            default -> super.write(call, me);
        };
    }

    private static ObjectNode keeping(ObjectNode params, @Nullable Duration keep) {
        return keep == null ? params : params.put("keepAlive", seconds(keep));
    }

    private static long seconds(Duration time) {
        return (long) Math.ceil(time.toMillis() / MILLIS);
    }

    private static ObjectNode token(String taskId) {
        var params = JsonTree.object();
        if (taskId.matches(MARK + "-?[0-9]+")) {
            return params.put("token", new BigInteger(taskId.substring(MARK.length())));
        }
        return params.put("token", taskId.startsWith(MARK) ? taskId.substring(MARK.length()) : taskId);
    }

    private static String taskId(JsonNode token) throws UnusableMessageException {
        if (token.isIntegralNumber()) {
            return MARK + token.bigIntegerValue();
        }
        if (!token.isString()) {
            throw new UnusableMessageException("The server accepted the call and gave no token for it.");
        }
        return token.stringValue().startsWith(MARK) ? MARK + token.stringValue() : token.stringValue();
    }

    @Override
    protected Hello offered(Hello said) {
        boolean calls = JsonTree.read(said.capabilities()).has("async");
        return said.offering(calls, false, false);
    }

    @Override
    public CallResponse read(Call call, Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "result");
        return switch (call) {
            case Call.CallTool tool when tool.wish() instanceof TaskWish.Terms -> attended(node);
            case Call.JoinTask join -> attended(node);
            case Call.PollOutcome poll
            when node.path("isPending").asBoolean(false) ->
                new CallResponse.TaskState(TaskView.untold(poll.taskId(), State.WORKING));
            case Call.PollOutcome poll -> new CallResponse.ToolResult(result);
            default -> super.read(call, result);
        };
    }

    /**
     * "If accepted is false the server MAY still respond to GetToolAsyncResultRequest with details of the reason for
     * rejection if so the token MUST be set": the client then asks for the reason as for a result.
     */
    private static CallResponse attended(JsonNode node) throws UnusableMessageException {
        if (!node.path("accepted").asBoolean(false) && !node.has("token")) {
            throw new UnusableMessageException("The server did not accept the call, and does not say why.");
        }
        var keep = Duration.ofSeconds(Math.max(0, node.path("keepAlive").asLong(0)));
        var received =
                Instant.ofEpochSecond(node.path(Meta.META).path(Meta.RECEIVED).asLong(0));
        return new CallResponse.TaskJoined(TaskView.untold(taskId(node.path("token")), State.WORKING), keep, received);
    }

    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        var params = ClientReader.object(notification.params(), "notification");
        return switch (notification.method()) {
            case "notifications/cancelled" ->
                id(params.path("requestId"))
                        .map(id -> new Notice.CallCancelled(
                                id, params.path("reason").asString("")));
            case "notifications/progress" ->
                ClientReader.progressNotice(params)
                        .map(progress -> new Notice.Progress(
                                progress.token(),
                                progress.progress(),
                                null,
                                new ResourceUris(ClientReader.optionalText(params, "resourceUri"), null)));
            default -> super.notice(notification);
        };
    }

    private static Optional<RequestId> id(JsonNode id) {
        if (id.isString()) {
            return Optional.of(new RequestId.Text(id.stringValue()));
        }
        return id.isIntegralNumber() && id.canConvertToLong()
                ? Optional.of(new RequestId.Number(id.asLong()))
                : Optional.empty();
    }

    @Override
    protected TaskMode mode(JsonNode tool) {
        return tool.path("annotations").path("preferAsync").asBoolean(false) ? TaskMode.OPTIONAL : TaskMode.NEVER;
    }
}
