// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a tool, built item by item. Immutable.
 *
 * @param content           the content items
 * @param structuredContent a value that is written as JSON beside the items; null for none. A client older than
 *                          2026-07-28 gets only objects, and a client older than 2025-06-18 gets none: repeat the data
 *                          in {@code content}
 * @param isError           whether the tool says that it failed
 * @param meta              the members of {@code _meta}, with values that are written as JSON: for programs, a model
 *                          does not read them
 */
public record ToolResult(
        List<Content> content, @Nullable Object structuredContent, boolean isError, Map<String, Object> meta) {

    /** No content yet. */
    public static final ToolResult EMPTY = new ToolResult(List.of(), null, false);

    public ToolResult {
        content = List.copyOf(content);
        meta = Collections.unmodifiableMap(new LinkedHashMap<>(meta));
    }

    public ToolResult(List<Content> content, @Nullable Object structuredContent, boolean isError) {
        this(content, structuredContent, isError, Map.of());
    }

    public static ToolResult of(Content... items) {
        return new ToolResult(List.of(items), null, false);
    }

    public static ToolResult text(String text) {
        return of(Content.text(text));
    }

    /** An error result with a message for the model. */
    public static ToolResult error(String text) {
        return new ToolResult(text(text).content, null, true);
    }

    public ToolResult and(Content item) {
        var more = new ArrayList<>(content);
        more.add(item);
        return new ToolResult(more, structuredContent, isError, meta);
    }

    public ToolResult andText(String text) {
        return and(Content.text(text));
    }

    /** @param base64 the bytes of the picture in standard Base64 */
    public ToolResult andImage(String base64, String mimeType) {
        return and(Content.image(base64, mimeType));
    }

    /** @param base64 the bytes of the sound in standard Base64 */
    public ToolResult andAudio(String base64, String mimeType) {
        return and(Content.audio(base64, mimeType));
    }

    /** Adds a link to a resource. */
    public ToolResult andResourceLink(String uri, String name, String mimeType) {
        return and(Content.resourceLink(ResourceInfo.of(uri, name).withMimeType(mimeType)));
    }

    /** Adds a text as an embedded resource. */
    public ToolResult andEmbeddedResource(String uri, String mimeType, String text) {
        return and(Content.embeddedResource(ResourceContents.text(uri, mimeType, text)));
    }

    public ToolResult withStructuredContent(Object value) {
        return new ToolResult(content, value, isError, meta);
    }

    /** Adds a member of {@code _meta}, in place of one with this key. */
    public ToolResult withMeta(String key, Object value) {
        var more = new LinkedHashMap<>(meta);
        more.put(key, value);
        return new ToolResult(content, structuredContent, isError, more);
    }
}
