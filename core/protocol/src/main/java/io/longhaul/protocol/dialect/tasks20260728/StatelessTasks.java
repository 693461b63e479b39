// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks20260728;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.ClientDialect.ToolTerms;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.HeaderText;
import io.longhaul.protocol.dialect.ParamHeaders;
import io.longhaul.protocol.dialect.StandardHeaders;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.Cancelling;
import io.longhaul.protocol.dialect.Traits.Following;
import io.longhaul.protocol.dialect.Traits.Making;
import io.longhaul.protocol.dialect.Traits.Telling;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.CallCodec;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.FeatureCodec;
import io.longhaul.protocol.dialect.words.Listening;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.ProfileCodec;
import io.longhaul.protocol.dialect.words.StatelessResults;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The stateless revision, for requests that declare the tasks extension; the plain dialect handles everything except
 * tasks. A client always speaks this dialect: each of its requests stands alone and names the client.
 */
public final class StatelessTasks extends PlainStateless implements ClientDialect {

    private static final Traits TRAITS = PlainStateless.TRAITS.with(
            new Making(Created.BY_SERVER, null, null), Following.LOOKING, Telling.NOTHING, Cancelling.BY_REQUEST);

    private static final String VERSION = Generation.V2026_07_28.version();
    private static final String NOTIFICATIONS = "notifications";

    private static final TaskWish TAKES_TASKS = new TaskWish.Terms(Created.BY_SERVER, Keep.From.CREATION, null, null);

    public StatelessTasks(StatelessResults results) {
        super("tasks-" + VERSION, TRAITS, results);
    }

    @Override
    public Call read(String method, Params params) {
        return switch (method) {
            case "tools/call" -> CallCodec.ALONE.callTool(params, TAKES_TASKS);
            case "subscriptions/listen" -> Listening.read(params);
            case "tasks/get" -> new Call.GetTask(params.string("taskId"));
            case "tasks/cancel" -> new Call.CancelTask(params.string("taskId"));
            case "tasks/update" -> update(params);
            default -> super.read(method, params);
        };
    }

    @Override
    public Generation generation() {
        return Generation.V2026_07_28;
    }

