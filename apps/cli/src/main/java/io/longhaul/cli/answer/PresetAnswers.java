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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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

    /**
     * What the given values make of a form.
     *
     * @param slips   why given values do not fit their fields: sentences without their full stops
     * @param gaps    which required fields have no value: sentences, too
     * @param isWhole whether the content is an answer
     */
    private record Filled(ObjectNode content, List<String> slips, List<String> gaps, boolean isWhole) {}

    private Filled fill(Form form) {
        var schema = JsonText.tree(form.schema());
        var content = JsonText.object();
        var slips = new ArrayList<String>();
        var gaps = new ArrayList<String>();
        for (var property : schema.path("properties").properties()) {
            var name = property.getKey();
            try {
                var value = value(name, property.getValue());
                if (value != null) {
                    content.set(name, value);
                } else if (FieldValue.isRequired(schema, name)) {
                    gaps.add("\"" + name + "\" needs a value");
                }
            } catch (IllegalArgumentException e) {
                slips.add("\"" + name + "\" " + e.getMessage());
            }
        }
        boolean isWhole = slips.isEmpty()
                && schema.path("required").valueStream().allMatch(required -> content.has(required.asString()))
                && (yes || !content.isEmpty());
        return new Filled(content, slips, gaps, isWhole);
    }

    /** The value of a field; null where neither the person nor the form gives one. */
    private @Nullable JsonNode value(String name, JsonNode field) {
        var given = byField.get(name);
        if (given != null) {
            var value = FieldValue.read(given, field);
            FieldRules.check(value, field);
            return value;
        }
        if (!yes || field.has("default")) {
            return yes ? field.get("default") : null;
        }
        return field.path("type").asString("").equals("boolean") ? FieldValue.read("true", field) : null;
    }

    /** The answer to a form, or empty where the given values do not fill the form or do not fit. */
    public Optional<Reply> answer(Form form) {
        var filled = fill(form);
        return filled.isWhole() ? Optional.of(new Reply.Accepted(JsonText.json(filled.content()))) : Optional.empty();
    }

    /** Why the given values do not fill a form: sentences without their full stops. */
    public List<String> problems(Form form) {
        var filled = fill(form);
        var problems = new ArrayList<>(filled.slips());
        problems.addAll(filled.gaps());
        if (problems.isEmpty()) {
            var names = JsonText.tree(form.schema()).path("properties").propertyNames();
            problems.add("it asks for " + (names.isEmpty() ? "yes or no" : String.join(", ", names)));
        }
        return problems;
    }

    /** Whether a given value does not fit this form. */
    boolean hasSlip(Form form) {
        return !fill(form).slips().isEmpty();
    }
}
