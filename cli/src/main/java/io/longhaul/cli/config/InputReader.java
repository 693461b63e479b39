package io.longhaul.cli.config;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the short form of an object's fields into JSON Schema: {@code name: string}, {@code count: integer = 3},
 * {@code tag: [a, b]}, {@code files: string[]}, {@code note: string? - what it is for}, or a mapping of keywords.
 */
final class InputReader {
    private static final Set<String> SIMPLE = Set.of("string", "integer", "number", "boolean");
    private static final Set<String> KEYWORDS = Set.of(
            "type",
            "title",
            "description",
            "default",
            "enum",
            "const",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "pattern",
            "format",
            "items",
            "minItems",
            "maxItems",
            "uniqueItems",
            "examples",
            "optional");
    private static final Pattern SHORT =
            Pattern.compile("([^\\s?=\\[]+)(\\[])?(\\?)?(?:\\s*=\\s*(.*?))?(?:\\s+-\\s+(.+))?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
    private static final String FORMS =
            "Write a type such as string, integer = 3, string[] or boolean?, a list of allowed values, or a mapping";

    private InputReader() {}

    /** The fields as an object schema; {@code nested} is false where only single values are allowed. */
    static ObjectNode read(Entry input, boolean nested) {
        var json = JsonNodeFactory.instance;
        var properties = json.objectNode();
        var required = json.arrayNode();
        input.fields().forEach((written, entry) -> {
            var marked = written.endsWith("?");
            var name = marked ? written.substring(0, written.length() - 1) : written;
            if (!NAME.matcher(name).matches()) {
                throw entry.bad(
                        Entry.quote(name) + " cannot be the name of an input",
                        "Use letters, digits, _ and -, beginning with a letter");
            }
            if (properties.has(name)) {
                throw entry.bad("is there twice", "Keep one of the two");
            }
            var field = field(entry, marked, nested);
            properties.set(name, field.schema());
            if (!field.optional()) {
                required.add(name);
            }
        });
        var schema = json.objectNode().put("type", "object");
        schema.set("properties", properties);
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        return schema;
    }

    private record Field(ObjectNode schema, boolean optional) {}

    private static Field field(Entry entry, boolean optional, boolean nested) {
        var field = entry.isMapping()
                ? keywords(entry, optional)
                : entry.isList() ? new Field(values(entry), optional) : shortForm(entry, optional);
        var type = field.schema().path("type").asString("");
        if (!nested && !SIMPLE.contains(type)) {
            var what = type.equals("array") ? "a list" : type.equals("object") ? "an object" : "a value of no type";
            throw entry.bad("asks for " + what + ", which a question cannot", "Ask for single values");
        }
        return field;
    }

    private static ObjectNode values(Entry entry) {
        var values = entry.items();
        if (values.isEmpty()) {
            throw entry.bad("allows no value at all", FORMS);
        }
        var schema = JsonNodeFactory.instance.objectNode();
        var all = JsonNodeFactory.instance.arrayNode();
        var types = new TreeSet<String>();
        for (var value : values) {
            var json = value.json();
            types.add(typeOf(value, json));
            all.add(json);
        }
        if (types.size() > 1) {
            throw entry.bad("mixes values of the types " + String.join(" and ", types), "Put them all in quotes");
        }
        schema.put("type", types.first());
        schema.set("enum", all);
        return schema;
    }

    private static String typeOf(Entry value, JsonNode json) {
        if (json.isString()) {
            return "string";
        }
        if (json.isBoolean()) {
            return "boolean";
        }
        if (json.isNumber()) {
            return json.isIntegralNumber() ? "integer" : "number";
        }
        throw value.bad("must be a single value, but is " + value.kind(), "List texts or numbers");
    }

    private static Field shortForm(Entry entry, boolean markedOptional) {
        var text = entry.text();
        var match = SHORT.matcher(text.strip());
        if (!match.matches()) {
            throw entry.bad(Entry.quote(text) + " is no input", FORMS);
        }
        var type = match.group(1);
        if (!SIMPLE.contains(type)) {
            throw entry.bad(Entry.quote(type) + " is no type", Nearest.advice(type, SIMPLE));
        }
        var schema = JsonNodeFactory.instance.objectNode();
        if (match.group(2) != null) {
            schema.put("type", "array");
            schema.set("items", JsonNodeFactory.instance.objectNode().put("type", type));
        } else {
            schema.put("type", type);
        }
        if (match.group(5) != null) {
            schema.put("description", match.group(5));
        }
        var written = match.group(4);
        if (written != null) {
            if (match.group(2) != null) {
                throw entry.bad(
                        "gives a list its default in the short form", "Use a mapping: {type: array, default: []}");
            }
            schema.set("default", defaultOf(entry, type, written));
        }
        return new Field(schema, markedOptional || match.group(3) != null || written != null);
    }

    private static JsonNode defaultOf(Entry entry, String type, String written) {
        var json = JsonNodeFactory.instance;
        try {
            return switch (type) {
                case "integer" -> json.numberNode(Long.parseLong(written));
                case "number" -> json.numberNode(new BigDecimal(written));
                case "boolean" -> json.booleanNode(strictBoolean(written));
                default -> json.stringNode(written);
            };
        } catch (IllegalArgumentException e) {
            throw entry.bad("the default " + Entry.quote(written) + " is no " + type, "Give one of that type");
        }
    }

    private static boolean strictBoolean(String written) {
        if (!written.equals("true") && !written.equals("false")) {
            throw new IllegalArgumentException(written);
        }
        return written.equals("true");
    }

    private static Field keywords(Entry entry, boolean markedOptional) {
        var fields = entry.fields(KEYWORDS);
        var shape = shape(fields);
        var schema = shape == null ? JsonNodeFactory.instance.objectNode() : shape.schema();
        var optional = markedOptional || shape != null && shape.optional() || fields.containsKey("default");
        for (var field : fields.entrySet()) {
            var value = field.getValue();
            switch (field.getKey()) {
                case "optional" -> optional |= value.bool();
                case "description", "title" -> schema.put(field.getKey(), value.text());
                case "type" -> {}
                case "enum" -> values(value).properties().forEach(part -> schema.set(part.getKey(), part.getValue()));
                default -> schema.set(field.getKey(), value.json());
            }
        }
        if (!schema.has("type") && !schema.has("const")) {
            throw entry.bad("has no type", FORMS);
        }
        checkKeywords(fields);
        return new Field(schema, optional);
    }

    /** What the type alone says; {@code string[]} and {@code string?} are allowed here too. */
    private static @Nullable Field shape(Map<String, Entry> fields) {
        var type = fields.get("type");
        if (type == null) {
            return null;
        }
        if (type.text().equals("array") || type.text().equals("object")) {
            return new Field(JsonNodeFactory.instance.objectNode().put("type", type.text()), false);
        }
        return shortForm(type, false);
    }

    private static void checkKeywords(Map<String, Entry> fields) {
        var rest = new ArrayList<>(List.of("minimum", "maximum", "minLength", "maxLength", "pattern", "items"));
        rest.addAll(List.of("exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"));
        rest.stream().filter(fields::containsKey).forEach(name -> SchemaCheck.keyword(name, fields.get(name)));
    }
}
