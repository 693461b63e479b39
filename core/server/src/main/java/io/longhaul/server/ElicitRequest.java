// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.server.internal.schema.FormRules;
import io.longhaul.server.internal.schema.Schemas;
import org.jspecify.annotations.Nullable;

/**
 * A form for a person.
 *
 * @param key     the key of the question, unique in the call; null to have one chosen
 * @param message the text of the question
 * @param schema  JSON Schema of the form, as text: a flat object of texts, numbers, booleans and choices; {@link Form}
 *                writes such schemas
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
