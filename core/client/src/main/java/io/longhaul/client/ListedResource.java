// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import org.jspecify.annotations.Nullable;

/**
 * A resource that a server lists. All texts come from the server and are not to be trusted on a terminal.
 *
 * @param uri         for {@link RemoteResources#read}
 * @param name        for programs
 * @param title       for people, or null
 * @param description for a model, or null
 * @param mimeType    or null where the server does not say
 * @param definition  the whole resource as the server listed it
 */
public record ListedResource(
        String uri,
        String name,
        @Nullable String title,
        @Nullable String description,
        @Nullable String mimeType,
        Json definition) {

    /** The size of the contents in bytes, or null where the server does not say. */
    public @Nullable Long size() {
        var size = JsonTree.read(definition).path("size");
        return size.isIntegralNumber() && size.canConvertToLong() ? Long.valueOf(size.asLong()) : null;
    }
}
