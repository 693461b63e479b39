// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.toolsasync;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.CallResponse.Ticket;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.call.TaskView.State;
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
import io.longhaul.protocol.dialect.Traits.Streams;
import io.longhaul.protocol.dialect.Traits.Telling;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.base.PlainHandshake;
import io.longhaul.protocol.dialect.words.CallCodec;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The dialect of {@code tools/async}, over that of a session for everything else. A client uses the draft for tools
 * that "should ideally be called using the async protocol". It waits for the result in repeated requests with a
 * timeout, and joins the call again in every new session.
 */
public final class AsyncCalls extends PlainHandshake {

    /** "This MUST only be set in response to a GetToolAsyncResultRequest where timeout is set". */
    private static final Json PENDING = Json.raw("{\"content\":[],\"isPending\":true}");

    /**
     * The longest accepted token, a "string" or "integer". Longhaul's tokens are much shorter, and so are all ids that
     * a requestor may choose.
     */
    private static final int LONGEST_TOKEN = 1_024;

    private static final double MILLIS = 1_000;

    /**
     * The mark before an integer token, and before a string token that begins with this mark, so that the two differ.
     */
    private static final String MARK = "#";

    /** The dialect of a client, in sessions of the version that the draft was written for. */
    public AsyncCalls() {
        this(Generation.TOOLS_ASYNC.revision(), traits(Generation.TOOLS_ASYNC.revision()));
    }

    /**
     * The dialect of a server. A stream on which a client waits for a result cannot be resumed: the client sends its
     * request again.
     */
    AsyncCalls(Revision version) {
        this(version, Traits.plain(true, Streams.LOST));
    }

    private AsyncCalls(Revision version, Traits session) {
        super("tools-async", Generation.TOOLS_ASYNC, version, async(session), null);
    }

    private static Traits async(Traits session) {
        return session.with(
                new Making(Created.BY_CALLER, Keep.From.LEAVING, null),
                Following.WAITING_FOR_A_WHILE,
                new Telling(NotifiedOn.IN_SESSION, AskedOn.STREAMS),
                Cancelling.BY_NOTIFICATION);
    }

    @Override
    public Call read(String method, Params params) {
        return switch (method) {
            case ToolsAsync.CALL -> {
                CallCodec.refuseResumeToken(params, "is taken by tools/call alone");
                yield CallCodec.IN_SESSIONS.callTool(params, wish(params));
            }
            case ToolsAsync.GET -> new Call.PollOutcome(token(params), seconds(params, "timeout"), extras(params));
            case ToolsAsync.JOIN -> new Call.JoinTask(token(params), seconds(params, "keepAlive"), extras(params));
            case ToolsAsync.CANCEL -> new Call.CancelTask(token(params));
            default -> super.read(method, params);
        };
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.CallTool tool
            when tool.wish() instanceof TaskWish.Terms terms ->
                out(ToolsAsync.CALL, keeping(CallCodec.IN_SESSIONS.write(tool).params(), terms.time()));
            case Call.PollOutcome poll -> {
                var params = token(poll.taskId());
                if (poll.timeout() != null) {
                    params.put("timeout", seconds(poll.timeout()));
                }
                yield out(ToolsAsync.GET, CallCodec.extras(params, poll.extras()));
            }
            case Call.JoinTask join ->
                out(ToolsAsync.JOIN, CallCodec.extras(keeping(token(join.taskId()), join.keep()), join.extras()));
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

    private static Call.CallExtras extras(Params params) {
        return CallCodec.IN_SESSIONS.extras(params);
    }

    private static TaskWish wish(Params params) {
        return new TaskWish.Terms(Created.BY_CALLER, Keep.From.LEAVING, seconds(params, "keepAlive"), null);
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        var result = switch (response) {
            case CallResponse.TaskJoined attended ->
                taken(true, new Ticket(attended.task().id(), attended.keep()), attended.received());
            case CallResponse.TaskRejected rejected -> taken(false, rejected.ticket(), rejected.received());
            case CallResponse.RejectedBefore rejected -> MessageWriter.errorResult(rejected.reason());
            case CallResponse.TaskState state -> PENDING;
            case CallResponse.TaskCancelled cancelled -> Json.EMPTY_OBJECT;
            case CallResponse.TaskAlreadyEnded ended -> Json.EMPTY_OBJECT;
            case CallResponse.TaskOutcome outcome -> failed(outcome.task());
            case CallResponse.Refused(Refusal.UnknownTask why)
            when call instanceof Call.PollOutcome ->
                MessageWriter.errorResult(Refusals.error(why).message());
            default -> null;
        };
        return result == null ? super.encode(id, call, response) : Encoded.result(id, result);
    }

    /**
     * The answer to a call: with a token also where it was rejected and the reason is kept. "The server SHOULD report
     * the received time in unix time", for which the draft names no place.
     */
    private static Json taken(boolean accepted, @Nullable Ticket ticket, Instant received) {
        var writer = JsonWriter.object().member("accepted", accepted);
        if (ticket != null) {
            writer.member("token", ticket.id());
            writer.member("keepAlive", ticket.keep().toSeconds());
        }
        var seconds = new JsonWriter().number(received.getEpochSecond()).toJson();
        return MessageWriter.meta(writer, Map.of(Meta.RECEIVED, seconds));
    }

    @Override
    public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
        return switch (notice) {
            case Notice.Progress progress -> progress(progress);
            case Notice.CallCancelled cancelled -> cancelled(cancelled);
            default -> super.encode(notice, subscription);
        };
    }

