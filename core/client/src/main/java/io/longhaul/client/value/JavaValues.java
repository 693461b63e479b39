// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.value;

import io.longhaul.protocol.Require;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Values of a host's own types as arguments of tools, and the results of tools as such values. */
public final class JavaValues {

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private JavaValues() {}

    /**
     * The arguments of a call.
     *
     * @throws IllegalArgumentException where the value is no JSON object
     */
    public static Json arguments(@Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(
                    "The arguments of a tool are a JSON object, and this is null: use Map.of() for none.");
        }
        if (value instanceof Json json && json.kind() == Json.Kind.OBJECT) {
            return json;
        }
        JsonNode tree = tree(value);
        if (!tree.isObject()) {
            throw new IllegalArgumentException("The arguments of a tool are a JSON object, and "
                    + value.getClass().getSimpleName() + " is " + tree.getNodeType() + ": use a record or a Map.");
        }
        return JsonTree.write(tree);
    }

    private static JsonNode tree(Object value) {
        try {
            return value instanceof Json json ? JsonTree.read(json) : MAPPER.valueToTree(value);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "The arguments cannot be written as JSON: " + e.getOriginalMessage() + ".", e);
        }
    }

    /**
     * The result of a tool as a value.
     *
     * @throws IllegalArgumentException with one sentence for the user where the result is no such value
     */
    public static <T> T ofResult(Json result, Class<T> type) {
        if (type == String.class) {
            return type.cast(text(result));
        }
        try {
            var structured = JsonTree.read(result).path("structuredContent");
            var value = structured.isMissingNode() ? JsonTree.read(Json.raw(text(result))) : structured;
            Require.that(!value.isNull() && !value.isMissingNode(), "there is none");
            return type == Json.class ? type.cast(JsonTree.write(value)) : MAPPER.treeToValue(value, type);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The result of the tool cannot be read as " + type.getSimpleName() + ": " + problem(e)
                            + ". Take it as a String, or by the outcome of the call.",
                    e);
        }
    }

    /** The text of a result, one item of its content after the other. */
    public static String text(Json result) {
        return JsonTree.read(result)
                .path("content")
                .valueStream()
                .map(item -> item.path("text"))
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .collect(Collectors.joining("\n"));
    }

    private static String problem(RuntimeException e) {
        return e instanceof JacksonException jackson ? jackson.getOriginalMessage() : String.valueOf(e.getMessage());
    }
}
