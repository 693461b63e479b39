// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.databind.JsonNode;

/** Checks the limits of a form's fields, so that a person learns of a mistake at once. The server checks again. */
final class FieldRules {
    private static final Pattern EMAIL = Pattern.compile("[^@\\s]+@[^@\\s]+");
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");

    private FieldRules() {}

    /** Checks a value; the exception's message follows the field's name. */
    static void check(JsonNode value, JsonNode schema) {
        if (value.isNumber()) {
            number(value, schema);
        } else if (value.isString()) {
            text(value.stringValue(), schema);
        }
    }

    private static void number(JsonNode value, JsonNode schema) {
        if (schema.path("minimum").isNumber()
                && value.doubleValue() < schema.get("minimum").doubleValue()) {
            throw new IllegalArgumentException("must be at least " + schema.get("minimum"));
        }
        if (schema.path("maximum").isNumber()
                && value.doubleValue() > schema.get("maximum").doubleValue()) {
            throw new IllegalArgumentException("must be at most " + schema.get("maximum"));
        }
    }

    private static void text(String text, JsonNode schema) {
        int length = text.codePointCount(0, text.length());
        if (length < schema.path("minLength").asInt(0)) {
            throw new IllegalArgumentException("needs at least " + schema.get("minLength") + " characters");
        }
        if (length > schema.path("maxLength").asInt(Integer.MAX_VALUE)) {
            throw new IllegalArgumentException("takes at most " + schema.get("maxLength") + " characters");
        }
        var format = schema.path("format").asString("");
        if (format.equals("email") && !EMAIL.matcher(text).matches()) {
            throw new IllegalArgumentException("must be an e-mail address");
        }
        if (format.equals("date") && !DATE.matcher(text).matches()) {
            throw new IllegalArgumentException("must be a date as year-month-day");
        }
        if (!matches(text, schema.path("pattern").asString(""))) {
            throw new IllegalArgumentException(
                    "must match " + schema.get("pattern").asString());
        }
    }

    private static boolean matches(String text, String pattern) {
        try {
            return pattern.isEmpty() || Pattern.compile(pattern).matcher(text).find();
        } catch (PatternSyntaxException e) {
            return true;
        }
    }
}
