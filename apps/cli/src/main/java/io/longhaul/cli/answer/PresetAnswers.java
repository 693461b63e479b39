// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.answer;

import io.longhaul.cli.text.JsonText;
import io.longhaul.client.QuestionHandler.Form;
import io.longhaul.client.QuestionHandler.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Answers from the command line, for when no person can be asked. Immutable. */
public final class PresetAnswers {
    private final Map<String, String> byField;
    private final boolean yes;

    private PresetAnswers(Map<String, String> byField, boolean yes) {
        this.byField = Map.copyOf(byField);
        this.yes = yes;
    }

    /**
     * Reads the answers of a command line.
     *
     * @param pairs {@code field=value}
     * @param yes   whether all other fields take their defaults, or yes where a field has no default
     */
    public static PresetAnswers of(List<String> pairs, boolean yes) {
        var byField = new LinkedHashMap<String, String>();
        for (var pair : pairs) {
            var given = KeyValue.parse(pair, "is no answer. Write --answer field=value.");
            byField.put(given.key(), given.value());
        }
        return new PresetAnswers(byField, yes);
    }

    /** Whether there are no answers at all. */
    public boolean isEmpty() {
        return byField.isEmpty() && !yes;
    }

    /** The answer to a form, or empty where the given values do not fill the form or do not fit. */
    public Optional<Reply> answer(Form form) {
        var schema = JsonText.tree(form.schema());
        if (!slips(schema).isEmpty()) {
            return Optional.empty();
        }
        var content = JsonText.object();
        for (var property : schema.path("properties").properties()) {
            value(property.getKey(), property.getValue()).ifPresent(value -> content.set(property.getKey(), value));
        }
        for (var required : schema.path("required")) {
            if (!content.has(required.asString())) {
                return Optional.empty();
            }
        }
        return content.isEmpty() && !yes ? Optional.empty() : Optional.of(new Reply.Accepted(JsonText.json(content)));
    }

    /** Why the given values do not fill a form: sentences without their full stops. */
    public List<String> problems(Form form) {
        var schema = JsonText.tree(form.schema());
        var problems = new ArrayList<>(slips(schema));
        schema.path("properties").properties().forEach(property -> {
            if (!byField.containsKey(property.getKey())
                    && FieldValue.isRequired(schema, property.getKey())
                    && value(property.getKey(), property.getValue()).isEmpty()) {
                problems.add("\"" + property.getKey() + "\" needs a value");
            }
        });
        if (problems.isEmpty()) {
            var names = schema.path("properties").propertyNames();
            problems.add("it asks for " + (names.isEmpty() ? "yes or no" : String.join(", ", names)));
        }
        return problems;
    }

    /** Whether a given value does not fit this form. */
    boolean hasSlip(Form form) {
        return !slips(JsonText.tree(form.schema())).isEmpty();
    }

    /** The given values that do not fit their fields: sentences without their full stops. */
    private List<String> slips(JsonNode schema) {
        var slips = new ArrayList<String>();
        schema.path("properties").properties().forEach(property -> {
            var given = byField.get(property.getKey());
            if (given != null) {
                try {
                    read(given, property.getValue());
                } catch (IllegalArgumentException e) {
                    slips.add("\"" + property.getKey() + "\" " + e.getMessage());
                }
            }
        });
        return slips;
    }

    private static JsonNode read(String given, JsonNode field) {
        var value = FieldValue.read(given, field);
        FieldRules.check(value, field);
        return value;
    }

    private Optional<JsonNode> value(String name, JsonNode schema) {
        if (byField.containsKey(name)) {
            try {
                return Optional.of(read(byField.get(name), schema));
            } catch (IllegalArgumentException e) {
                return Optional.empty(); // problems() tells
            }
        }
        if (!yes) {
            return Optional.empty();
        }
        return schema.has("default")
                ? Optional.of(schema.get("default"))
                : schema.path("type").asString("").equals("boolean")
                        ? Optional.of(FieldValue.read("true", schema))
                        : Optional.empty();
    }
}
