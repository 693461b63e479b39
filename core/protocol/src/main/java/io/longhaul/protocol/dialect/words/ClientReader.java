// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import io.longhaul.protocol.dialect.ClientDialect.TaskOffer;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads a server's messages that all generations spell alike. The server is not trusted. */
public final class ClientReader {

    private static final String CONTENT = "content";

    private ClientReader() {}

    /** An object; throws where {@code what} is not an object. */
    public static JsonNode object(Json json, String what) throws UnusableMessageException {
        var node = JsonTree.read(json);
        if (!node.isObject()) {
            throw new UnusableMessageException("The server's " + what + " is no JSON object.");
        }
        return node;
    }

    public static String text(JsonNode object, String field, String what) throws UnusableMessageException {
        var value = optionalText(object, field);
        if (value == null) {
            throw new UnusableMessageException("The server's " + what + " has no " + field + ".");
        }
        return value;
    }

    public static @Nullable String optionalText(JsonNode object, String field) {
        var value = object.path(field);
        return value.isString() ? value.stringValue() : null;
    }

    /** The description of a server in {@code answer}; {@code info} has its name. Its tasks are not known yet. */
    public static Hello hello(List<String> versions, JsonNode info, JsonNode answer) {
        var capabilities = answer.path("capabilities");
        return new Hello(
                versions,
                info.path("name").asString(""),
                info.path("version").asString(""),
                capabilities.isObject() ? JsonTree.write(capabilities) : Json.EMPTY_OBJECT,
                optionalText(answer, "instructions"),
                new TaskOffer(
                        false,
                        false,
                        false,
                        announces(capabilities, Meta.CREATION_KEY),
                        announces(capabilities, Meta.TASK_CONTROL)));
    }

    /** Reads one entry of a list. */
    public interface Entry<T> {
        T read(JsonNode entry) throws UnusableMessageException;
    }

    /** All entries of a list. */
    public static <T> List<T> each(JsonNode list, Entry<T> how) throws UnusableMessageException {
        var all = new ArrayList<T>();
        for (var entry : list) {
            all.add(how.read(entry));
        }
        return all;
    }

    /** A page of the tasks of a server. */
    public static CallResponse page(JsonNode result, Entry<TaskView> how) throws UnusableMessageException {
        return new CallResponse.TaskPage(each(result.path("tasks"), how), optionalText(result, "nextCursor"));
    }

    public static CallResponse.Tools tools(JsonNode result, Function<JsonNode, TaskMode> mode) {
        var tools = new ArrayList<CallResponse.ToolInfo>();
        for (var tool : result.path("tools")) {
            if (tool.path("name").isString()) {
                tools.add(new CallResponse.ToolInfo(JsonTree.write(tool), mode.apply(tool)));
            }
        }
        return new CallResponse.Tools(tools, optionalText(result, "nextCursor"), freshness(result));
    }

    /** "If `ttlMs` is absent, clients SHOULD assume a default of `0`"; so they SHOULD where it is negative. */
    static Freshness freshness(JsonNode result) {
        var time = Objects.requireNonNull(millis(result, "ttlMs", Duration.ZERO));
        return new Freshness(time, result.path("cacheScope").asString("").equals("public"));
    }

    /** The status of a task of the revisions that have tasks. */
    public static TaskView.Status status(JsonNode task) throws UnusableMessageException {
        return new TaskView.Status(
                StateWords.OF_REVISIONS.state(task),
                optionalText(task, "statusMessage"),
                progress(task.path(Meta.META).path(Meta.PROGRESS)),
                resources(task.path(Meta.META)),
                optionalText(task.path(Meta.META), Meta.PARENT));
    }

    /** Where a task of a server of Longhaul has its output and its log, by the {@code _meta} of what it said. */
    public static ResourceUris resources(JsonNode meta) {
        return new ResourceUris(optionalText(meta, Meta.OUTPUT), optionalText(meta, Meta.LOG));
    }

    /**
     * How a task ended in the drafts whose tasks have an {@code error}; null while it has not, and where another
     * request fetches its result. "The `unknown` status is a terminal fallback state for unexpected error conditions."
     */
    public static @Nullable End end(JsonNode task, @Nullable String error) {
        return switch (task.path("status").asString("")) {
            case "cancelled", "canceled" -> new End.Cancelled(error);
            case "failed" -> new End.Broken(error == null ? "The task failed." : error);
            case "unknown" -> new End.Broken(error == null ? "The server does not know what became of it." : error);
            default -> null;
        };
    }

    /** The times of a task of the revisions that have tasks; {@code ttl} is the key of its retention. */
    public static TaskView.Times times(JsonNode task, String ttl) {
        return new TaskView.Times(instant(task, "createdAt"), instant(task, "lastUpdatedAt"), millis(task, ttl, null));
    }

    /** A time of a task; unknown where the field is absent or malformed, since that is no reason to lose the task. */
    private static Instant instant(JsonNode task, String field) {
        try {
            return OffsetDateTime.parse(task.path(field).asString("")).toInstant();
        } catch (DateTimeParseException e) {
            return TaskView.Times.UNTOLD.createdAt();
        }
    }

