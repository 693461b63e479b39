// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.server.SamplingContent.Item;
import io.longhaul.server.SamplingContent.ToolResultContent;
import io.longhaul.server.SamplingContent.ToolUseContent;
import io.longhaul.server.internal.schema.Values;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Writes and reads messages to and from the client's model, in the form of the protocol. */
final class SamplingForm {

    private SamplingForm() {}

    /** Writes one item in the form of the newest generation. */
    static void write(SamplingContent item, JsonWriter out) {
        switch (item) {
            case Item shown -> ContentForm.write(shown.content(), out);
            case ToolUseContent use -> {
                out.beginObject().name("type").string("tool_use").name("id").string(use.id());
                out.name("name").string(use.name()).name("input").raw(Values.json(use.input()));
                out.endObject();
            }
            case ToolResultContent outcome -> {
                out.beginObject().name("type").string("tool_result");
                out.name("toolUseId").string(outcome.toolUseId()).name("content");
                ContentForm.write(outcome.result().content(), out);
                Object structured = outcome.result().structuredContent();
                out.optional("structuredContent", structured == null ? null : Values.json(structured));
                if (outcome.result().isError()) {
                    out.name("isError").bool(true);
                }
                out.endObject();
            }
        }
    }

    /** Reads the content of an answer: one item or several. Unknown kinds are skipped. */
    static List<SamplingContent> read(JsonNode content) {
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
    static Json write(List<SamplingContent> content) {
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
