// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The description of a resource in lists and links. Immutable.
 *
 * @param mimeType    the type of the contents, or null for unspecified
 * @param size        the size in bytes before any encoding, or null for unspecified
 * @param annotations hints for a client that shows the resource
 */
public record ResourceInfo(
        String uri,
        Label label,
        @Nullable String mimeType,
        @Nullable Long size,
        Annotations annotations) {

    /**
     * The names, the description and the icons of a resource.
     *
     * @param name        the name for programs
     * @param title       the display name, or null
     * @param description a text about the contents, for a model, or null
     */
    public record Label(
            String name, @Nullable String title, @Nullable String description, List<Icon> icons) {
        public Label {
            icons = List.copyOf(icons);
        }
    }

    /** A resource at {@code uri} whose name, for programs, is {@code name}. */
    public static ResourceInfo of(String uri, String name) {
        return new ResourceInfo(uri, new Label(name, null, null, List.of()), null, null, Annotations.NONE);
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

    private ResourceInfo with(Label other) {
        return new ResourceInfo(uri, other, mimeType, size, annotations);
    }
}