    /**
     * "The server MUST return a CallToolResult with either: the result if the call was successful; an error status if
     * the result cannot be retrieved": null where there is a result, or the tool's own JSON-RPC error in its place.
     */
    private static @Nullable Json failed(TaskView task) {
        return switch (task.end()) {
            case End.Cancelled cancelled -> MessageWriter.errorResult(cancelled.below("The call was cancelled"));
            case End.Broken broken -> MessageWriter.errorResult(broken.reason());
            case null -> null;
            case End.Failure(RpcError error)
            when saysThatTheRequestIsWrong(error) -> MessageWriter.errorResult(error.message());
            case End.Failure failure -> null;
            case End.Result ended -> null;
        };
    }

    /** Whether an error says that its request is wrong, which was the call: the request for the result is right. */
    private static boolean saysThatTheRequestIsWrong(RpcError error) {
        return switch (error.code()) {
            case RpcError.INVALID_REQUEST,
                    RpcError.METHOD_NOT_FOUND,
                    RpcError.INVALID_PARAMS,
                    RpcError.MISSING_CLIENT_CAPABILITY -> true;
            default -> false;
        };
    }

    private JsonRpcMessage.@Nullable Notification progress(Notice.Progress progress) {
        var plain = MessageWriter.progress(progress, Map.of());
        String output = progress.resources().output();
        return new JsonRpcMessage.Notification(
                "notifications/progress",
                output == null
                        ? plain
                        : JsonWriter.object(plain.size() + 128)
                                .members(plain)
                                .member("resourceUri", output)
                                .end());
    }

    /** "The server SHOULD send a CancelNotification to any clients that have called or joined". */
    private static JsonRpcMessage.Notification cancelled(Notice.CallCancelled cancelled) {
        var params = JsonWriter.object()
                .member("requestId", JsonRpcCodec.encode(cancelled.call()))
                .member("reason", cancelled.reason())
                .endObject();
        return new JsonRpcMessage.Notification("notifications/cancelled", params.toJson());
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
                Optional.ofNullable(JsonRpcCodec.id(
                                JsonReader.members(notification.params()).get("requestId")))
                        .map(id -> new Notice.CallCancelled(
                                id, params.path("reason").asString("")));
            case "notifications/progress" -> {
                var output = ClientReader.optionalText(params, "resourceUri");
                yield Optional.ofNullable(ClientReader.progress(params, null, new ResourceUris(output, null)));
            }
            default -> super.notice(notification);
        };
    }

    @Override
    protected TaskMode mode(JsonNode tool) {
        return tool.path("annotations").path("preferAsync").asBoolean(false) ? TaskMode.OPTIONAL : TaskMode.NEVER;
    }

    private static @Nullable Duration seconds(Params params, String name) {
        return params.optionalTime(name, Duration.ofSeconds(1));
    }

    /**
     * Reads a token. Longhaul's tokens are strings: an integer is never one of them, nor the id that a requestor chose.
     */
    private static String token(Params params) {
        var token = params.get("token");
        if (token == null) {
            return params.fail("token", "is required");
        }
        if (token.kind() != Json.Kind.STRING && !token.isInteger()) {
            return params.fail("token", "must be a string or an integer");
        }
        var read = token.kind() == Json.Kind.STRING ? JsonReader.text(token) : "#" + token;
        return read.length() > LONGEST_TOKEN
                ? params.fail("token", "is longer than " + LONGEST_TOKEN + " characters")
                : read;
    }
}
