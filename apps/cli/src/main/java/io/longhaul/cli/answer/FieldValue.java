// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.answer;

import io.longhaul.cli.text.JsonText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads a value that a person wrote, as the type that a schema requires. */
public final class FieldValue {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private FieldValue() {}

    /**
     * The value; a text where the schema says nothing.
     *
     * @throws IllegalArgumentException when the value has another type, with a message that continues a sentence
     *     beginning with the field's name
     */
    static JsonNode read(String text, JsonNode schema) {
        var value = typed(text, schema);
        var allowed = choices(schema);
        if (!allowed.isEmpty()
                && allowed.stream().noneMatch(choice -> choice.value().equals(value))) {
            throw new IllegalArgumentException("must be " + oneOf(allowed));
        }
        return value;
    }

    private static JsonNode typed(String text, JsonNode schema) {
        try {
            return switch (schema.path("type").asString("")) {
                case "string" -> NODES.stringNode(text);
                case "integer" -> {
                    var number = new BigInteger(text.strip());
                    yield number.bitLength() < 32 ? NODES.numberNode(number.intValueExact()) : NODES.numberNode(number);
                }
                case "number" -> NODES.numberNode(new BigDecimal(text.strip()));
                case "boolean" -> NODES.booleanNode(truth(text));
                case "array", "object" -> JsonText.read(text);
                default -> guess(text);
            };
        } catch (NumberFormatException e) {
            var wanted = schema.path("type").asString("").equals("integer") ? "a whole number" : "a number";
            throw new IllegalArgumentException("must be " + wanted + ", not \"" + text + "\"", e);
        }
    }

    private static boolean truth(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "yes", "y", "1" -> true;
            case "false", "no", "n", "0" -> false;
            default -> throw new IllegalArgumentException("must be true or false, not \"" + text + "\"");
        };
    }

    /** Where several types are allowed, JSON is taken as JSON and anything else as text. */
    private static JsonNode guess(String text) {
        try {
            return JsonText.read(text);
        } catch (IllegalArgumentException e) {
            return NODES.stringNode(text);
        }
    }

    /** One of the values that a schema allows, with its name for people. */
    record Choice(JsonNode value, String title) {}

    /** {@code one of a, b, c}. */
    static String oneOf(List<Choice> choices) {
        return choices.stream()
                .map(choice -> choice.value().asString())
                .collect(Collectors.joining(", ", "one of ", ""));
    }

    /** Whether an object must have a field of this name. */
    public static boolean isRequired(JsonNode schema, String name) {
        return schema.path("required")
                .valueStream()
                .anyMatch(required -> required.asString("").equals(name));
    }

    /** The values of a schema with {@code enum}, or {@code oneOf} of {@code const}; none where any value is allowed. */
    static List<Choice> choices(JsonNode schema) {
        var choices = new ArrayList<Choice>();
        var names = schema.path("enumNames");
        schema.path("enum")
                .forEach(value ->
                        choices.add(new Choice(value, names.path(choices.size()).asString(value.asString()))));
        for (var list : List.of("oneOf", "anyOf")) {
            schema.path(list).forEach(one -> {
                if (one.has("const")) {
                    choices.add(new Choice(
                            one.get("const"),
                            one.path("title").asString(one.get("const").asString())));
                }
            });
        }
        return choices;
    }
}
