package io.longhaul.protocol.dialect.tasks20251125;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Answer.TaskMode;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientReading;
import io.longhaul.protocol.dialect.words.ClientWriting;
import io.longhaul.protocol.dialect.words.Words;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The client's side of sessions: one class for all their versions, which differ in what they know of questions and
 * tasks.
 */
public final class ClientHandshake implements ClientDialect {

    private static final String RELATED = "io.modelcontextprotocol/related-task";
    private static final String IMMEDIATE = "io.modelcontextprotocol/model-immediate-response";
    private static final TaskWays TASKS =
            new TaskWays(Making.WANTED, Call.Keep.From.CREATION, null, Following.WAITING, Cancelling.BY_REQUEST);
    private static final Duration POLL = Duration.ofSeconds(1);

    private final Generation generation;
    private final boolean tasks;

    public ClientHandshake(Generation generation) {
        this.generation = generation;
        this.tasks = generation.revision().has(Capability.CORE_TASKS);
    }

    @Override
    public Generation generation() {
        return generation;
    }

    @Override
    public Traits traits() {
        return new Traits(
                true,
                generation.revision().has(Capability.RESUMABLE_STREAMS),
                true,
                false,
                tasks ? TASKS : TaskWays.NONE);
    }

    @Override
    public Map<String, String> headers() {
        return generation.revision().has(Capability.VERSION_HEADER)
                ? Map.of("MCP-Protocol-Version", generation.version())
                : Map.of();
    }

    @Override
    public Outgoing encode(Call call, ClientProfile me) {
        return switch (call) {
            case Call.Initialize initialize ->
                new Outgoing("initialize", JsonTree.write(initialize(initialize)), Map.of());
            case Call.Initialized initialized -> out("notifications/initialized", JsonTree.object());
            case Call.Ping ping -> out("ping", JsonTree.object());
            case Call.SetLogLevel log ->
                out("logging/setLevel", JsonTree.object().put("level", log.level()));
            case Call.ListTools list -> out("tools/list", cursor(list.cursor()));
            case Call.CallTool tool -> out("tools/call", callTool(tool));
            case Call.GetTask get -> task("tasks/get", get.taskId());
            case Call.AwaitOutcome await -> task("tasks/result", await.taskId());
            case Call.ListTasks list when tasks -> out("tasks/list", cursor(list.cursor()));
            case Call.CancelTask cancel -> task("tasks/cancel", cancel.taskId());
            case Call.CancelRequest cancel -> out("notifications/cancelled", ClientWriting.cancelRequest(cancel));
            default ->
                throw new IllegalArgumentException(
                        generation + " has no " + call.getClass().getSimpleName());
        };
    }

    private ObjectNode initialize(Call.Initialize call) {
        var params = JsonTree.object().put("protocolVersion", generation.version());
        params.set("capabilities", ClientWriting.capabilities(call.client().capabilities(), generation.revision()));
        params.set("clientInfo", JsonTree.read(call.client().info()));
        return params;
    }

    private static ObjectNode callTool(Call.CallTool call) {
        var params = ClientWriting.callTool(call);
        if (call.wish() instanceof Call.TaskWish.Wanted wanted) {
            var task = params.putObject("task");
            if (wanted.keep() != null) {
                task.put("ttl", wanted.keep().time().toMillis());
            }
        }
        return params;
    }

    private Outgoing task(String method, String id) {
        if (!tasks) {
            throw new IllegalArgumentException(generation + " has no tasks");
        }
        return out(method, JsonTree.object().put("taskId", id));
    }

    private Outgoing out(String method, ObjectNode params) {
        return new Outgoing(method, JsonTree.write(params), headers());
    }

    private static ObjectNode cursor(@Nullable String cursor) {
        var params = JsonTree.object();
        return cursor == null ? params : params.put("cursor", cursor);
    }

    @Override
    public Hello hello(Json result) throws UnusableMessageException {
        var node = ClientReading.object(result, "answer to initialize");
        var info = node.path("serverInfo");
        var capabilities = node.path("capabilities");
        var offer = capabilities.path("tasks");
        return new Hello(
                List.of(ClientReading.text(node, "protocolVersion", "answer to initialize")),
                info.path("name").asString(""),
                info.path("version").asString(""),
                capabilities.isObject() ? JsonTree.write(capabilities) : Json.EMPTY_OBJECT,
                ClientReading.optionalText(node, "instructions"),
                new TaskOffer(
                        tasks && offer.path("requests").path("tools").has("call"),
                        tasks && offer.has("list"),
                        tasks && offer.has("cancel"),
                        ClientReading.honoursCreationKeys(capabilities)));
    }

