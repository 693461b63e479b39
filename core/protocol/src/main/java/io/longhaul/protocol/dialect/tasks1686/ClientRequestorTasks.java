// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks1686;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.base.ClientHandshake;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.ClientWriter;
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

/**
 * The client's side of SEP-1686. As requestor the client chooses the id of a task, takes the response or the
 * notification of the task, whichever comes first, and cancels the task by cancelling the request. "No capability
 * declarations needed": only the behaviour of a server shows whether it has tasks. As receiver the client runs
 * questions of the server as tasks.
 */
public final class ClientRequestorTasks extends ClientHandshake {

    private static final List<String> VERBS = List.of("list", "delete");
    private static final Dialect RECEIVING = new RequestorTasksDialect(Generation.SEP_1686.revision());

    public ClientRequestorTasks() {
        super(Generation.SEP_1686, RequestorTasksDialect::traits, RequestorTasksDialect.RELATED);
    }

    @Override
    protected Hello offered(Hello said) {
        return said.offering(true, true, false);
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.GetTask get -> task("tasks/get", get.taskId());
            case Call.GetOutcome get -> task("tasks/result", get.taskId());
            case Call.DeleteTask delete -> task("tasks/delete", delete.taskId());
            case Call.ListTasks list -> out("tasks/list", ClientWriter.cursor(list.cursor()));
            default -> super.write(call, me);
        };
    }

    /** "Servers and clients that support task-augmented requests MUST declare a `tasks` capability". */
    @Override
    protected void declare(ObjectNode capabilities, Capabilities can) {
        ClientWriter.hostingTasks(capabilities, can, VERBS);
    }

    @Override
    public Optional<Dialect> receiving() {
        return Optional.of(RECEIVING);
    }

    /** "Receivers that support task augmentation MAY choose which request types support tasks": not the folders. */
    @Override
    protected Optional<TaskWish.Terms> wished(String method, Params question) {
        boolean wishes = question.members().object(Meta.META).has(RequestorTasksDialect.AUGMENTED);
        return method.equals("roots/list") || !wishes
                ? Optional.empty()
                : Optional.of(RequestorTasksDialect.wish(question));
    }

    private Outgoing task(String method, String taskId) {
        var params = JsonTree.object().put("taskId", taskId);
        params.putObject(Meta.META)
                .putObject(RequestorTasksDialect.RELATED.key())
                .put("taskId", taskId);
        return out(method, params);
    }

    /** "requestors send a request with the `modelcontextprotocol.io/task` key included in `_meta`". */
    @Override
    protected void wish(ObjectNode params, TaskWish.Terms terms) {
        if (terms.alias() == null) {
            return;
        }
        var meta = params.path(Meta.META) instanceof ObjectNode present ? present : params.putObject(Meta.META);
        var task = meta.putObject(RequestorTasksDialect.AUGMENTED)
                .put("taskId", terms.alias().id());
        if (terms.time() != null) {
            task.put("keepAlive", terms.time().toMillis());
        }
    }

    @Override
    public CallResponse read(Call call, Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "result");
        return switch (call) {
            case Call.GetTask get -> new CallResponse.TaskState(view(node));
            case Call.GetOutcome get -> new CallResponse.ToolResult(RequestorTasksDialect.RELATED.without(result));
            case Call.CallTool tool -> super.read(call, RequestorTasksDialect.RELATED.without(result));
            case Call.DeleteTask delete -> new CallResponse.TaskDeleted(delete.taskId());
            case Call.ListTasks list ->
                new CallResponse.TaskPage(tasks(node), ClientReader.optionalText(node, "nextCursor"));
            default -> super.read(call, result);
        };
    }

    private static List<TaskView> tasks(JsonNode node) throws UnusableMessageException {
        var views = new ArrayList<TaskView>();
        for (var task : node.path("tasks")) {
            views.add(view(task));
        }
        return views;
    }

    private static TaskView view(JsonNode task) throws UnusableMessageException {
        var error = ClientReader.optionalText(task, "error");
        var times = TaskView.Times.UNTOLD;
        return new TaskView(
                ClientReader.text(task, "taskId", "task"),
                new TaskView.Status(
                        ClientReader.state(task), error, null, ClientReader.resources(task.path(Meta.META)), null),
                new TaskView.Times(
                        times.createdAt(), times.updatedAt(), null, ClientReader.millis(task, "keepAlive", null)),
                Objects.requireNonNull(ClientReader.millis(task, "pollFrequency", Duration.ZERO)),
                Map.of(),
                ClientReader.end(task, error));
    }

    /** "The notification parameters are otherwise empty"; "Tasks MUST begin in the `submitted` status when created." */
    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        return notification.method().equals("notifications/tasks/created")
                ? relatedTask(notification.params())
                        .map(task -> new Notice.TaskCreated(TaskView.untold(task, State.SUBMITTED)))
                : super.notice(notification);
    }
}
