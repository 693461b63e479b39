// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import io.longhaul.protocol.Require;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the schema of an object property by property: of a record, or of the arguments of a method. */
public final class ObjectSchema {

    private final TypeSchemas types;
    private final ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    private final ObjectNode properties = schema.putObject("properties");
    private final ArrayNode required = JsonNodeFactory.instance.arrayNode();

    public ObjectSchema(TypeSchemas types) {
        this.types = types;
    }

    /** Adds a property with the constant value {@code value}. */
    void constant(String name, String value, String where) {
        refuseSecond(name, where);
        properties.putObject(name).put("const", value);
        required.add(name);
    }

    /**
     * Adds a property.
     *
     * @throws IllegalArgumentException where the property is not possible, with {@code where}
     */
    public void add(String name, JavaType type, ParamAttributes words, String where) {
        refuseSecond(name, where);
        properties.set(name, words.describe(types.of(type, where), type, where));
        if (words.isRequired(type)) {
            required.add(name);
        } else if (type.isPrimitive() && !words.hasDefault()) {
            throw new IllegalArgumentException(
                    where + " is " + type.getRawClass() + ", which cannot be absent: give it a default");
        }
    }

    /** The schema with all added properties. */
    public ObjectNode node() {
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        return schema;
    }

    private void refuseSecond(String name, String where) {
        Require.that(!properties.has(name), where + ": two properties are named '" + name + "'");
    }
}
