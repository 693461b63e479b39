// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.receiver.PlainHosts.Verb;
import io.longhaul.schema.SchemaCheck;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tools with which a model continues a task. Models read their descriptions: each says when to call the tool, and
 * names the mistakes that models make with such tools. Immutable.
 */
final class CompanionTools {

    private static final String TASK =
            "\"task\":{\"type\":\"string\",\"description\":\"The id of the task, from the answer that named it.\"}";
    private static final String ACTION = "action";

    /**
     * The part of a tool's definition that a model reads.
     *
     * @param properties of its arguments, as JSON without braces
     * @param required   of these, a JSON array
     */
    private record Text(String title, String description, String annotations, String properties, String required) {

        static Text of(Verb verb) {
            return switch (verb) {
                case WAIT -> CompanionTools.WAIT;
                case ANSWER -> CompanionTools.ANSWER;
                case CANCEL -> CompanionTools.CANCEL;
                case LIST -> CompanionTools.LIST;
            };
        }
    }

    private static final Text WAIT = new Text(
            "Wait for a task",
            "Waits for a tool call that was still running when it was answered, and returns the result of that call"
                    + " itself. If the work takes longer than this call can wait, the answer says how far the work"
                    + " is: then call %s again at once. Every call waits by itself, so do not pause or poll in"
                    + " between, and do not make the original tool call again.",
            "{\"readOnlyHint\":true,\"idempotentHint\":true,\"openWorldHint\":false}",
            TASK
                    + ",\"seconds\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"Wait no longer than this."
                    + " Leave it out to wait as long as possible, which is nearly always right.\"}",
            "[\"task\"]");

    private static final Text ANSWER = new Text(
            "Answer a question of a task",
            "Passes the user's answer to the question that a running task asks. Ask the user first: never make up"
                    + " an answer.",
            "{\"readOnlyHint\":false,\"destructiveHint\":false,\"idempotentHint\":true,\"openWorldHint\":false}",
            TASK
                    + ",\"content\":{\"type\":\"object\",\"description\":\"The fields of the question, as the user"
                    + " filled them in.\"},\"reply\":{\"type\":\"string\",\"enum\":[\"accept\",\"decline\","
                    + "\"cancel\"],\"description\":\"decline where the user refuses to answer, cancel where the"
                    + " user dismisses the question. accept if left out, where the question has fields.\"},"
                    + "\"question\":{\"type\":\"string\","
                    + "\"description\":\"The name of the question, where the task asks more than one.\"}",
            "[\"task\"]");

    private static final Text CANCEL = new Text(
            "Cancel a task",
            "Stops a running task for good. Use this only when the user does not want the result any more.",
            "{\"readOnlyHint\":false,\"destructiveHint\":true,\"idempotentHint\":true,\"openWorldHint\":false}",
            TASK,
            "[\"task\"]");

    private static final Text LIST = new Text(
            "List tasks",
            "Lists the user's tasks that are running, and those that have ended and whose result was never"
                    + " received. Use this when you need the id of a task, also of one from an earlier"
                    + " conversation.",
            "{\"readOnlyHint\":true,\"idempotentHint\":true,\"openWorldHint\":false}",
            "",
            "[]");

    private record Companion(String name, Json definition, SchemaCheck arguments) {}

    private final PlainHosts hosts;
    private final Map<String, Companion> all = new LinkedHashMap<>();

    CompanionTools(PlainHosts hosts) {
        this.hosts = hosts;
        var made = hosts.companions() == Companions.ONE
                ? Stream.of(one())
                : Arrays.stream(Verb.values()).map(this::alone);
        made.forEach(tool -> all.put(tool.name(), tool));
    }

    /** The listed tools, without those whose name the server uses for a tool of its own. */
    List<ToolInfo> listed(Predicate<String> isTaken) {
        return all.values().stream()
                .filter(tool -> !isTaken.test(tool.name()))
                .map(tool -> new ToolInfo(tool.definition(), TaskMode.NEVER))
                .toList();
    }

    boolean has(String name) {
        return all.containsKey(name);
    }

    /** The error in the arguments of a call, in words for a model. */
    Optional<String> problem(CallTool call) {
        return Objects.requireNonNull(all.get(call.tool())).arguments().problem(call.arguments());
    }

    /** The verb of a call of one of these tools, whose arguments are valid. */
    Verb verb(CallTool call) {
        if (hosts.companions() == Companions.ONE) {
            Json action = JsonReader.members(call.arguments()).get(ACTION);
            return Verb.valueOf(JsonReader.text(action).toUpperCase(Locale.ROOT));
        }
        return Verb.valueOf(call.tool().substring(hosts.prefix().length()).toUpperCase(Locale.ROOT));
    }

    /** The instruction to a model to call a tool: {@code task_wait with {"task":"…"}}. */
    String how(Verb verb, String task) {
        var arguments = JsonWriter.object();
        if (hosts.companions() == Companions.ONE) {
            arguments.member(ACTION, verb.word());
        }
        if (verb != Verb.LIST) {
            arguments.member("task", task);
        }
        return name(verb) + " with " + arguments.end();
    }

    String name(Verb verb) {
        return hosts.companionName(verb);
    }

    private Companion alone(Verb verb) {
        var text = Text.of(verb);
        return companion(
                name(verb),
                text.title,
                described(verb),
                Json.raw(text.annotations),
                schema("{" + text.properties + "}", text.required));
    }

    private Companion one() {
        String actions = Stream.of(Verb.values())
                .map(verb -> verb.word() + ": " + described(verb))
                .collect(Collectors.joining(" "));
        String words =
                Stream.of(Verb.values()).map(verb -> "\"" + verb.word() + "\"").collect(Collectors.joining(","));
        // ANSWER has all properties of CANCEL. WAIT and ANSWER both begin with the property of the task.
        String properties =
                "{\"" + ACTION + "\":{\"type\":\"string\",\"enum\":[" + words + "]}," + Text.of(Verb.WAIT).properties
                        + "," + Text.of(Verb.ANSWER).properties.substring(TASK.length() + 1) + "}";
        return companion(
                hosts.single(),
                "Go on with a task",
                "Goes on with a tool call that was still running when it was answered. " + actions,
                Json.raw("{\"readOnlyHint\":false,\"destructiveHint\":true,\"idempotentHint\":true,"
                        + "\"openWorldHint\":false}"),
                schema(properties, "[\"" + ACTION + "\"]"));
    }

    private String described(Verb verb) {
        return String.format(Locale.ROOT, Text.of(verb).description, name(verb));
    }

    private static Json schema(String properties, String required) {
        return Json.raw("{\"type\":\"object\",\"properties\":" + properties + ",\"required\":" + required + "}");
    }

    private static Companion companion(
            String name, String title, String description, Json annotations, Json inputSchema) {
        var definition = JsonWriter.object(1024);
        definition.member("name", name).member("title", title);
        definition.member("description", description).member("inputSchema", inputSchema);
        definition.member("annotations", annotations);
        return new Companion(name, definition.end(), SchemaCheck.ofArguments(inputSchema.toString()));
    }
}
