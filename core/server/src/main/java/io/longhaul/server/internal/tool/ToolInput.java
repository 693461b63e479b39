// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.tool;

import io.longhaul.server.ToolException;
import io.longhaul.server.internal.codec.Binding;
import io.longhaul.server.internal.schema.Defaults;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The arguments that a tool takes. Immutable.
 *
 * @param schema   JSON Schema of the arguments
 * @param type     the type that a handler gets the arguments in
 * @param defaults null where the tool takes the arguments as they come
 * @param isListed whether another server lists the tool, and checks the arguments
 */
public record ToolInput(
        String schema, Class<?> type, @Nullable Defaults defaults, boolean isListed) {

    /**
     * The arguments for the handler, with their defaults.
     *
     * @throws ToolException where the arguments cannot be bound, with the message for the model
     */
    Object bound(JsonNode arguments) {
        return Binding.arguments(filled(arguments), type);
    }

    /** The arguments with their defaults, and without nulls that stand for absence. */
    JsonNode filled(JsonNode arguments) {
        return defaults == null ? arguments : defaults.fill(arguments);
    }
}
