// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.server.Content;
import io.longhaul.server.ResourceContents;
import io.longhaul.server.ResourceInfo;
import io.longhaul.server.ToolResult;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts results of the official Java SDK to those of Longhaul. */
final class SdkContent {

    private SdkContent() {}

    static ToolResult result(CallToolResult from) {
        List<McpSchema.Content> items = Optional.ofNullable(from.content()).orElse(List.of());
        return new ToolResult(
                items.stream().map(SdkContent::item).toList(),
                from.structuredContent(),
                Boolean.TRUE.equals(from.isError()),
                Optional.ofNullable(from.meta()).orElse(Map.of()));
    }

    private static Content item(McpSchema.Content from) {
        return switch (from) {
            case McpSchema.TextContent text -> Content.text(text.text());
            case McpSchema.ImageContent image -> Content.image(image.data(), image.mimeType());
            case McpSchema.AudioContent audio -> Content.audio(audio.data(), audio.mimeType());
            case McpSchema.ResourceLink link -> Content.resourceLink(link(link));
            case McpSchema.EmbeddedResource embedded -> Content.embeddedResource(contents(embedded.resource()));
            default ->
                throw new IllegalArgumentException("A tool of the MCP SDK gives a "
                        + from.getClass().getSimpleName() + ", which Longhaul does not know");
        };
    }

    private static ResourceInfo link(McpSchema.ResourceLink from) {
        var link = ResourceInfo.of(from.uri(), from.name());
        if (from.title() != null) {
            link = link.withTitle(from.title());
        }
        if (from.description() != null) {
            link = link.withDescription(from.description());
        }
        if (from.mimeType() != null) {
            link = link.withMimeType(from.mimeType());
        }
        return from.size() == null ? link : link.withSize(from.size());
    }

    private static ResourceContents contents(McpSchema.ResourceContents from) {
        return switch (from) {
            case McpSchema.TextResourceContents text -> ResourceContents.text(text.uri(), text.mimeType(), text.text());
            case McpSchema.BlobResourceContents blob ->
                ResourceContents.blob(
                        blob.uri(), blob.mimeType(), Base64.getDecoder().decode(blob.blob()));
            default ->
                throw new IllegalArgumentException("A tool of the MCP SDK gives a "
                        + from.getClass().getSimpleName() + ", which Longhaul does not know");
        };
    }
}
