// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.JsonWriter;
import java.util.List;

/** Writes content in the form of the newest generation; the dialects of older generations convert this form. */
final class ContentForm {

    private ContentForm() {}

    static void write(List<Content> items, JsonWriter out) {
        out.beginArray();
        items.forEach(item -> write(item, out));
        out.endArray();
    }

    static void write(Content item, JsonWriter out) {
        out.beginObject();
        switch (item) {
            case Content.Text text ->
                out.name("type").string("text").name("text").string(text.text());
            case Content.Image image -> encoded(out, "image", image.base64(), image.mimeType());
            case Content.Audio audio -> encoded(out, "audio", audio.base64(), audio.mimeType());
            case Content.ResourceLink link ->
                link.resource().writeTo(out.name("type").string("resource_link"), "uri");
            case Content.EmbeddedResource embedded ->
                write(embedded.resource(), out.name("type").string("resource").name("resource"));
        }
        if (!(item instanceof Content.ResourceLink)) {
            item.annotations().writeTo(out);
        }
        out.endObject();
    }

    private static void encoded(JsonWriter out, String type, String base64, String mimeType) {
        out.name("type").string(type).name("data").string(base64);
        out.name("mimeType").string(mimeType);
    }

    /** Writes the contents of a resource as an object. */
    static void write(ResourceContents contents, JsonWriter out) {
        out.beginObject().name("uri").string(contents.uri()).optional("mimeType", contents.mimeType());
        switch (contents) {
            case ResourceContents.Text it -> out.name("text").string(it.text());
            case ResourceContents.Blob it -> out.name("blob").string(it.base64());
        }
        out.endObject();
    }
}
