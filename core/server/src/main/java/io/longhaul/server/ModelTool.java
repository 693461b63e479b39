// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.server.internal.schema.Schemas;

/**
 * A tool that the client's model may use while it answers a question (2025-11-25 and later). The model only requests a
 * use of the tool: the server runs the tool, and asks again with the outcome. Immutable.
 *
 * @param name        the name by which the model calls the tool
 * @param description what the tool does, for the model
 * @param schema      JSON Schema of the arguments, as text
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