    @Override
    public Map<String, String> headers() {
        return Map.of(StandardHeaders.VERSION, VERSION);
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.Discover discover -> out("server/discover", JsonTree.object(), null, me, false);
            case Call.GetTask(var id) -> task("tasks/get", id, me);
            case Call.CancelTask(var id) -> task("tasks/cancel", id, me);
            case Call.UpdateTask(var id, var responses) ->
                out("tasks/update", CallCodec.responses(JsonTree.object().put("taskId", id), responses), id, me, true);
            case Call.Listen(var wanted) -> {
                var params = JsonTree.object();
                params.set(NOTIFICATIONS, JsonTree.read(Listening.write(wanted)));
                yield out("subscriptions/listen", params, null, me, true);
            }
            default -> {
                var written = CallCodec.ALONE.write(call);
                if (written == null) {
                    throw new IllegalArgumentException(
                            VERSION + " has no " + call.getClass().getSimpleName());
                }
                yield call instanceof Call.CancelRequest
                        ? new Outgoing(written.method(), JsonTree.write(written.params()), headers())
                        : out(written.method(), written.params(), written.name(), me, takesTasks(call));
            }
        };
    }

    private static boolean takesTasks(Call call) {
        return call instanceof Call.ListTools
                || call instanceof Call.CallTool tool && !(tool.wish() instanceof TaskWish.None);
    }

    private Outgoing task(String method, String id, ClientProfile me) {
        return out(method, JsonTree.object().put("taskId", id), id, me, true);
    }

    private Outgoing out(String method, ObjectNode params, @Nullable String name, ClientProfile me, boolean tasks) {
        var meta = CallCodec.meta(params);
        meta.put(Meta.PROTOCOL_VERSION, VERSION);
        meta.set(Meta.CLIENT_INFO, JsonTree.read(me.info()));
        var capabilities = ProfileCodec.capabilities(me.capabilities(), Generation.V2026_07_28.revision());
        if (tasks || !me.extensions().isEmpty()) {
            var extensions = capabilities.putObject("extensions");
            me.extensions().stream().sorted().forEach(extensions::putObject);
            if (tasks) {
                extensions.putObject(Meta.TASKS_EXTENSION);
            }
        }
        meta.set(Meta.CLIENT_CAPABILITIES, capabilities);
        var headers = new LinkedHashMap<>(headers());
        headers.put(StandardHeaders.METHOD, method);
        if (name != null) {
            headers.put(StandardHeaders.NAME, HeaderText.encode(name));
        }
        return new Outgoing(method, JsonTree.write(params), headers);
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        return switch (response) {
            case CallResponse.TaskCreated(var task, var immediate) ->
                Encoded.result(
                        id,
                        results.end(DetailedTask.fields(results.begin("task"), task), MessageWriter.additions(task)));
            case CallResponse.TaskState(var task) ->
                Encoded.result(
                        id,
                        results.end(
                                DetailedTask.details(results.begin("complete"), task), MessageWriter.additions(task)));
            case CallResponse.TaskUpdated updated -> Encoded.result(id, results.done());
            case CallResponse.TaskCancelled cancelled -> Encoded.result(id, results.done());
            case CallResponse.TaskAlreadyEnded ended -> Encoded.result(id, results.done());
            default -> super.encode(id, call, response);
        };
    }

    @Override
    public Hello hello(Json result) throws UnusableMessageException {
        var node = complete(ClientReader.object(result, "answer to server/discover"), "server/discover");
        var versions = new ArrayList<String>();
        node.path("supportedVersions").forEach(version -> versions.add(version.asString("")));
        var tasks = node.path("capabilities").path("extensions").has(Meta.TASKS_EXTENSION);
        return ClientReader.hello(versions, node.path(Meta.META).path(Meta.SERVER_INFO), node)
                .offering(tasks, false, tasks);
    }

    @Override
    public CallResponse read(Call call, Json result) throws UnusableMessageException {
        if (call instanceof Call.CallTool && isComplete(result)) {
            return ClientReader.toolResult(StatelessResults.bare(result));
        }
        var node = ClientReader.object(result, "result");
        if (call instanceof Call.CallTool tool) {
            return toolAnswer(tool, node);
        }
        if (call instanceof Call.Interactive
                && node.path("resultType").asString("").equals("input_required")) {
            return inputNeeded(node);
        }
        complete(node, call.getClass().getSimpleName());
        return switch (call) {
            case Call.ListTools list -> ClientReader.tools(node, StatelessTasks::mode);
            case Call.GetTask get -> new CallResponse.TaskState(DetailedTask.read(node));
            default -> FeatureCodec.answer(call, StatelessResults.bare(result));
        };
    }

    /**
     * How a tool may be called as a task: the server decides for each call, unless a Longhaul server declares more for
     * the tool.
     */
    private static TaskMode mode(JsonNode tool) {
        var support = tool.path(Meta.META).path(Meta.TASK_SUPPORT).asString("");
        return support.equals("required") ? TaskMode.REQUIRED : TaskMode.OPTIONAL;
    }

    /** Whether the answer to a call is the result of its tool, which is not read as a tree. */
    private static boolean isComplete(Json result) {
        if (result.kind() != Json.Kind.OBJECT) {
            return false;
        }
        var members = JsonReader.members(result);
        return !members.has("resultType") || "complete".equals(members.text("resultType"));
    }

    private static CallResponse toolAnswer(Call.CallTool call, JsonNode node) throws UnusableMessageException {
        return switch (node.path("resultType").asString("")) {
            case "input_required" -> inputNeeded(node);
            case "task" -> {
                if (!takesTasks(call)) {
                    throw new UnusableMessageException("The server made a task of a call that did not allow one.");
                }
                yield new CallResponse.TaskCreated(DetailedTask.created(node), null);
            }
            default ->
                throw new UnusableMessageException(
                        "The server answered with a resultType that this client does not know.");
        };
    }

    private static CallResponse inputNeeded(JsonNode node) throws UnusableMessageException {
        var state = node.path("requestState");
        if (!node.path("inputRequests").isObject() && !state.isString()) {
            throw new UnusableMessageException("The server asks for input and does not say which.");
        }
        return new CallResponse.InputNeeded(
                ClientReader.questions(node.path("inputRequests")), state.isString() ? state.stringValue() : null);
    }

    private static JsonNode complete(JsonNode node, String what) throws UnusableMessageException {
        var type = node.path("resultType").asString("complete");
        if (!type.equals("complete")) {
            throw new UnusableMessageException(
                    "The server answered " + what + " with a resultType that it does not have.");
        }
        return node;
    }

    @Override
    public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
        if (!(notice instanceof Notice.TaskChanged(var task)) || subscription == null) {
            return super.encode(notice, subscription);
        }
        var meta = new LinkedHashMap<>(PlainStateless.tag(subscription));
        meta.putAll(MessageWriter.additions(task));
        return new JsonRpcMessage.Notification(
                "notifications/tasks", MessageWriter.meta(DetailedTask.details(JsonWriter.object(512), task), meta));
    }

    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        var params = ClientReader.object(notification.params(), "notification");
        return switch (notification.method()) {
            case "notifications/tasks" -> Optional.of(new Notice.TaskChanged(DetailedTask.read(params)));
            case "notifications/subscriptions/acknowledged" ->
                Optional.of(new Notice.Subscribed(Listening.honoured(params.path(NOTIFICATIONS))));
            default -> ClientReader.notice(notification, null);
        };
    }

    @Override
    public ToolTerms terms(Json definition) {
        return ParamHeaders.terms(definition, ClientReader.repeats(JsonTree.read(definition)));
    }

    @Override
    public Map<String, String> mirrored(ToolTerms.Usable terms, Json arguments) {
        return ParamHeaders.write(terms.mirrored(), arguments);
    }

    private static Call update(Params params) {
        var task = params.string("taskId");
        params.object("inputResponses");
        return new Call.UpdateTask(task, params.members("inputResponses"));
    }
}
