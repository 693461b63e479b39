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

/** Messages to and from the client's model, as the protocol has them. */
final class SamplingForm {

    private SamplingForm() {}

    /** As the newest generation spells it. */
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

    /** What a model gave: one item or several. Unknown kinds are passed over. */
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

    /** A message's content: as a single item where it is one, which every generation can read. */
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
