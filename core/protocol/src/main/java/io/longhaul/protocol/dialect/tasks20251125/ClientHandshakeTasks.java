// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks20251125;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.base.ClientHandshake;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.ClientWriter;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The client's side of the revision that has sessions and tasks in its core. */
public final class ClientHandshakeTasks extends ClientHandshake {

    private static final Dialect RECEIVING = new HandshakeTasks();
    private static final List<String> VERBS = List.of("list", "cancel");
    private static final Duration POLL = Duration.ofSeconds(1);

    public ClientHandshakeTasks() {
        super(Generation.V2025_11_25, HandshakeTasks::traits, HandshakeTasks.RELATED);
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.GetTask get -> task("tasks/get", get.taskId());
            case Call.AwaitOutcome await ->
                out("tasks/result", ClientWriter.extras(named(await.taskId()), await.extras()));
            case Call.ListTasks list -> out("tasks/list", ClientWriter.cursor(list.cursor()));
            case Call.CancelTask cancel -> task("tasks/cancel", cancel.taskId());
            default -> super.write(call, me);
        };
    }

    /** "Servers and clients that support task-augmented requests MUST declare a `tasks` capability". */
    @Override
    protected void declare(ObjectNode capabilities, Capabilities can) {
        if (can.form() || can.url() || can.sampling()) {
            ClientWriter.hostingTasks(capabilities, can, VERBS);
        }
    }

    @Override
    public Optional<Dialect> receiving() {
        return Optional.of(RECEIVING);
    }

    @Override
    protected Optional<TaskWish.Terms> wished(String method, Params question) {
        return HandshakeTasks.wish(question) instanceof TaskWish.Terms terms ? Optional.of(terms) : Optional.empty();
    }

    @Override
    public Optional<TaskView> hosted(Json result) throws UnusableMessageException {
        var task = ClientReader.object(result, "result").path("task");
        return task.has("taskId") ? Optional.of(view(task)) : Optional.empty();
    }

    @Override
    protected void wish(ObjectNode params, TaskWish.Terms terms) {
        var task = params.putObject("task");
        if (terms.time() != null) {
            task.put("ttl", terms.time().toMillis());
        }
    }

    private Outgoing task(String method, String id) {
        return out(method, named(id));
    }

    private static ObjectNode named(String id) {
        return JsonTree.object().put("taskId", id);
    }

    @Override
    protected Hello offered(Hello said) {
        var offer = JsonTree.read(said.capabilities()).path("tasks");
        boolean calls = offer.path("requests").path("tools").has("call");
        return said.offering(calls, offer.has("list"), offer.has("cancel"));
    }

    @Override
    public CallResponse read(Call call, Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "result");
        return switch (call) {
            case Call.CallTool tool when tool.wish() instanceof TaskWish.Terms -> created(node);
            case Call.AwaitOutcome await -> new CallResponse.ToolResult(HandshakeTasks.RELATED.without(result));
            case Call.GetTask get -> new CallResponse.TaskState(view(node));
            case Call.CancelTask cancel -> new CallResponse.TaskCancelled(view(node));
            case Call.ListTasks list -> page(node);
            default -> super.read(call, result);
        };
    }

    private static CallResponse created(JsonNode node) throws UnusableMessageException {
        if (!node.path("task").isObject()) {
            throw new UnusableMessageException("The server was asked for a task and answered without one.");
        }
        var immediate = ClientReader.optionalText(node.path(Meta.META), Meta.IMMEDIATE_RESPONSE);
        return new CallResponse.TaskCreated(
                view(node.path("task")), immediate == null ? null : MessageWriter.content(immediate));
    }

    private static CallResponse page(JsonNode node) throws UnusableMessageException {
        var views = new ArrayList<TaskView>();
        for (var task : node.path("tasks")) {
            views.add(view(task));
        }
        return new CallResponse.TaskPage(views, ClientReader.optionalText(node, "nextCursor"));
    }

    private static TaskView view(JsonNode task) throws UnusableMessageException {
        var status = ClientReader.status(task);
        return new TaskView(
                ClientReader.text(task, "taskId", "task"),
                status,
                ClientReader.times(task, "ttl"),
                Objects.requireNonNull(ClientReader.millis(task, "pollInterval", POLL)),
                Map.of(),
                status.state() == TaskView.State.CANCELLED ? new TaskView.End.Cancelled(status.message()) : null);
    }

    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        return notification.method().equals("notifications/tasks/status")
                ? Optional.of(new Notice.TaskChanged(view(ClientReader.object(notification.params(), "notification"))))
                : super.notice(notification);
    }

    @Override
    protected TaskMode mode(JsonNode tool) {
        return switch (tool.path("execution").path("taskSupport").asString("")) {
            case "required" -> TaskMode.REQUIRED;
            case "optional" -> TaskMode.OPTIONAL;
            default -> TaskMode.NEVER;
        };
    }
}
