// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.answer;

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
        var least = schema.path("minimum");
        var most = schema.path("maximum");
        refuse(least.isNumber() && value.doubleValue() < least.doubleValue(), "must be at least " + least);
        refuse(most.isNumber() && value.doubleValue() > most.doubleValue(), "must be at most " + most);
    }

    private static void text(String text, JsonNode schema) {
        int length = text.codePointCount(0, text.length());
        var format = schema.path("format").asString("");
        var pattern = schema.path("pattern").asString("");
        refuse(length < schema.path("minLength").asInt(0), "needs at least " + schema.get("minLength") + " characters");
        refuse(
                length > schema.path("maxLength").asInt(Integer.MAX_VALUE),
                "takes at most " + schema.get("maxLength") + " characters");
        refuse(format.equals("email") && !EMAIL.matcher(text).matches(), "must be an e-mail address");
        refuse(format.equals("date") && !DATE.matcher(text).matches(), "must be a date as year-month-day");
        refuse(!matches(text, pattern), "must match " + pattern);
    }

    private static void refuse(boolean isBad, String problem) {
        if (isBad) {
            throw new IllegalArgumentException(problem);
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
