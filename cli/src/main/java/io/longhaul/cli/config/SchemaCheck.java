package io.longhaul.cli.config;

import java.util.List;
import java.util.Set;

/** Looks for what is wrong in a JSON Schema while its place in the file is still known. */
final class SchemaCheck {
    static final Set<String> TYPES = Set.of("string", "integer", "number", "boolean", "array", "object", "null");

    private static final Set<String> SCHEMAS_BY_NAME = Set.of("properties", "$defs", "patternProperties");
    private static final Set<String> SCHEMA_LISTS = Set.of("allOf", "anyOf", "oneOf", "prefixItems");
    private static final Set<String> SCHEMAS =
            Set.of("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames");
    private static final Set<String> NUMBERS =
            Set.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf");
    private static final Set<String> COUNTS =
            Set.of("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties");

    private SchemaCheck() {}

    /** Fails on the first keyword whose value no JSON Schema can have. Keywords that are not known are left alone. */
    static void check(Entry schema) {
        if (schema.isScalar()) {
            schema.bool();
            return;
        }
        schema.fields().forEach(SchemaCheck::keyword);
    }

    static void keyword(String name, Entry value) {
        if (SCHEMAS_BY_NAME.contains(name)) {
            value.fields().values().forEach(SchemaCheck::check);
        } else if (SCHEMA_LISTS.contains(name)) {
            value.items().forEach(SchemaCheck::check);
        } else if (SCHEMAS.contains(name)) {
            check(value);
        } else if (NUMBERS.contains(name)) {
            number(value);
        } else if (COUNTS.contains(name)) {
            count(value);
        } else {
            switch (name) {
                case "type" -> (value.isList() ? value.items() : List.of(value)).forEach(SchemaCheck::type);
                case "required" -> value.items().forEach(Entry::text);
                case "pattern" -> value.regex();
                case "enum" -> values(value);
                default -> {}
            }
        }
    }

    static void type(Entry value) {
        var type = value.text();
        if (!TYPES.contains(type)) {
            throw value.bad(Entry.quote(type) + " is no type", Nearest.advice(type, TYPES));
        }
    }

    private static void values(Entry value) {
        if (value.items().isEmpty()) {
            throw value.bad("allows no value at all", "List the values that are allowed");
        }
    }

    private static void number(Entry value) {
        if (!value.json().isNumber()) {
            throw value.bad("must be a number, but is " + value.kind(), "Write a number");
        }
    }

    private static void count(Entry value) {
        if (!value.json().isInt() || value.json().intValue() < 0) {
            throw value.bad("must be a whole number from 0, but is " + value.kind(), "Write a number such as 4");
        }
    }
}
