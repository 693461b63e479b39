// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks20260728;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientFeatures;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.ClientWriter;
import io.longhaul.protocol.dialect.words.Listening;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.StatelessResults;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The client's side of 2026-07-28: every request stands alone and names its client. */
public final class ClientStateless implements ClientDialect {

    private static final String VERSION = Generation.V2026_07_28.version();
    private static final String TASKS = "io.modelcontextprotocol/tasks";
    private static final String PREFIX = "io.modelcontextprotocol/";
    private static final String NOTIFICATIONS = "notifications";
    private static final Duration POLL = Duration.ofSeconds(1);

    @Override
    public Generation generation() {
        return Generation.V2026_07_28;
    }

    @Override
    public Traits traits() {
        return StatelessTasks.TRAITS;
    }

    @Override
    public Map<String, String> headers() {
        return Map.of("MCP-Protocol-Version", VERSION);
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.Discover discover -> out("server/discover", JsonTree.object(), null, me, false);
            case Call.ListTools list -> out("tools/list", ClientWriter.cursor(list.cursor()), null, me, true);
            case Call.CallTool tool ->
                out("tools/call", rounds(ClientWriter.callTool(tool), tool), tool.tool(), me, wantsTask(tool));
            case Call.GetTask get -> task("tasks/get", get.taskId(), me);
            case Call.CancelTask cancel -> task("tasks/cancel", cancel.taskId(), me);
            case Call.Listen listen -> out("subscriptions/listen", listen(listen), null, me, true);
            case Call.UpdateTask update -> out("tasks/update", update(update), update.taskId(), me, true);
            case Call.CancelRequest cancel ->
                new Outgoing("notifications/cancelled", JsonTree.write(ClientWriter.cancelRequest(cancel)), headers());
            default ->
                ClientFeatures.asked(call)
                        .map(asked -> out(asked.method(), rounds(asked.params(), call), asked.name(), me, false))
                        .orElseThrow(() -> new IllegalArgumentException(
                                VERSION + " has no " + call.getClass().getSimpleName()));
        };
    }

    private static boolean wantsTask(Call.CallTool call) {
        return !(call.wish() instanceof Call.TaskWish.None);
    }

    /** Adds to params what this revision has for calls that may be answered in rounds: answers, and the log level. */
    private static ObjectNode rounds(ObjectNode params, Call call) {
        if (!(call instanceof Call.Interactive interactive)) {
            return params;
        }
        var round = interactive.round();
        if (!round.responses().isEmpty()) {
            responses(params, round.responses());
        }
        if (round.requestState() != null) {
            params.put("requestState", round.requestState());
        }
        var level = interactive.extras().logLevel();
        if (level != null) {
            meta(params).put(Meta.LOG_LEVEL, level);
        }
        return params;
    }

    private static ObjectNode meta(ObjectNode params) {
        return params.path(Meta.META) instanceof ObjectNode present ? present : params.putObject(Meta.META);
    }

    private static ObjectNode update(Call.UpdateTask call) {
        var params = JsonTree.object().put("taskId", call.taskId());
        responses(params, call.responses());
        return params;
    }

    private static ObjectNode listen(Call.Listen call) {
        var params = JsonTree.object();
        params.set(NOTIFICATIONS, JsonTree.read(Listening.write(call.wanted())));
        return params;
    }

    private static void responses(ObjectNode params, Map<String, Json> responses) {
        var node = params.putObject("inputResponses");
        responses.forEach((key, result) -> node.set(key, JsonTree.read(result)));
    }

    private Outgoing task(String method, String id, ClientProfile me) {
        return out(method, JsonTree.object().put("taskId", id), id, me, true);
    }

    private Outgoing out(String method, ObjectNode params, @Nullable String name, ClientProfile me, boolean tasks) {
        var meta = meta(params);
        meta.put(PREFIX + "protocolVersion", VERSION);
        meta.set(PREFIX + "clientInfo", JsonTree.read(me.info()));
        var capabilities = ClientWriter.capabilities(me.capabilities(), Generation.V2026_07_28.revision());
        if (tasks || !me.extensions().isEmpty()) {
            var extensions = capabilities.putObject("extensions");
            me.extensions().stream().sorted().forEach(extensions::putObject);
            if (tasks) {
                extensions.putObject(TASKS);
            }
        }
        meta.set(PREFIX + "clientCapabilities", capabilities);
        var headers = new LinkedHashMap<>(headers());
        headers.put("Mcp-Method", method);
        if (name != null) {
            headers.put("Mcp-Name", ClientHeaders.encode(name));
        }
        return new Outgoing(method, JsonTree.write(params), headers);
    }

    @Override
    public Hello hello(Json result) throws UnusableMessageException {
        var node = complete(ClientReader.object(result, "answer to server/discover"), "server/discover");
        var versions = new ArrayList<String>();
        node.path("supportedVersions").forEach(version -> versions.add(version.asString("")));
        var tasks = node.path("capabilities").path("extensions").has(TASKS);
        return ClientReader.hello(versions, node.path("_meta").path(PREFIX + "serverInfo"), node)
                .offering(tasks, false, tasks);
    }

    @Override
    public CallResponse read(Call call, Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "result");
        if (call instanceof Call.CallTool tool) {
            return toolAnswer(tool, result, node);
        }
        if (call instanceof Call.Interactive
                && node.path("resultType").asString("").equals("input_required")) {
            return inputNeeded(node);
        }
        complete(node, call.getClass().getSimpleName());
        return switch (call) {
            case Call.ListTools list -> ClientReader.tools(node, ClientStateless::mode);
            case Call.GetTask get -> new CallResponse.TaskState(ClientTaskView.read(node));
            default ->
                ClientFeatures.answer(call, StatelessResults.bare(result)).orElseGet(CallResponse.Done::new);
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

    private static CallResponse toolAnswer(Call.CallTool call, Json result, JsonNode node)
            throws UnusableMessageException {
        return switch (node.path("resultType").asString("complete")) {
            case "complete" -> new CallResponse.ToolResult(StatelessResults.bare(result));
            case "input_required" -> inputNeeded(node);
            case "task" -> {
                if (!wantsTask(call)) {
                    throw new UnusableMessageException("The server made a task of a call that did not allow one.");
                }
                yield new CallResponse.TaskCreated(ClientTaskView.created(node), null);
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
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        var params = ClientReader.object(notification.params(), "notification");
        return switch (notification.method()) {
            case "notifications/tasks" -> Optional.of(new Notice.TaskChanged(ClientTaskView.read(params)));
            case "notifications/subscriptions/acknowledged" ->
                Optional.of(new Notice.Subscribed(Listening.honoured(params.path(NOTIFICATIONS))));
            default -> ClientReader.notice(notification);
        };
    }

    @Override
    public ToolTerms terms(Json definition) {
        return ClientHeaders.terms(JsonTree.read(definition));
    }

    @Override
    public Map<String, String> mirrored(ToolTerms.Usable terms, Json arguments) {
        return ClientHeaders.mirrored(terms.mirrored(), JsonTree.read(arguments));
    }

    static Duration defaultPoll() {
        return POLL;
    }
}
