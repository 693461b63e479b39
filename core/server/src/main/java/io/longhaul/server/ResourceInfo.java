// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.server.internal.schema.Values;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The description of a resource in lists and links. Immutable. */
public final class ResourceInfo {

    /** The names, the description and the icons of a resource. */
    private record Label(
            String name, @Nullable String title, @Nullable String description, List<Icon> icons) {}

    private final String uri;
    private final Label label;
    private final @Nullable String mimeType;
    private final @Nullable Long size;
    private final Annotations annotations;

    private ResourceInfo(
            String uri, Label label, @Nullable String mimeType, @Nullable Long size, Annotations annotations) {
        this.uri = uri;
        this.label = label;
        this.mimeType = mimeType;
        this.size = size;
        this.annotations = annotations;
    }

    /** A resource at {@code uri} whose name, for programs, is {@code name}. */
    public static ResourceInfo of(String uri, String name) {
        return new ResourceInfo(uri, new Label(name, null, null, List.of()), null, null, Annotations.NONE);
    }

    /** The description of a resource or a template that another server lists. */
    static ResourceInfo listed(Json definition, String address) {
        var listed = Values.tree(definition);
        var uri = listed.path(address).asString("");
        return of(uri, listed.path("name").asString(uri))
                .withMimeType(listed.path("mimeType").asString(null));
    }

    /** The description as a JSON object, with the URI as the member {@code address}. */
    Json definition(String address) {
        var out = new JsonWriter().beginObject();
        writeTo(out, address);
        return out.endObject().toJson();
    }

    public String uri() {
        return uri;
    }

    /** The type of the contents, or null for unspecified. */
    public @Nullable String mimeType() {
        return mimeType;
    }

    public Annotations annotations() {
        return annotations;
    }

    /** This description with another name for programs. */
    public ResourceInfo withName(String name) {
        return with(new Label(name, label.title, label.description, label.icons));
    }

    /** This description with another display name. */
    public ResourceInfo withTitle(String title) {
        return with(new Label(label.name, title, label.description, label.icons));
    }

    /** This description with another text about the contents, for a model. */
    public ResourceInfo withDescription(String description) {
        return with(new Label(label.name, label.title, description, label.icons));
    }

    public ResourceInfo withIcons(Icon... icons) {
        return with(new Label(label.name, label.title, label.description, List.of(icons)));
    }

    public ResourceInfo withMimeType(@Nullable String type) {
        return new ResourceInfo(uri, label, type, size, annotations);
    }

    /** This description with another size, in bytes before any encoding. */
    public ResourceInfo withSize(long bytes) {
        return new ResourceInfo(uri, label, mimeType, bytes, annotations);
    }

    public ResourceInfo with(Annotations hints) {
        return new ResourceInfo(uri, label, mimeType, size, hints);
    }

    /** Writes the members of the JSON object, with the URI as the member {@code address}. */
    void writeTo(JsonWriter out, String address) {
        out.name(address).string(uri).name("name").string(label.name);
        out.optional("title", label.title).optional("description", label.description);
        out.optional("mimeType", mimeType);
        if (size != null) {
            out.name("size").number(size);
        }
        annotations.writeTo(out);
        Icon.write(label.icons, out);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ResourceInfo that
                && uri.equals(that.uri)
                && label.equals(that.label)
                && Objects.equals(mimeType, that.mimeType)
                && Objects.equals(size, that.size)
                && annotations.equals(that.annotations);
    }

    @Override
    public int hashCode() {
        return Objects.hash(uri, label, mimeType, size, annotations);
    }

    @Override
    public String toString() {
        return "resource " + uri;
    }

    private ResourceInfo with(Label other) {
        return new ResourceInfo(uri, other, mimeType, size, annotations);
    }
}
