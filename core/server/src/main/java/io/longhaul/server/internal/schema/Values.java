// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.json.Json;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.NullNode;

/** Converts Java values to JSON and back. */
public final class Values {

    private static final JsonMapper JSON = ToolIntrospector.mapper();

    private Values() {}

    public static JsonNode tree(Json json) {
        return JSON.readTree(json.bytes());
    }

    public static Json json(@Nullable Object value) {
        return value instanceof Json json ? json : Json.raw(JSON.writeValueAsBytes(value));
    }

    public static Payload payload(@Nullable Object value) {
        return Payload.of(json(value).bytes());
    }

    public static JsonNode tree(Payload payload) {
        return JSON.readTree(payload.bytes());
    }

    public static JsonNode parse(String json) {
        return JSON.readTree(json);
    }

    /** A type as Jackson represents it. */
    public static JavaType type(Type type) {
        return JSON.constructType(type);
    }

    /** The type of a member of {@code owner}, with its type parameters resolved. */
    public static JavaType type(Type member, JavaType owner) {
        return JSON.getTypeFactory().resolveMemberType(member, owner.getBindings());
    }

    /** The names that properties have in JSON, by their names in Java. */
    static Map<String, String> propertyNames(JavaType type) {
        var found = JSON.deserializationConfig().classIntrospectorInstance();
        Map<String, String> names = new HashMap<>();
        found.introspectForDeserialization(type, found.introspectClassAnnotations(type))
                .findProperties()
                .forEach(property -> names.put(property.getInternalName(), property.getName()));
        return names;
    }

    /** A value written as {@code type}, so that choices in a list or map get their {@code type} property. */
    public static JsonNode toTree(Object value, JavaType type) {
        return JSON.readTree(JSON.writerFor(type).writeValueAsBytes(value));
    }

    /** A value as a tree. Choices among the items of a list get their {@code type} property, as they do alone. */
    public static JsonNode toTree(@Nullable Object value) {
        if (value instanceof JsonNode tree) {
            return tree;
        }
        if (value instanceof Json json) {
            return tree(json);
        }
        if (value instanceof Collection<?> items) {
            var array = JSON.createArrayNode();
            items.forEach(item -> array.add(toTree(item)));
            return array;
        }
        return JSON.valueToTree(value);
    }

    @SuppressWarnings("unchecked")
    public static <T> T bind(JsonNode tree, Class<T> type) {
        if (type == Json.class) {
            return type.cast(json(tree));
        }
        return type == JsonNode.class ? (T) tree : JSON.treeToValue(tree, type);
    }

    public static @Nullable Object bind(JsonNode tree, JavaType type) {
        return JSON.treeToValue(tree, type);
    }

    /** The Java value for an absent value: an empty optional, or null. */
    public static @Nullable Object absent(JavaType type) {
        boolean optional =
                type.isReferenceType() || type.getRawClass().getSimpleName().startsWith("Optional");
        return optional ? JSON.treeToValue(NullNode.getInstance(), type) : null;
    }
}