    @Override
    public Answer decode(Call call, Json result) throws UnusableMessageException {
        var node = ClientReading.object(result, "result");
        return switch (call) {
            case Call.ListTools list -> ClientReading.tools(node, ClientHandshake::mode);
            case Call.CallTool tool when tool.wish() instanceof Call.TaskWish.Wanted -> created(node);
            case Call.CallTool tool -> new Answer.ToolResult(result);
            case Call.AwaitOutcome await -> new Answer.ToolResult(result);
            case Call.GetTask get -> new Answer.TaskState(view(node));
            case Call.CancelTask cancel -> new Answer.TaskCancelled(view(node));
            case Call.ListTasks list -> page(node);
            default -> new Answer.Done();
        };
    }

    private static Answer created(JsonNode node) throws UnusableMessageException {
        if (!node.path("task").isObject()) {
            throw new UnusableMessageException("The server was asked for a task and answered without one.");
        }
        var immediate = ClientReading.optionalText(node.path("_meta"), IMMEDIATE);
        return new Answer.TaskCreated(view(node.path("task")), immediate == null ? null : Words.content(immediate));
    }

    private static Answer page(JsonNode node) throws UnusableMessageException {
        var views = new ArrayList<TaskView>();
        for (var task : node.path("tasks")) {
            views.add(view(task));
        }
        return new Answer.TaskPage(views, ClientReading.optionalText(node, "nextCursor"));
    }

    private static TaskView view(JsonNode task) throws UnusableMessageException {
        var state = ClientReading.state(task);
        var message = ClientReading.optionalText(task, "statusMessage");
        var progress = ClientReading.progress(task.path("_meta").path(ClientReading.PROGRESS));
        return new TaskView(
                ClientReading.text(task, "taskId", "task"),
                new TaskView.Status(state, message, progress),
                new TaskView.Times(
                        ClientReading.instant(task, "createdAt"),
                        ClientReading.instant(task, "lastUpdatedAt"),
                        ClientReading.millis(task, "ttl", null)),
                java.util.Objects.requireNonNull(ClientReading.millis(task, "pollInterval", POLL)),
                Map.of(),
                state == TaskView.State.CANCELLED ? new TaskView.End.Cancelled(message) : null);
    }

    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        var params = ClientReading.object(notification.params(), "notification");
        var task = relatedTask(notification.params()).orElse(null);
        return switch (notification.method()) {
            case "notifications/progress" -> Optional.ofNullable(ClientReading.progressNotice(params, task));
            case "notifications/message" -> Optional.of(ClientReading.log(params, task));
            case "notifications/tasks/status" -> Optional.of(new Notice.TaskChanged(view(params)));
            case "notifications/tools/list_changed" -> Optional.of(new Notice.ToolsChanged());
            default -> Optional.empty();
        };
    }

    @Override
    public Optional<String> relatedTask(Json params) {
        var meta = JsonTree.read(params).path("_meta").path(RELATED);
        return Optional.ofNullable(ClientReading.optionalText(meta, "taskId"));
    }

    @Override
    public Json reply(Answer.Question question, Json result) {
        var related = relatedTask(question.params());
        if (related.isEmpty() || !(JsonTree.read(result) instanceof ObjectNode node)) {
            return result;
        }
        var meta = node.path("_meta") instanceof ObjectNode present ? present : node.putObject("_meta");
        meta.putObject(RELATED).put("taskId", related.get());
        return JsonTree.write(node);
    }

    @Override
    public ToolTerms terms(Json definition) {
        var tool = JsonTree.read(definition);
        return new ToolTerms.Usable(mode(tool), Map.of(), ClientReading.repeats(tool));
    }

    @Override
    public Map<String, String> mirrored(ToolTerms.Usable terms, Json arguments) {
        return Map.of();
    }

    @Override
    public Optional<List<String>> supported(RpcError error) {
        return Optional.empty();
    }

    private static TaskMode mode(JsonNode tool) {
        return switch (tool.path("execution").path("taskSupport").asString("")) {
            case "required" -> TaskMode.REQUIRED;
            case "optional" -> TaskMode.OPTIONAL;
            default -> TaskMode.NEVER;
        };
    }
}
