package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** One item of a message to or from the client's model. Immutable. */
public sealed interface SamplingContent {

    /**
     * What is said or shown.
     *
     * @param content a text, a picture or sound
     */
    record Item(Content content) implements SamplingContent {
        public Item {
            if (content instanceof Content.Link || content instanceof Content.Embedded) {
                throw new IllegalArgumentException("a model is shown texts, pictures and sound: put the resource's"
                        + " text into a text instead of " + content);
            }
        }
    }

    /**
     * The model wants a tool of the question to be used (2025-11-25 and later).
     *
     * @param id    names this use
     * @param name  of the tool
     * @param input its arguments, an object
     */
    record ToolUse(String id, String name, JsonNode input) implements SamplingContent {}

    /**
     * What came of using a tool.
     *
     * @param toolUseId of the use
     * @param result    what the tool gave
     */
    record ToolOutcome(String toolUseId, ToolResult result) implements SamplingContent {}

    /** What is said. */
    static SamplingContent text(String text) {
        return new Item(Content.text(text));
    }

    /** As the newest generation spells it. */
    static void write(SamplingContent item, JsonWriter out) {
        switch (item) {
            case Item shown -> ContentForm.write(shown.content(), out);
            case ToolUse use -> {
                out.beginObject().name("type").string("tool_use").name("id").string(use.id());
                out.name("name").string(use.name()).name("input").raw(Values.json(use.input()));
                out.endObject();
            }
            case ToolOutcome outcome -> {
                out.beginObject().name("type").string("tool_result");
                out.name("toolUseId").string(outcome.toolUseId()).name("content");
                ContentForm.write(outcome.result().content(), out);
                Object structured = outcome.result().structured();
                out.optional("structuredContent", structured == null ? null : Values.json(structured));
                if (outcome.result().isError()) {
                    out.name("isError").bool(true);
                }
                out.endObject();
            }
        }
    }

    /** What a model gave: one item or several. Kinds that nobody has published yet are passed over. */
    static List<SamplingContent> read(JsonNode content) {
        var items = new java.util.ArrayList<SamplingContent>();
        for (JsonNode item : content.isArray() ? content : List.of(content)) {
            switch (item.path("type").asString("")) {
                case "text" -> items.add(text(item.path("text").asString("")));
                case "image" -> items.add(new Item(Content.image(text(item, "data"), text(item, "mimeType"))));
                case "audio" -> items.add(new Item(Content.audio(text(item, "data"), text(item, "mimeType"))));
                case "tool_use" -> items.add(new ToolUse(text(item, "id"), text(item, "name"), item.path("input")));
                default -> {}
            }
        }
        return List.copyOf(items);
    }

    private static String text(JsonNode item, String name) {
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
