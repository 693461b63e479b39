// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A part of the contents of a resource: a folder may hold several. Nothing in it is to be trusted on a terminal. */
public sealed interface ResourcePart {

    /** The URI of the part, which may differ from the URI of the resource. */
    String uri();

    /** The MIME type, or null where the server does not say. */
    @Nullable
    String mimeType();

    /** A text. */
    record Text(String uri, @Nullable String mimeType, String text) implements ResourcePart {}

    /**
     * Bytes.
     *
     * @param base64 the bytes, in valid Base64
     */
    record Bytes(String uri, @Nullable String mimeType, String base64) implements ResourcePart {
        public Bytes {
            Base64.getDecoder().decode(base64);
        }

        /** A new array of the bytes. */
        public byte[] bytes() {
            return Base64.getDecoder().decode(base64);
        }
    }
}
