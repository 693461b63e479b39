// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.inspect;

import io.longhaul.cli.answer.FieldValue;
import io.longhaul.cli.call.ResultPrinter;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.FilledPrompt;
import io.longhaul.client.ListedPrompt;
import io.longhaul.client.ListedResource;
import io.longhaul.client.ListedTemplate;
import io.longhaul.client.McpClient;
import io.longhaul.client.ResourcePart;
import io.longhaul.client.ServerInfo;
import io.longhaul.client.ToolInfo;
import io.longhaul.file.text.EnumWords;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.json.Json;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The tools, resources and prompts of a server, in words and as JSON. */
final class ServerText {

    private ServerText() {}

    static boolean declares(McpClient client, String capability) {
        return JsonText.tree(client.server().capabilities()).has(capability);
    }

    static <T> ObjectNode json(String what, List<T> listed, Function<T, Json> definition) {
        var node = JsonText.object();
        var array = node.putArray(what);
        listed.forEach(each -> array.add(JsonText.tree(definition.apply(each))));
        return node;
    }

    /** @param decidesByCall whether the server decides for each call whether it is a task, and says so of no tool */
    static List<String> tools(List<ToolInfo> tools, boolean decidesByCall) {
        var untold = decidesByCall ? EnumSet.of(TaskMode.NEVER, TaskMode.OPTIONAL) : EnumSet.of(TaskMode.NEVER);
        var lines = new ArrayList<String>();
        for (var tool : tools) {
            var mode = untold.contains(tool.taskMode()) ? null : "task: " + EnumWords.of(tool.taskMode());
            var input = JsonText.tree(tool.inputSchema());
            head(lines, tool.name(), mode);
            text(lines, tool.description());
            fields(lines, "takes", input);
            fields(lines, "gives", JsonText.tree(tool.definition()).path("outputSchema"));
            lines.add("  " + SafeText.line("longhaul call " + tool.name() + needs(input)));
        }
        return lines;
    }

    /** What a call must give, as a person would type it. */
    private static String needs(JsonNode input) {
        return input.path("properties").properties().stream()
                .filter(field -> FieldValue.isRequired(input, field.getKey()))
                .map(field -> " " + field.getKey() + "=...")
                .collect(Collectors.joining());
    }

    private static void fields(List<String> lines, String verb, JsonNode schema) {
        for (var field : schema.path("properties").properties()) {
            field(
                    lines,
                    verb + " " + field.getKey(),
                    joined(
                            type(field.getValue()),
                            FieldValue.isRequired(schema, field.getKey()) ? "required" : null,
                            byDefault(field.getValue().get("default"))),
                    field.getValue().path("description").asString(null));
        }
    }

    private static @Nullable String byDefault(@Nullable JsonNode value) {
        return value == null ? null : "by default " + value.asString(value.toString());
    }

    /** The type of a field in words, or the values that it can have. */
    private static @Nullable String type(JsonNode schema) {
        if (schema.has("enum")) {
            return schema.get("enum").valueStream().map(JsonNode::asString).collect(Collectors.joining("|"));
        }
        var type = schema.path("type");
        return type.isArray()
                ? type.valueStream().map(each -> type(each.asString(), schema)).collect(Collectors.joining("|"))
                : type.isString() ? type(type.stringValue(), schema) : null;
    }

    private static String type(String name, JsonNode schema) {
        return switch (name) {
            case "string" -> "text";
            case "integer" -> "whole number";
            case "boolean" -> "true|false";
            case "array" -> {
                var items = type(schema.path("items"));
                yield items == null ? "list" : "list of " + items;
            }
            case "object" -> "JSON object";
            case "null" -> "nothing";
            default -> name;
        };
    }

