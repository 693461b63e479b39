package io.longhaul.protocol.dialect.plain;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Retry;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.words.CallReader;
import io.longhaul.protocol.dialect.words.Listening;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.dialect.words.StatelessResults;
import io.longhaul.protocol.dialect.words.Words;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The stateless revision, for requests that do not declare the tasks extension. */
public final class PlainStateless implements Dialect {

    /** How long what rarely changes may be kept; a client that must know at once subscribes. */
    private static final long FRESH_MS = 60_000;

    private static final Traits TRAITS = new Traits(false, false, false, true, false);

    private final StatelessResults results;

    public PlainStateless(StatelessResults results) {
        this.results = results;
    }

    @Override
    public String name() {
        return "plain-" + Generation.V2026_07_28.version();
    }

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public Decoded decode(String method, Json params) {
        return switch (method) {
            case "server/discover" -> CallReader.read(params, read -> new Call.Discover());
            case "tools/list" -> CallReader.read(params, CallReader::listTools);
            case "tools/call" -> CallReader.read(params, read -> callTool(read, new TaskWish.None()));
            case "subscriptions/listen" -> listen(params);
            case "tasks/get", "tasks/update", "tasks/cancel" -> new Decoded.Bad(Refusals.tasksMissing(), 400);
            case "notifications/cancelled" -> CallReader.cancelled(params);
            default -> CallReader.unknown(method, 404);
        };
    }

    @Override
    public Encoded encode(RequestId id, Call call, Answer answer) {
        return switch (answer) {
            case Answer.Discovered discovered -> result(id, discovered(discovered));
            case Answer.Done done when call instanceof Call.Listen -> result(id, results.streamEnded(id));
            case Answer.Done done -> result(id, results.done());
            case Answer.Tools tools -> result(id, tools(tools));
            case Answer.ToolResult tool -> result(id, results.complete(tool.result()));
            case Answer.TaskOutcome outcome -> outcome(id, outcome.task());
            case Answer.InputNeeded needed -> result(id, inputNeeded(needed));
            case Answer.Refused refused -> refused(id, refused.why());
            default -> throw new IllegalArgumentException(name() + " has no words for " + answer);
        };
    }

    /** Progress and logs belong to the stream of their request, never to that of a subscription. */
    @Override
    public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
        return switch (notice) {
            case Notice.Progress progress
            when subscription == null ->
                new JsonRpcMessage.Notification("notifications/progress", Words.progress(progress, Map.of()));
            case Notice.Log log
            when subscription == null ->
                new JsonRpcMessage.Notification("notifications/message", Words.log(log, Map.of()));
            case Notice.ToolsChanged changed
            when subscription != null ->
                new JsonRpcMessage.Notification(
                        "notifications/tools/list_changed",
                        Words.meta(new JsonWriter().beginObject(), tag(subscription)));
            case Notice.Subscribed subscribed
            when subscription != null ->
                new JsonRpcMessage.Notification(
                        "notifications/subscriptions/acknowledged", acknowledged(subscribed, subscription));
            default -> null;
        };
    }

    /** "The server MUST NOT send independent JSON-RPC requests". */
    @Override
    public JsonRpcMessage.@Nullable Request encode(RequestId id, Answer.Question question, @Nullable String taskId) {
        return null;
    }

    /** A tool call of this revision, which may be the second round of one. */
    public static Call.CallTool callTool(Params params, TaskWish wish) {
        var retry = params.has("inputResponses") || params.has("requestState")
                ? new Retry(params.objects("inputResponses"), params.optionalString("requestState"))
                : Retry.FIRST;
        return CallReader.callTool(params, wish, Meta.LOG_LEVEL, retry);
    }

    /** What marks a notification as one of a subscription. */
    public static Map<String, Json> tag(RequestId subscription) {
        return Map.of(Meta.SUBSCRIPTION_ID, JsonRpcCodec.encode(subscription));
    }

    private static Decoded listen(Json params) {
        var read = CallReader.read(params, Listening::read);
        return read instanceof Decoded.Good(Call.Listen listen)
                        && !listen.wanted().taskIds().isEmpty()
                ? new Decoded.Bad(Refusals.tasksMissing(), 400)
                : read;
    }

    /** The versions of the handshake are named, too: who shares no newer one with us can still open a session. */
    private Json discovered(Answer.Discovered discovered) {
        var versions = results.begin("complete").name("supportedVersions").beginArray();
        supported().forEach(versions::string);
        versions.endArray()
                .name("capabilities")
                .raw(Json.raw("{\"logging\":{},\"tools\":{\"listChanged\":true},\"extensions\":{\""
                        + Meta.TASKS_EXTENSION + "\":{},\"" + Meta.CREATION_KEY + "\":{}}}"))
                .optional("instructions", discovered.server().instructions());
        return results.end(fresh(versions, "public"), Map.of());
    }

    /** All versions, newest first. */
    public static List<String> supported() {
        return Arrays.stream(Generation.values()).map(Generation::version).toList();
    }

    private Json tools(Answer.Tools tools) {
        var writer = results.begin("complete").name("tools").beginArray();
        tools.tools().forEach(tool -> writer.raw(tool.definition()));
        writer.endArray().optional("nextCursor", tools.nextCursor());
        return results.end(fresh(writer, "private"), Map.of());
    }

    private static JsonWriter fresh(JsonWriter writer, String scope) {
        return writer.name("ttlMs").number(FRESH_MS).name("cacheScope").string(scope);
    }

    private Json inputNeeded(Answer.InputNeeded needed) {
        var writer = results.begin("input_required");
        if (!needed.questions().isEmpty()) {
            writer.name("inputRequests").raw(Words.questions(needed.questions()));
        }
        return results.end(writer.optional("requestState", needed.requestState()), Map.of());
    }

    private Encoded outcome(RequestId id, TaskView task) {
        return task.end() instanceof TaskView.End.Result ended
                ? result(id, results.complete(ended.result()))
                : failure(id, Refusals.ended(Objects.requireNonNull(task.end())), 200);
    }

    private Encoded refused(RequestId id, Refusal why) {
        return switch (why) {
            case Refusal.InvalidArguments invalid -> result(id, results.complete(Refusals.result(invalid)));
            case Refusal.TaskRequired required -> failure(id, Refusals.tasksMissing(), 400);
            case Refusal.CapabilityMissing missing -> failure(id, Refusals.capabilityMissing(missing.missing()), 400);
            case Refusal.NoSuchMethod no -> failure(id, Refusals.error(no), 404);
            default -> failure(id, Refusals.error(why), 200);
        };
    }

    private static Json acknowledged(Notice.Subscribed subscribed, RequestId subscription) {
        var writer = new JsonWriter().beginObject().name("notifications").raw(Listening.write(subscribed.honoured()));
        return Words.meta(writer, tag(subscription));
    }

    private static Encoded result(RequestId id, Json result) {
        return new Encoded(new JsonRpcMessage.Result(id, result), 200);
    }

    private static Encoded failure(RequestId id, RpcError error, int httpStatus) {
        return new Encoded(new JsonRpcMessage.Failure(id, error), httpStatus);
    }
}
