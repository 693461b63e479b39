// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.server.internal.schema.Base64Text;

/**
 * One content item of a tool result or a prompt. Immutable.
 *
 * <p>A client whose generation has no such item gets the nearest known item: sound (unknown to 2024-11-05) as an
 * embedded resource, a link (unknown before 2025-06-18) as a line of text.
 */
public sealed interface Content {

    /** Hints about the item. */
    Annotations annotations();

    /** This item with hints. */
    Content with(Annotations annotations);

    record Text(String text, Annotations annotations) implements Content {
        @Override
        public Text with(Annotations other) {
            return new Text(text, other);
        }
    }

    /**
     * A picture.
     *
     * @param base64 the bytes in standard Base64; any other text is an {@link IllegalArgumentException}
     */
    record Image(String base64, String mimeType, Annotations annotations) implements Content {
        public Image {
            Base64Text.require(base64);
        }

        @Override
        public Image with(Annotations other) {
            return new Image(base64, mimeType, other);
        }
    }

    /**
     * Sound.
     *
     * @param base64 the bytes in standard Base64; any other text is an {@link IllegalArgumentException}
     */
    record Audio(String base64, String mimeType, Annotations annotations) implements Content {
        public Audio {
            Base64Text.require(base64);
        }

        @Override
        public Audio with(Annotations other) {
            return new Audio(base64, mimeType, other);
        }
    }

    /** A link to a resource that can be read; the resource need not be listed. */
    record ResourceLink(ResourceInfo resource) implements Content {
        @Override
        public Annotations annotations() {
            return resource.annotations();
        }

        @Override
        public ResourceLink with(Annotations other) {
            return new ResourceLink(resource.with(other));
        }
    }

    /** A resource with its contents. */
    record EmbeddedResource(ResourceContents resource, Annotations annotations) implements Content {
        @Override
        public EmbeddedResource with(Annotations other) {
            return new EmbeddedResource(resource, other);
        }
    }

    static Content text(String text) {
        return new Text(text, Annotations.NONE);
    }

    static Content image(byte[] bytes, String mimeType) {
        return image(Base64Text.of(bytes), mimeType);
    }

    /** @param base64 the bytes in standard Base64 */
    static Content image(String base64, String mimeType) {
        return new Image(base64, mimeType, Annotations.NONE);
    }

    static Content audio(byte[] bytes, String mimeType) {
        return audio(Base64Text.of(bytes), mimeType);
    }

    /** @param base64 the bytes in standard Base64 */
    static Content audio(String base64, String mimeType) {
        return new Audio(base64, mimeType, Annotations.NONE);
    }

    static Content resourceLink(ResourceInfo resource) {
        return new ResourceLink(resource);
    }

    static Content embeddedResource(ResourceContents resource) {
        return new EmbeddedResource(resource, Annotations.NONE);
    }
}
