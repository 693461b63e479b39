package io.longhaul.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool's result piece by piece. Immutable.
 *
 * @param content    its items, as JSON objects of the protocol
 * @param structured structured content, written as JSON; null for none
 * @param isError    whether the tool says that it failed
 */
public record ToolResult(
        List<Map<String, Object>> content, @Nullable Object structured, boolean isError) {

    /** No content yet. */
    public static final ToolResult EMPTY = new ToolResult(List.of(), null, false);

    public ToolResult {
        content = List.copyOf(content);
    }

    public static ToolResult text(String text) {
        return EMPTY.andText(text);
    }

    /** The failure of the tool, told to the model. */
    public static ToolResult error(String text) {
        return new ToolResult(text(text).content, null, true);
    }

    public ToolResult andText(String text) {
        return and(item("text", "text", text));
    }

    /** @param base64 the picture's bytes */
    public ToolResult andImage(String base64, String mimeType) {
        return and(item("image", "data", base64, "mimeType", mimeType));
    }

    /** @param base64 the sound's bytes */
    public ToolResult andAudio(String base64, String mimeType) {
        return and(item("audio", "data", base64, "mimeType", mimeType));
    }

    /** Something to be read elsewhere. */
    public ToolResult andLink(String uri, String name, String mimeType) {
        return and(item("resource_link", "uri", uri, "name", name, "mimeType", mimeType));
    }

    /** A text that is a resource. */
    public ToolResult andResource(String uri, String mimeType, String text) {
        Map<String, Object> resource = new LinkedHashMap<>();
        resource.put("uri", uri);
        resource.put("mimeType", mimeType);
        resource.put("text", text);
        return and(Map.of("type", "resource", "resource", resource));
    }

    public ToolResult withStructured(Object value) {
        return new ToolResult(content, value, isError);
    }

    private ToolResult and(Map<String, Object> item) {
        var more = new ArrayList<>(content);
        more.add(item);
        return new ToolResult(more, structured, isError);
    }

    private static Map<String, Object> item(String type, String... pairs) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("type", type);
        for (int i = 0; i < pairs.length; i += 2) {
            item.put(pairs[i], pairs[i + 1]);
        }
        return item;
    }
}
