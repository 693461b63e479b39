// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.codec;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.server.Content;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.CreateMessageRequest.Message;
import io.longhaul.server.CreateMessageResult;
import io.longhaul.server.ModelPreferences;
import io.longhaul.server.ModelTool;
import io.longhaul.server.SamplingContent;
import io.longhaul.server.SamplingContent.Item;
import io.longhaul.server.SamplingContent.ToolResultContent;
import io.longhaul.server.SamplingContent.ToolUseContent;
import io.longhaul.server.internal.schema.Values;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes and reads messages to and from the client's model, in the form of the protocol. */
public final class SamplingCodec {

    private SamplingCodec() {}

    /** Writes one item in the form of the newest generation. */
    private static void write(SamplingContent item, JsonWriter out) {
        switch (item) {
            case Item shown -> ContentCodec.write(shown.content(), out);
            case ToolUseContent use -> {
                out.beginObject().name("type").string("tool_use").name("id").string(use.id());
                out.name("name").string(use.name()).name("input").raw(Values.json(use.input()));
                out.endObject();
            }
            case ToolResultContent outcome -> {
                out.beginObject().name("type").string("tool_result");
                out.name("toolUseId").string(outcome.toolUseId()).name("content");
                ContentCodec.write(outcome.result().content(), out);
                Object structured = outcome.result().structuredContent();
                out.optional("structuredContent", structured == null ? null : Values.json(structured));
                if (outcome.result().isError()) {
                    out.name("isError").bool(true);
                }
                out.endObject();
            }
        }
    }

    /** The params of {@code sampling/createMessage}. */
    public static Json params(CreateMessageRequest question) {
        var out = new JsonWriter().beginObject().name("messages").beginArray();
        for (Message message : question.messages()) {
            out.beginObject().name("role").string(ContentCodec.word(message.role()));
            out.name("content").raw(write(message.content())).endObject();
        }
        out.endArray().optional("systemPrompt", question.systemPrompt());
        if (question.modelPreferences() != null) {
            write(question.modelPreferences(), out);
        }
        var options = question.options();
        switch (options.includeContext()) {
            case NONE -> {}
            case THIS_SERVER -> out.name("includeContext").string("thisServer");
            case ALL_SERVERS -> out.name("includeContext").string("allServers");
        }
        if (options.temperature() != null) {
            out.name("temperature").number(options.temperature());
        }
        out.name("maxTokens").number(question.maxTokens());
        if (!options.stopSequences().isEmpty()) {
            out.name("stopSequences").beginArray();
            options.stopSequences().forEach(out::string);
            out.endArray();
        }
        write(question.tools(), out);
        return out.endObject().toJson();
    }

    private static void write(CreateMessageRequest.Tools tools, JsonWriter out) {
        if (tools.offered().isEmpty()) {
            return;
        }
        out.name("tools").beginArray();
        for (ModelTool tool : tools.offered()) {
            out.beginObject().name("name").string(tool.name());
            out.name("description").string(tool.description());
            out.name("inputSchema").raw(Json.raw(tool.schema())).endObject();
        }
        out.endArray();
        if (tools.choice() != null) {
            out.name("toolChoice").beginObject().name("mode");
            out.string(ContentCodec.word(tools.choice())).endObject();
        }
    }

    private static void write(ModelPreferences models, JsonWriter out) {
        out.name("modelPreferences").beginObject();
        if (!models.hints().isEmpty()) {
            out.name("hints").beginArray();
            models.hints()
                    .forEach(hint -> out.beginObject().name("name").string(hint).endObject());
            out.endArray();
        }
        number(out, "costPriority", models.costPriority());
        number(out, "speedPriority", models.speedPriority());
        number(out, "intelligencePriority", models.intelligencePriority());
        out.endObject();
    }

    private static void number(JsonWriter out, String name, @Nullable Double value) {
        if (value != null) {
            out.name(name).number(value);
        }
    }

    /** The answer of the client's model. */
    public static CreateMessageResult result(JsonNode answer) {
        String stop = answer.path("stopReason").asString("");
        return new CreateMessageResult(
                read(answer.path("content")), answer.path("model").asString(""), stop.isEmpty() ? null : stop);
    }

    /** Reads the content of an answer: one item or several. Unknown kinds are skipped. */
    private static List<SamplingContent> read(JsonNode content) {
        var items = new ArrayList<SamplingContent>();
        for (JsonNode item : content.isArray() ? content : List.of(content)) {
            switch (item.path("type").asString("")) {
                case "text" -> items.add(SamplingContent.text(item.path("text").asString("")));
                case "image" -> items.add(new Item(Content.image(member(item, "data"), member(item, "mimeType"))));
                case "audio" -> items.add(new Item(Content.audio(member(item, "data"), member(item, "mimeType"))));
                case "tool_use" ->
                    items.add(new ToolUseContent(member(item, "id"), member(item, "name"), item.path("input")));
                default -> {}
            }
        }
        return List.copyOf(items);
    }

    private static String member(JsonNode item, String name) {
        return item.path(name).asString("");
    }

    /** Writes the content of a message; a single item without an array, which every generation can read. */
    private static Json write(List<SamplingContent> content) {
        var out = new JsonWriter();
        if (content.size() == 1) {
            write(content.getFirst(), out);
        } else {
            out.beginArray();
            content.forEach(item -> write(item, out));
            out.endArray();
        }
        return out.toJson();
    }
}
