// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.server.internal.schema.FormRules;
import io.longhaul.server.internal.schema.Schemas;
import org.jspecify.annotations.Nullable;

/**
 * A form for a person.
 *
 * @param key     its name, unique in the call; null to have one chosen
 * @param message what is asked
 * @param schema  JSON Schema of what is to be filled in, as text: a flat object of texts, numbers, yes or no, and
 *                choices; {@link Form} writes it
 */
public record ElicitRequest(@Nullable String key, String message, String schema) {

    public ElicitRequest {
        FormRules.checkMessage(message);
        FormRules.check(schema);
    }

    /** A form with the components of {@code form}, a record, as its fields. */
    public static ElicitRequest of(@Nullable String key, String message, Class<?> form) {
        return new ElicitRequest(key, message, Schemas.of(form));
    }
}
