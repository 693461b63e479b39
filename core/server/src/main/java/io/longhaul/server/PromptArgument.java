// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * One argument of a prompt. Immutable.
 *
 * @param name        the name of the argument
 * @param title       the display name, or null
 * @param description what the argument is for
 * @param required    whether the argument must be given
 * @param completer   completes values of the argument; null for none
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
