// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.server.internal.schema.Schemas;

/**
 * A tool that the client's model may use while it answers a question (2025-11-25 and later). The model only says that
 * it wants it: the server uses it and asks again with what came of that. Immutable.
 *
 * @param name        that it is called by
 * @param description what it does, for the model
 * @param schema      JSON Schema of its arguments, as text
 */
public record ModelTool(String name, String description, String schema) {

    public ModelTool {
        schema = Schemas.checked(name, "input", schema);
    }

    /** A tool that takes the components of {@code input}, a record. */
    public static ModelTool of(String name, String description, Class<?> input) {
        return new ModelTool(name, description, Schemas.of(input));
    }
}
