// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.method;

import io.longhaul.protocol.Require;
import io.longhaul.server.Content;
import io.longhaul.server.ToolResult;
import io.longhaul.server.internal.codec.ResultCodec;
import io.longhaul.server.internal.schema.ParamAttributes;
import io.longhaul.server.internal.schema.TypeSchemas;
import io.longhaul.server.internal.schema.Values;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The return type of a method: the schema of the structured content of its tool, and the conversion of values to
 * results.
 */
public final class MethodResult {

    private static final List<Class<?>> FREE = List.of(
            void.class, Void.class, Object.class, String.class, ToolResult.class, Content.class, JsonNode.class);

    private final JavaType type;
    private final boolean free;
    private final Optional<ObjectNode> schema;

    /**
     * @param output the type of the structured content, or {@code void} for the return type of the method
     * @throws IllegalArgumentException where the return type cannot be a result, with the reason
     */
    public MethodResult(Method method, Class<?> output) {
        JavaType returned = Values.type(method.getGenericReturnType());
        boolean nullable = returned.isReferenceType()
                || ParamAttributes.isNullable(method.getAnnotations())
                || ParamAttributes.isNullable(method.getAnnotatedReturnType().getAnnotations());
        type = returned.isReferenceType() ? returned.getReferencedType() : returned;
        ResultCodec.lateness(type.getRawClass()).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        free = FREE.contains(type.getRawClass())
                || (type.isCollectionLikeType() && type.getContentType().isTypeOrSubTypeOf(Content.class))
                || type.isTypeOrSubTypeOf(Content.class);
        Require.that(output == void.class || free, "its output is said twice: leave it out, or return a ToolResult");
        if (output != void.class) {
            schema = Optional.of(TypeSchemas.document(output));
        } else {
            schema = free ? Optional.empty() : derived(nullable);
        }
    }

    /** JSON Schema of the structured content; empty where there is no structured content, or the value may be null. */
    public Optional<String> schema() {
        return schema.map(ObjectNode::toString);
    }

    /** The result of the tool for a return value of the method. */
    @Nullable
    public Object of(@Nullable Object value) {
        Object given = value instanceof Optional<?> perhaps ? perhaps.orElse(null) : value;
        if (given instanceof List<?> list && free && list.stream().allMatch(Content.class::isInstance)) {
            return ToolResult.of(list.toArray(Content[]::new));
        }
        if (given == null || free) {
            return given;
        }
        JsonNode tree = Values.toTree(given, type);
        if (tree.isValueNode()) {
            return tree.asString();
        }
        return ToolResult.EMPTY.withStructuredContent(tree);
    }

    /** The schema of an object or an array; a single value is a text for the model. */
    private Optional<ObjectNode> derived(boolean nullable) {
        ObjectNode made = TypeSchemas.document(type);
        String is = made.path("type").asString("");
        return nullable || !(is.equals("object") || is.equals("array")) ? Optional.empty() : Optional.of(made);
    }
}