    static List<String> resources(List<ListedResource> resources, List<ListedTemplate> templates) {
        var lines = new ArrayList<String>();
        for (var resource : resources) {
            var size = resource.size() == null ? null : resource.size() + " bytes";
            head(lines, resource.uri(), joined(resource.mimeType(), size));
            text(lines, joined(resource.title(), resource.description()));
        }
        for (var template : templates) {
            head(lines, template.uriTemplate(), joined("template", template.mimeType()));
            text(lines, joined(template.title(), template.description()));
        }
        return lines;
    }

    static List<String> prompts(List<ListedPrompt> prompts) {
        var lines = new ArrayList<String>();
        for (var prompt : prompts) {
            head(lines, prompt.name(), prompt.title());
            text(lines, prompt.description());
            for (var argument : prompt.arguments()) {
                field(
                        lines,
                        "takes " + argument.name(),
                        argument.required() ? "required" : null,
                        argument.description());
            }
        }
        return lines;
    }

    private static void head(List<String> lines, String name, @Nullable String more) {
        lines.add(SafeText.line(more == null || more.isEmpty() ? name : name + "  (" + more + ")"));
    }

    private static void text(List<String> lines, @Nullable String text) {
        if (text != null && !text.isBlank()) {
            lines.add("  " + SafeText.quote(text));
        }
    }

    private static void field(List<String> lines, String name, @Nullable String type, @Nullable String description) {
        lines.add("  " + SafeText.line("%-20s  %s".formatted(name, joined(type, description))));
    }

    private static String joined(@Nullable String... parts) {
        return Stream.of(parts).filter(part -> part != null && !part.isBlank()).collect(Collectors.joining(", "));
    }

    static List<String> parts(List<ResourcePart> parts) {
        return parts.stream()
                .map(part -> switch (part) {
                    case ResourcePart.Text text -> text.text().stripTrailing();
                    case ResourcePart.Bytes bytes ->
                        SafeText.line("[" + joined(bytes.mimeType(), bytes.bytes().length + " bytes")
                                + "; in a pipe or with --output json they are all there]");
                })
                .toList();
    }

    static JsonNode json(List<ResourcePart> parts) {
        var node = JsonText.object();
        var contents = node.putArray("contents");
        for (var part : parts) {
            var content = contents.addObject().put("uri", part.uri());
            JsonText.add(content, "mimeType", part.mimeType());
            switch (part) {
                case ResourcePart.Text text -> content.put("text", text.text());
                case ResourcePart.Bytes bytes -> content.put("blob", bytes.base64());
            }
        }
        return node;
    }

    static List<String> filled(FilledPrompt prompt) {
        return prompt.messages().stream()
                .map(message -> SafeText.line(message.role()) + ": "
                        + SafeText.quote(ResultPrinter.shown(JsonText.tree(message.content()))))
                .toList();
    }

    static JsonNode json(FilledPrompt prompt) {
        var node = JsonText.object();
        JsonText.add(node, "description", prompt.description());
        var messages = node.putArray("messages");
        for (var message : prompt.messages()) {
            messages.addObject().put("role", message.role()).set("content", JsonText.tree(message.content()));
        }
        return node;
    }

    static List<String> info(ServerInfo server) {
        var lines = new ArrayList<String>();
        lines.add("name          " + SafeText.line(server.name() + " " + server.version()));
        lines.add("protocol      " + server.generation());
        lines.add("tasks         " + (server.hasTasks() ? "yes" : "no"));
        lines.add("capabilities  "
                + SafeText.line(
                        String.join(", ", JsonText.tree(server.capabilities()).propertyNames())));
        if (server.instructions() != null) {
            lines.add("instructions  " + SafeText.quote(server.instructions()));
        }
        return lines;
    }

    static JsonNode json(ServerInfo server) {
        var node = JsonText.object()
                .put("name", server.name())
                .put("version", server.version())
                .put("protocol", server.generation().label())
                .put("tasks", server.hasTasks());
        node.set("capabilities", JsonText.tree(server.capabilities()));
        JsonText.add(node, "instructions", server.instructions());
        return node;
    }
}