    /** A duration in milliseconds; {@code fallback} where the field is absent or malformed. */
    public static @Nullable Duration millis(JsonNode object, String field, @Nullable Duration fallback) {
        var value = object.path(field);
        return value.isNumber() && value.asDouble(-1) >= 0
                ? Duration.ofMillis((long) Math.min(value.asDouble(-1), Long.MAX_VALUE / 2000.0))
                : fallback;
    }

    public static Map<String, CallResponse.Question> questions(JsonNode requests) throws UnusableMessageException {
        var questions = new LinkedHashMap<String, CallResponse.Question>();
        for (var entry : requests.properties()) {
            var params = entry.getValue().path("params");
            var method = text(entry.getValue(), "method", "question");
            questions.put(
                    entry.getKey(),
                    new CallResponse.Question(method, params.isObject() ? JsonTree.write(params) : Json.EMPTY_OBJECT));
        }
        return questions;
    }

    /** An error of the server. A value that is not an error object, such as a plain string, becomes the message. */
    public static RpcError error(JsonNode error) {
        return JsonRpcCodec.anyError(error.isMissingNode() ? Json.EMPTY_OBJECT : JsonTree.write(error));
    }

    /** The result of a tool as it came, which is large in many cases: it is not read as a tree. */
    public static CallResponse toolResult(Json result) throws UnusableMessageException {
        if (result.kind() != Json.Kind.OBJECT) {
            throw new UnusableMessageException("The server's result is no JSON object.");
        }
        return new CallResponse.ToolResult(result);
    }

    /** The end of a task by the result of its tool. */
    public static End end(Json result) {
        var isError = JsonReader.member(result, "isError");
        return new End.Result(result, isError != null && JsonTree.read(isError).asBoolean(false));
    }

    /** A result of a tool with an array as content; a plain string in its place becomes a text. */
    public static Json result(Json result) {
        var content = JsonReader.member(result, CONTENT);
        if (content == null || content.kind() == Json.Kind.ARRAY) {
            return result;
        }
        var node = (ObjectNode) JsonTree.read(result);
        node.set(CONTENT, content(node.path(CONTENT)));
        return JsonTree.write(node);
    }

    /** Content as an array: a string is one text, and an object one item. */
    public static ArrayNode content(JsonNode content) {
        var items = JsonTree.array();
        switch (content.getNodeType()) {
            case ARRAY -> items.addAll((ArrayNode) content);
            case STRING -> items.addObject().put("type", "text").put("text", content.stringValue());
            case OBJECT -> items.add(content);
            default -> {
                // Other values cannot be shown.
            }
        }
        return items;
    }

    /** Progress in the shape of {@code notifications/progress}; null where there is none. */
    public static @Nullable ProgressView progress(JsonNode progress) {
        if (!progress.path("progress").isNumber()) {
            return null;
        }
        var total = progress.path("total");
        return new ProgressView(
                progress.path("progress").asDouble(0),
                total.isNumber() ? Double.valueOf(total.asDouble(0)) : null,
                optionalText(progress, "message"));
    }

    /**
     * Reads the notifications that all generations have.
     *
     * @param task that the notification names, or null
     */
    public static Optional<Notice> notice(JsonRpcMessage.Notification notification, @Nullable String task)
            throws UnusableMessageException {
        var params = object(notification.params(), "notification");
        return Optional.ofNullable(
                switch (notification.method()) {
                    case "notifications/progress" -> progress(params, task, resources(params.path(Meta.META)));
                    case "notifications/message" -> log(params, task);
                    case "notifications/tools/list_changed" -> new Notice.ToolsChanged();
                    case "notifications/prompts/list_changed" -> new Notice.PromptsChanged();
                    case "notifications/resources/list_changed" -> new Notice.ResourcesChanged();
                    case "notifications/resources/updated" ->
                        new Notice.ResourceUpdated(text(params, "uri", "notification"));
                    case "notifications/elicitation/complete" ->
                        new Notice.ElicitationCompleted(text(params, "elicitationId", "notification"));
                    default -> null;
                });
    }

    /** A notification of progress; null where it tells of none. */
    public static @Nullable Notice progress(JsonNode params, @Nullable String task, ResourceUris resources) {
        var progress = progress(params);
        return progress == null
                ? null
                : new Notice.Progress(JsonTree.write(params.path("progressToken")), progress, task, resources);
    }

    private static Notice log(JsonNode params, @Nullable String task) {
        var level = optionalText(params, "level");
        return new Notice.Log(
                level == null ? "info" : level,
                optionalText(params, "logger"),
                JsonTree.write(params.path("data")),
                task);
    }

    /** Whether a tool declares that its calls can be repeated without harm. */
    public static boolean repeats(JsonNode tool) {
        var hints = tool.path("annotations");
        return hints.path("idempotentHint").asBoolean(false)
                || hints.path("readOnlyHint").asBoolean(false);
    }

    /** Whether a server announces an extension, in either of the two places of its capabilities. */
    private static boolean announces(JsonNode capabilities, String extension) {
        return capabilities.path("extensions").has(extension)
                || capabilities.path("experimental").has(extension);
    }
}
