// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.server.internal.schema.Base64Text;
import org.jspecify.annotations.Nullable;

/** The contents of a resource: text or bytes. Immutable. */
public sealed interface ResourceContents {

    /** The URI of the resource. */
    String uri();

    /** The type of the contents, or null for unspecified. */
    @Nullable
    String mimeType();

    /** Text. */
    record Text(String uri, @Nullable String mimeType, String text) implements ResourceContents {}

    /**
     * Bytes.
     *
     * @param base64 the bytes in standard Base64; any other text is an {@link IllegalArgumentException}
     */
    record Blob(String uri, @Nullable String mimeType, String base64) implements ResourceContents {
        public Blob {
            Base64Text.require(base64);
        }
    }

    static ResourceContents text(String uri, @Nullable String mimeType, String text) {
        return new Text(uri, mimeType, text);
    }

    static ResourceContents blob(String uri, @Nullable String mimeType, byte[] bytes) {
        return new Blob(uri, mimeType, Base64Text.of(bytes));
    }
}
