// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.answer;

import io.longhaul.cli.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Describes the fields of a question, so that a person can answer them on a command line. */
public final class QuestionFields {

    private QuestionFields() {}

    /** A line for each field of the form that a question asks for, or for yes or no; none for one without a form. */
    public static List<String> lines(JsonNode params) {
        var schema = params.path("requestedSchema");
        var lines = new ArrayList<String>();
        for (var property : schema.path("properties").properties()) {
            boolean isRequired = FieldValue.isRequired(schema, property.getKey());
            lines.add(SafeText.line(property.getKey() + ": " + words(property.getValue(), isRequired)));
        }
        if (lines.isEmpty() && schema.isObject()) {
            lines.add("yes or no");
        }
        return lines;
    }

    private static String words(JsonNode field, boolean isRequired) {
        var words = new ArrayList<String>();
        var choices = FieldValue.choices(field);
        words.add(choices.isEmpty() ? field.path("type").asString("any value") : FieldValue.oneOf(choices));
        words.add(isRequired ? "required" : "optional");
        if (field.has("default")) {
            words.add("default " + field.get("default").asString());
        }
        var about = field.path("description").asString(field.path("title").asString(""));
        return String.join(", ", words) + (about.isEmpty() ? "" : " (" + about + ")");
    }
}
