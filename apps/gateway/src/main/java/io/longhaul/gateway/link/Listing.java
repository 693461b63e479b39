// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.client.ListedPrompt;
import io.longhaul.client.ListedResource;
import io.longhaul.client.ListedTemplate;
import io.longhaul.client.McpClient;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.receiver.PlainHosts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * What an upstream lists, by the upstream's own names. Immutable.
 *
 * @param tools       by their names
 * @param resources   by their URIs
 * @param templates   by their URI templates
 * @param prompts     by their names
 * @param completions whether the upstream completes arguments
 * @param asksFirst   whether the upstream may ask in a round of a call, before the call has a task
 */
public record Listing(
        SequencedMap<String, ListedTool> tools,
        SequencedMap<String, Json> resources,
        SequencedMap<String, Json> templates,
        SequencedMap<String, Json> prompts,
        boolean completions,
        boolean asksFirst) {

    /** What an upstream lists that is gone. */
    public static final Listing NONE = new Listing(
            new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(), false, false);

    /**
     * A tool.
     *
     * @param mode whether the tool may be called as a task at the upstream
     */
    public record ListedTool(TaskMode mode, Json definition) {}

    /** Asks an upstream for all its lists. */
    public static Listing of(McpClient client) {
        var can = JsonTree.read(client.server().capabilities());
        var tools = new LinkedHashMap<String, ListedTool>();
        if (can.has("tools")) {
            client.tools().stream()
                    .filter(tool -> !isCompanion(can, tool.name()))
                    .forEach(tool -> tools.putIfAbsent(
                            tool.name(), new ListedTool(tool.taskMode(), VisibleText.in(tool.definition()))));
        }
        boolean hasResources = can.has("resources");
        return new Listing(
                tools,
                by(
                        hasResources ? client.resources().list() : List.of(),
                        ListedResource::uri,
                        ListedResource::definition),
                by(
                        hasResources ? client.resources().templates() : List.of(),
                        ListedTemplate::uriTemplate,
                        ListedTemplate::definition),
                by(
                        can.has("prompts") ? client.prompts().list() : List.of(),
                        ListedPrompt::name,
                        ListedPrompt::definition),
                can.has("completions"),
                can.path("extensions").has(Meta.TASKS_EXTENSION));
    }

    /** Whether a tool is a companion tool of a Longhaul server, in place of which the gateway has its own. */
    private static boolean isCompanion(JsonNode capabilities, String tool) {
        return capabilities.path("experimental").has(Meta.CREATION_KEY)
                && PlainHosts.DEFAULT.companionNames().contains(tool);
    }

    private static <T> SequencedMap<String, Json> by(
            List<T> all, Function<T, String> name, Function<T, Json> definition) {
        var map = new LinkedHashMap<String, Json>();
        all.forEach(each -> map.putIfAbsent(name.apply(each), VisibleText.in(definition.apply(each))));
        return map;
    }

    /** This list with other tools. */
    Listing with(SequencedMap<String, ListedTool> others) {
        return new Listing(others, resources, templates, prompts, completions, asksFirst);
    }

    /** The stored form, from which a gateway knows the tools of an upstream that is away at the start. */
    public Json toJson() {
        var json = JsonTree.object().put("completions", completions).put("asksFirst", asksFirst);
        var listed = json.putObject("tools");
        tools.forEach((name, tool) -> listed.putObject(name)
                .put("mode", tool.mode().name())
                .set("definition", JsonTree.read(tool.definition())));
        Map.of("resources", resources, "templates", templates, "prompts", prompts)
                .forEach((kind, all) -> {
                    var definitions = json.putObject(kind);
                    all.forEach((name, definition) -> definitions.set(name, JsonTree.read(definition)));
                });
        return JsonTree.write(json);
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws IllegalArgumentException where the text is no listing
     */
    public static Listing parse(Json text) {
        var json = JsonTree.read(text);
        var tools = new LinkedHashMap<String, ListedTool>();
        json.path("tools")
                .properties()
                .forEach(tool -> tools.put(
                        tool.getKey(),
                        new ListedTool(
                                TaskMode.valueOf(tool.getValue().path("mode").asString("")),
                                JsonTree.write(tool.getValue().path("definition")))));
        return new Listing(
                tools,
                definitions(json.path("resources")),
                definitions(json.path("templates")),
                definitions(json.path("prompts")),
                json.path("completions").asBoolean(false),
                json.path("asksFirst").asBoolean(false));
    }

    private static SequencedMap<String, Json> definitions(JsonNode all) {
        var map = new LinkedHashMap<String, Json>();
        all.properties().forEach(each -> map.put(each.getKey(), JsonTree.write(each.getValue())));
        return map;
    }
}
