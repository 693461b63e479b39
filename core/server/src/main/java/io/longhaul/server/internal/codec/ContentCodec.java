// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.codec;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.server.Annotations;
import io.longhaul.server.Content;
import io.longhaul.server.Icon;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.ResourceContents;
import io.longhaul.server.ResourceInfo;
import io.longhaul.server.internal.schema.Values;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes content in the form of the newest generation; the dialects of older generations convert this form. */
public final class ContentCodec {

    private ContentCodec() {}

    public static void write(List<Content> items, JsonWriter out) {
        out.beginArray();
        items.forEach(item -> write(item, out));
        out.endArray();
    }

    public static void write(Content item, JsonWriter out) {
        out.beginObject();
        switch (item) {
            case Content.Text text ->
                out.name("type").string("text").name("text").string(text.text());
            case Content.Image image -> encoded(out, "image", image.base64(), image.mimeType());
            case Content.Audio audio -> encoded(out, "audio", audio.base64(), audio.mimeType());
            case Content.ResourceLink link ->
                write(link.resource(), "uri", out.name("type").string("resource_link"));
            case Content.EmbeddedResource embedded ->
                write(embedded.resource(), out.name("type").string("resource").name("resource"));
        }
        if (!(item instanceof Content.ResourceLink)) {
            write(item.annotations(), out);
        }
        out.endObject();
    }

    private static void encoded(JsonWriter out, String type, String base64, String mimeType) {
        out.name("type").string(type).name("data").string(base64);
        out.name("mimeType").string(mimeType);
    }

    public static Json json(List<Content> items) {
        var out = new JsonWriter();
        write(items, out);
        return out.toJson();
    }

    /** The result of a request for a prompt. */
    public static Json prompt(@Nullable String description, List<PromptMessage> messages) {
        var out = new JsonWriter(1024).beginObject().optional("description", description);
        out.name("messages").beginArray();
        for (PromptMessage message : messages) {
            out.beginObject().name("role").string(word(message.role())).name("content");
            write(message.content(), out);
            out.endObject();
        }
        return out.endArray().endObject().toJson();
    }

    /** Writes the contents of a resource as an object. */
    public static void write(ResourceContents contents, JsonWriter out) {
        out.beginObject().name("uri").string(contents.uri()).optional("mimeType", contents.mimeType());
        switch (contents) {
            case ResourceContents.Text it -> out.name("text").string(it.text());
            case ResourceContents.Blob it -> out.name("blob").string(it.base64());
        }
        out.endObject();
    }

    /** The description of a resource as a JSON object, with the URI as the member {@code address}. */
    public static Json definition(ResourceInfo resource, String address) {
        var out = new JsonWriter().beginObject();
        write(resource, address, out);
        return out.endObject().toJson();
    }

    /** The description of a resource or a template that another server lists. */
    public static ResourceInfo listed(Json definition, String address) {
        var listed = Values.tree(definition);
        var uri = listed.path(address).asString("");
        return ResourceInfo.of(uri, listed.path("name").asString(uri))
                .withMimeType(listed.path("mimeType").asString(null));
    }

    private static void write(ResourceInfo resource, String address, JsonWriter out) {
        out.name(address)
                .string(resource.uri())
                .name("name")
                .string(resource.label().name());
        out.optional("title", resource.label().title())
                .optional("description", resource.label().description());
        out.optional("mimeType", resource.mimeType());
        if (resource.size() != null) {
            out.name("size").number(resource.size());
        }
        write(resource.annotations(), out);
        icons(resource.label().icons(), out);
    }

    private static void write(Annotations hints, JsonWriter out) {
        if (hints.equals(Annotations.NONE)) {
            return;
        }
        out.name("annotations").beginObject();
        if (!hints.audience().isEmpty()) {
            out.name("audience").beginArray();
            hints.audience().forEach(role -> out.string(word(role)));
            out.endArray();
        }
        if (hints.priority() != null) {
            out.name("priority").number(hints.priority());
        }
        var modified = hints.lastModified();
        out.optional("lastModified", modified == null ? null : modified.toString())
                .endObject();
    }

    /** Writes the icons as the member {@code icons}, unless there are none. */
    public static void icons(List<Icon> icons, JsonWriter out) {
        if (icons.isEmpty()) {
            return;
        }
        out.name("icons").beginArray();
        for (Icon icon : icons) {
            out.beginObject().name("src").string(icon.src()).optional("mimeType", icon.mimeType());
            if (!icon.sizes().isEmpty()) {
                out.name("sizes").beginArray();
                icon.sizes().forEach(out::string);
                out.endArray();
            }
            out.optional("theme", icon.theme() == null ? null : word(icon.theme()))
                    .endObject();
        }
        out.endArray();
    }

    /** A constant in the words of the protocol. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
