// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.longhaul.server.annotation.McpParam;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON Schemas 2020-12 of Java types for one document. Types are inlined where they are used; only a recursive type
 * becomes a definition. Not thread-safe.
 */
public final class TypeSchemas {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Deque<JavaType> open = new ArrayDeque<>();
    private final Map<JavaType, String> holdThemselves = new LinkedHashMap<>();
    private final ObjectNode definitions = NODES.objectNode();

    /**
     * The schema of a record, a map or a sealed interface as a document of its own.
     *
     * @throws IllegalArgumentException where the type is none of these, or contains a type that has no form in JSON
     */
    public static ObjectNode document(Type type) {
        var schemas = new TypeSchemas();
        JavaType known = type instanceof JavaType java ? java : Values.type(type);
        var root = schemas.of(known, known.getRawClass().getSimpleName());
        return schemas.finish(schemas.dereferenced(root));
    }

    /** Adds the definitions to the document that uses them. */
    public ObjectNode finish(ObjectNode document) {
        if (!definitions.isEmpty()) {
            document.set("$defs", definitions);
        }
        return document;
    }

    /**
     * The schema of one type.
     *
     * @param where the place where the type is used, for messages
     */
    ObjectNode of(JavaType type, String where) {
        Class<?> raw = type.getRawClass();
        var scalar = Scalars.schema(raw);
        if (scalar.isPresent()) {
            return scalar.get();
        }
        if (type.isEnumType()) {
            return constants(raw);
        }
        if (type.isReferenceType()) {
            return of(type.getReferencedType(), where);
        }
        if (type.isArrayType() || type.isCollectionLikeType()) {
            return list(type, where);
        }
        if (type.isMapLikeType()) {
            return map(type, where);
        }
        if (raw.isRecord()) {
            return named(type, () -> record(type, where));
        }
        if (ToolIntrospector.sealed(raw).filter(raw::equals).isPresent()) {
            return named(type, () -> choice(raw, where));
        }
        throw unusable(type, where);
    }

    private ObjectNode named(JavaType type, Supplier<ObjectNode> made) {
        if (open.contains(type)) {
            String name = holdThemselves.computeIfAbsent(type, this::definitionName);
            return NODES.objectNode().put("$ref", "#/$defs/" + name);
        }
        open.push(type);
        ObjectNode schema = made.get();
        open.pop();
        String name = holdThemselves.get(type);
        if (name == null) {
            return schema;
        }
        definitions.set(name, schema);
        return NODES.objectNode().put("$ref", "#/$defs/" + name);
    }

    private String definitionName(JavaType type) {
        String simple = type.getRawClass().getSimpleName();
        String name = simple;
        for (int i = 2; holdThemselves.containsValue(name); i++) {
            name = simple + i;
        }
        return name;
    }

    /** The root schema itself instead of a reference, so that the root states its type. */
    private ObjectNode dereferenced(ObjectNode root) {
        String reference = root.path("$ref").asString("");
        return reference.isEmpty()
                ? root
                : (ObjectNode) definitions
                        .path(reference.substring(reference.lastIndexOf('/') + 1))
                        .deepCopy();
    }

    private ObjectNode record(JavaType type, String where) {
        Class<?> raw = type.getRawClass();
        var schema = new ObjectSchema(this);
        if (ToolIntrospector.sealed(raw).isPresent()) {
            schema.constant(ToolIntrospector.TYPE, raw.getSimpleName(), where);
        }
        Map<String, String> names = Values.propertyNames(type);
        for (RecordComponent component : raw.getRecordComponents()) {
            if (!isIgnored(component)) {
                String name = names.getOrDefault(component.getName(), component.getName());
                JavaType of = Values.type(component.getGenericType(), type);
                var param = ParamAttributes.of(field(component).getAnnotation(McpParam.class));
                boolean nullable =
                        ParamAttributes.isNullable(component.getAnnotatedType().getAnnotations());
                schema.add(name, of, nullable ? param.optional() : param, where + "." + component.getName());
            }
        }
        return schema.node();
    }

    private ObjectNode choice(Class<?> sealed, String where) {
        ObjectNode schema = NODES.objectNode().put("type", "object");
        ArrayNode choices = schema.putArray("oneOf");
        for (Class<?> one : ToolIntrospector.choices(sealed)) {
            if (!one.isRecord() || one.getTypeParameters().length > 0) {
                throw new IllegalArgumentException(where + ": " + sealed.getSimpleName() + " permits "
                        + one.getSimpleName() + ", and only plain records can be told apart");
            }
            choices.add(of(Values.type(one), where + "/" + one.getSimpleName()));
        }
        return schema;
    }

    private ObjectNode list(JavaType type, String where) {
        ObjectNode schema = NODES.objectNode().put("type", "array");
        schema.set("items", of(type.getContentType(), where + "[]"));
        if (type.isTypeOrSubTypeOf(Set.class)) {
            schema.put("uniqueItems", true);
        }
        return schema;
    }

    private ObjectNode map(JavaType type, String where) {
        ObjectNode key = of(type.getKeyType(), where + " (key)");
        if (!"string".equals(key.path("type").asString(""))) {
            throw new IllegalArgumentException(where + " is a map with keys of "
                    + type.getKeyType().getRawClass().getName() + ": only texts and enums can be keys");
        }
        ObjectNode schema = NODES.objectNode().put("type", "object");
        if (key.has("enum")) {
            schema.set("propertyNames", key);
        }
        schema.set("additionalProperties", of(type.getContentType(), where + "{}"));
        return schema;
    }

    private static ObjectNode constants(Class<?> type) {
        ObjectNode schema = NODES.objectNode().put("type", "string");
        ArrayNode values = schema.putArray("enum");
        for (Object constant : type.getEnumConstants()) {
            values.add(Values.toTree(constant));
        }
        return schema;
    }

    private static AnnotatedElement field(RecordComponent component) {
        try {
            return component.getDeclaringRecord().getDeclaredField(component.getName());
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("a record has a field for each component", e);
        }
    }

    private static boolean isIgnored(RecordComponent component) {
        JsonIgnore ignore = field(component).getAnnotation(JsonIgnore.class);
        return ignore != null && ignore.value();
    }

    private static IllegalArgumentException unusable(JavaType type, String where) {
        String name = type.getRawClass().getTypeName();
        String advice = type.getRawClass().isAnnotationPresent(JsonTypeInfo.class)
                ? "make it a sealed interface of records"
                : "use a record, an enum, a list or map of them, text, a number, a boolean, or a type of java.time";
        return new IllegalArgumentException(where + " is a " + name + ", which has no form in JSON: " + advice);
    }
}
