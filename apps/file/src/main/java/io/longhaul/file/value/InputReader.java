// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.value;

import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import java.math.BigDecimal;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes JSON Schema of the short forms of an object's fields: {@code name: string}, {@code count: integer = 3},
 * {@code tag: [a, b]}, {@code files: string[]}, {@code note: string? - what it is for}, or a mapping of keywords.
 */
public final class InputReader {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Set<String> SIMPLE = Set.of("string", "integer", "number", "boolean");
    private static final Pattern SHORT =
            Pattern.compile("([^\\s?=\\[]+)(\\[])?(\\?)?(?:\\s*=\\s*(.*?))?(?:\\s+-\\s+(.+))?");
    private static final Pattern QUOTED = Pattern.compile("\".+\"|'.+'");
    private static final String FORMS =
            "Write a type such as string, integer = 3, string[] or boolean?, a list of allowed values, or a mapping";

    private final FileFields file;
    private final boolean nested;

    /** @param nested whether an input may be a list or an object */
    public InputReader(FileFields file, boolean nested) {
        this.file = file;
        this.nested = nested;
    }

    private record Field(ObjectNode schema, boolean optional) {}

    /** The fields at {@code at} as the schema of an object. */
    public ObjectNode read(String at) {
        var properties = JSON.objectNode();
        var required = JSON.arrayNode();
        for (var written : file.node(at).propertyNames()) {
            var place = YamlTree.below(at, written);
            var marked = written.endsWith("?");
            var name = marked ? written.substring(0, written.length() - 1) : written;
            if (properties.has(name)) {
                file.wrongName(place, "is there twice", "Keep one of the two");
            }
            var field = field(place, marked);
            properties.set(name, field.schema());
            if (!field.optional()) {
                required.add(name);
            }
        }
        var schema = JSON.objectNode().put("type", "object");
        schema.set("properties", properties);
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        return schema;
    }

    private Field field(String at, boolean optional) {
        var node = file.node(at);
        var field = node.isObject()
                ? keywords(at, (ObjectNode) node, optional)
                : node.isArray() ? new Field(values(at), optional) : shortForm(at, node.asString("string"), optional);
        var type = field.schema().path("type").asString("");
        if (!nested && !SIMPLE.contains(type)) {
            var what = type.equals("array") ? "a list" : type.equals("object") ? "an object" : "a value of no type";
            file.wrong(at, "asks for " + what + ", which a question cannot", "Ask for single values");
        }
        return field;
    }

    private ObjectNode values(String at) {
        var values = file.node(at);
        var types = new TreeSet<String>();
        values.forEach(value -> types.add(typeOf(value)));
        if (types.isEmpty()) {
            throw new IllegalStateException("the schema of the file takes no values for an input");
        }
        if (types.size() > 1) {
            file.wrong(at, "mixes values of the types " + String.join(" and ", types), "Put them all in quotes");
        }
        var schema = JSON.objectNode().put("type", types.first());
        schema.set("enum", values);
        return schema;
    }

    private static String typeOf(JsonNode value) {
        return value.isBoolean()
                ? "boolean"
                : value.isNumber() ? value.isIntegralNumber() ? "integer" : "number" : "string";
    }

    private Field shortForm(String at, String text, boolean markedOptional) {
        var match = SHORT.matcher(text.strip());
        if (!match.matches() || !SIMPLE.contains(match.group(1))) {
            throw new IllegalStateException("the schema of the file takes " + text + " for an input");
        }
        var type = match.group(1);
        boolean isList = match.group(2) != null;
        var schema = JSON.objectNode().put("type", isList ? "array" : type);
        if (isList) {
            schema.set("items", JSON.objectNode().put("type", type));
        }
        if (match.group(5) != null) {
            schema.put("description", match.group(5));
        }
        var written = match.group(4);
        if (written != null && isList) {
            file.wrong(at, "gives a list its default in the short form", "Use a mapping: {type: array, default: []}");
        } else if (written != null) {
            schema.set("default", defaultOf(at, type, written));
        }
        return new Field(schema, markedOptional || match.group(3) != null || written != null);
    }

    private JsonNode defaultOf(String at, String type, String written) {
        try {
            return switch (type) {
                case "integer" -> JSON.numberNode(Long.parseLong(written));
                case "number" -> JSON.numberNode(new BigDecimal(written));
                case "boolean" -> JSON.booleanNode(strictBoolean(written));
                default -> JSON.stringNode(unquoted(at, written));
            };
        } catch (IllegalArgumentException e) {
            file.wrong(at, "the default " + FileFields.quote(written) + " is no " + type, "Give one of that type");
            return JSON.nullNode();
        }
    }

    private String unquoted(String at, String written) {
        if (QUOTED.matcher(written).matches()) {
            var bare = written.substring(1, written.length() - 1);
            file.warn(at, "the quotes of the default " + written + " stay in it", "Write string = " + bare);
        }
        return written;
    }

    private static boolean strictBoolean(String written) {
        if (!written.equals("true") && !written.equals("false")) {
            throw new IllegalArgumentException(written);
        }
        return written.equals("true");
    }

    private Field keywords(String at, ObjectNode node, boolean markedOptional) {
        var shape = shape(at, node.path("type").asString(null));
        var schema = shape.schema();
        var optional = markedOptional
                || shape.optional()
                || node.has("default")
                || node.path("optional").asBoolean();
        node.properties().forEach(field -> {
            switch (field.getKey()) {
                case "type", "optional" -> {}
                case "fields" ->
                    read(at + "/fields").properties().forEach(part -> schema.set(part.getKey(), part.getValue()));
                case "items" -> schema.set("items", items(at + "/items", field.getValue()));
                case "description", "title" -> schema.put(field.getKey(), file.text(at + "/" + field.getKey()));
                case "enum" ->
                    values(at + "/enum").properties().forEach(part -> schema.set(part.getKey(), part.getValue()));
                default -> schema.set(field.getKey(), field.getValue());
            }
        });
        if (!schema.has("type") && !schema.has("const") && !file.isTakenOut(at + "/type")) {
            file.wrong(at, "has no type", FORMS);
        }
        if (node.has("fields")) {
            schema.put("additionalProperties", false);
        }
        SchemaMistakes.at(at, file);
        SchemaMistakes.checkDefault(at, schema, file);
        inOrder(at, "minimum", "maximum");
        inOrder(at, "minLength", "maxLength");
        inOrder(at, "minItems", "maxItems");
        return new Field(schema, optional);
    }

    private JsonNode items(String at, JsonNode items) {
        return items.has("fields") ? field(at, false).schema() : items;
    }

    private void inOrder(String at, String least, String most) {
        var low = file.node(at + "/" + least);
        var high = file.node(at + "/" + most);
        if (low.isNumber() && high.isNumber() && low.decimalValue().compareTo(high.decimalValue()) > 0) {
            file.warn(at + "/" + least, "is above " + most + ", so that no value is allowed", "Swap them");
        }
    }

    /** The schema of a type alone; {@code string[]} and {@code string?} are allowed here, too. */
    private Field shape(String at, @Nullable String type) {
        if (type == null) {
            return new Field(JSON.objectNode(), false);
        }
        if (type.equals("array") || type.equals("object")) {
            return new Field(JSON.objectNode().put("type", type), false);
        }
        return shortForm(at + "/type", type, false);
    }
}
