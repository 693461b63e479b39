// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.receiver.PlainHosts.Verb;
import io.longhaul.schema.SchemaCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The tools with which a model continues a task. Models read their descriptions: each says when to call the tool, and
 * names the mistakes that models make with such tools. Immutable.
 */
final class CompanionTools {

    private static final String ACTION = "action";

    /**
     * What a model reads of each tool, by its verb, and of the one tool of all verbs, as {@code any}. A description may
     * hold the name of its tool, as {@code %s}.
     */
    private static final JsonMembers TEXTS = texts();

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

    private static JsonMembers texts() {
        try (var in = Objects.requireNonNull(CompanionTools.class.getResourceAsStream("companions.json"))) {
            return JsonReader.members(Json.raw(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Companion alone(Verb verb) {
        var text = TEXTS.object(verb.word());
        return companion(
                name(verb), text, described(verb), text.object("properties").asMap());
    }

    private Companion one() {
        var text = TEXTS.object("any");
        var description = new StringBuilder(text.text("description"));
        var properties = new LinkedHashMap<>(text.object("properties").asMap());
        for (var verb : Verb.values()) {
            description.append(' ').append(verb.word()).append(": ").append(described(verb));
            properties.putAll(TEXTS.object(verb.word()).object("properties").asMap());
        }
        return companion(hosts.single(), text, description.toString(), properties);
    }

    private String described(Verb verb) {
        return String.format(Locale.ROOT, TEXTS.object(verb.word()).text("description"), name(verb));
    }

    private static Companion companion(
            String name, JsonMembers text, String description, Map<String, Json> properties) {
        var schema =
                JsonWriter.object().member("type", "object").name("properties").beginObject();
        properties.forEach((property, value) -> schema.member(property, value));
        var inputSchema =
                schema.endObject().optional("required", text.get("required")).end();
        var definition = JsonWriter.object(1024).member("name", name).optional("title", text.text("title"));
        definition.member("description", description).member("inputSchema", inputSchema);
        definition.optional("annotations", text.get("annotations"));
        return new Companion(name, definition.end(), SchemaCheck.ofArguments(inputSchema.toString()));
    }
}
