// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.codec;

import io.longhaul.server.ToolException;
import io.longhaul.server.internal.schema.Values;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;

/** Binds arguments and results of tools to Java types, and says to a model why they do not fit. */
public final class Binding {

    private Binding() {}

    /**
     * The arguments bound to the handler's type. Arguments that pass the schema and do not fit the type are an error
     * for the model.
     */
    public static Object arguments(JsonNode tree, Class<?> type) {
        try {
            return Values.bind(tree, type);
        } catch (JacksonException e) {
            throw new ToolException("The arguments cannot be used: " + problem(e, Values.type(type)), e);
        }
    }

    /**
     * Why a value could not be bound, for a model: the place and the expected type. Only the text of a
     * {@link ToolException} that a type throws is included: other texts may be internal.
     */
    public static String problem(JacksonException e, JavaType wanted) {
        var path = new StringBuilder();
        for (JacksonException.Reference step : e.getPath()) {
            path.append('/').append(step.getPropertyName() == null ? step.getIndex() : step.getPropertyName());
        }
        String where = path.isEmpty() ? "" : path + ": ";
        if (e.getCause() instanceof ToolException told) {
            return where + told.getMessage();
        }
        Class<?> type = switch (e) {
            case MismatchedInputException mismatch -> mismatch.getTargetType();
            case InputCoercionException tooLarge -> tooLarge.getTargetType();
            default -> null;
        };
        return where + "it is no " + (type == null ? wanted.getRawClass() : type).getSimpleName();
    }
}
