// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * One argument of a prompt. Immutable.
 *
 * @param name        by which it is given
 * @param title       its name for people, or null
 * @param description what it is for
 * @param required    whether the prompt cannot do without
 * @param completer   what it could be; null where that is not known
 */
record PromptArgument(
        String name,
        @Nullable String title,
        @Nullable String description,
        boolean required,
        @Nullable ArgumentCompleter completer) {

    void writeTo(JsonWriter out) {
        out.beginObject().name("name").string(name).optional("title", title);
        out.optional("description", description).name("required").bool(required).endObject();
    }
}
