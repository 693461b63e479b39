// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A template of resources that a server lists. All texts come from the server and are not to be trusted on a terminal.
 *
 * @param uriTemplate of RFC 6570, which gives the URI of a resource
 * @param name        for programs
 * @param title       for people, or null
 * @param description for a model, or null
 * @param mimeType    of all its resources, or null
 * @param definition  the whole template as the server listed it
 */
public record ListedTemplate(
        String uriTemplate,
        String name,
        @Nullable String title,
        @Nullable String description,
        @Nullable String mimeType,
        Json definition) {}
