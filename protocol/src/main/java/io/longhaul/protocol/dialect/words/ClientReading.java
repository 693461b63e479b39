package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Answer.TaskMode;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How a client reads what all generations spell alike. Everything here comes from a server that is not trusted. */
public final class ClientReading {

    private ClientReading() {}

    /** An object, or the complaint that {@code what} is none. */
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

    public static Answer.Tools tools(JsonNode result, Function<JsonNode, TaskMode> mode) {
        var tools = new ArrayList<Answer.ToolInfo>();
        for (var tool : result.path("tools")) {
            if (tool.path("name").isString()) {
                tools.add(new Answer.ToolInfo(JsonTree.write(tool), mode.apply(tool)));
            }
        }
        return new Answer.Tools(tools, optionalText(result, "nextCursor"));
    }

    public static State state(JsonNode task) throws UnusableMessageException {
        var status = text(task, "status", "task");
        return switch (status) {
            case "working", "input_required", "completed", "failed", "cancelled" ->
                State.valueOf(status.toUpperCase(Locale.ROOT));
            default -> throw new UnusableMessageException("The server's task has an unknown status.");
        };
    }

    public static Instant instant(JsonNode task, String field) throws UnusableMessageException {
        try {
            return java.time.OffsetDateTime.parse(text(task, field, "task")).toInstant();
        } catch (DateTimeParseException e) {
            throw new UnusableMessageException("The server's task has a " + field + " that is no time.");
        }
    }

    /** A duration in milliseconds; {@code fallback} where it is absent or senseless. */
    public static @Nullable Duration millis(JsonNode object, String field, @Nullable Duration fallback) {
        var value = object.path(field);
        return value.isNumber() && value.asDouble(-1) >= 0
                ? Duration.ofMillis((long) Math.min(value.asDouble(), Long.MAX_VALUE / 2000.0))
                : fallback;
    }

    public static Map<String, Answer.Question> questions(JsonNode requests) throws UnusableMessageException {
        var questions = new LinkedHashMap<String, Answer.Question>();
        for (var entry : requests.properties()) {
            var params = entry.getValue().path("params");
            var method = text(entry.getValue(), "method", "question");
            questions.put(
                    entry.getKey(),
                    new Answer.Question(method, params.isObject() ? JsonTree.write(params) : Json.EMPTY_OBJECT));
        }
        return questions;
    }

    public static RpcError error(JsonNode error) throws UnusableMessageException {
        if (!error.path("code").isIntegralNumber()) {
            throw new UnusableMessageException("The server's error has no code.");
        }
        var message = optionalText(error, "message");
        var data = error.path("data");
        return new RpcError(
                error.path("code").asInt(0),
                message == null ? "no reason given" : message,
                data.isMissingNode() ? null : JsonTree.write(data));
    }

    /** Progress in the shape of {@code notifications/progress}; null where there is none. */
    public static @Nullable ProgressView progress(JsonNode progress) {
        if (!progress.path("progress").isNumber()) {
            return null;
        }
        var total = progress.path("total");
        return new ProgressView(
                progress.path("progress").asDouble(),
                total.isNumber() ? Double.valueOf(total.asDouble()) : null,
                optionalText(progress, "message"));
    }

    public static Notice.@Nullable Progress progressNotice(JsonNode params, @Nullable String task) {
        var progress = progress(params);
        return progress == null
                ? null
                : new Notice.Progress(JsonTree.write(params.path("progressToken")), progress, task);
    }

    public static Notice.Log log(JsonNode params, @Nullable String task) {
        var level = optionalText(params, "level");
        return new Notice.Log(
                level == null ? "info" : level,
                optionalText(params, "logger"),
                JsonTree.write(params.path("data")),
                task);
    }

    /** Whether a tool says that it can be repeated without harm. */
    public static boolean repeats(JsonNode tool) {
        var hints = tool.path("annotations");
        return hints.path("idempotentHint").asBoolean(false)
                || hints.path("readOnlyHint").asBoolean(false);
    }

    /** Whether a server honours our key on creations, by either place where capabilities name such things. */
    public static boolean honoursCreationKeys(JsonNode capabilities) {
        return capabilities.path("extensions").has(Meta.CREATION_KEY)
                || capabilities.path("experimental").has(Meta.CREATION_KEY);
    }

    /** Our progress on tasks of generations that have none. */
    public static final String PROGRESS = "io.longhaul/progress";
}
