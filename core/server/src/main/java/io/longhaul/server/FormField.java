// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.Require;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A builder of one field of a {@link Form}. Not thread-safe.
 *
 * @param <F> the type of the field itself
 */
public abstract sealed class FormField<F extends FormField<F>> {

    final Map<String, Object> words = new LinkedHashMap<>();
    boolean optional;

    private FormField(String type) {
        words.put("type", type);
    }

    /** Sets the display name of the field. */
    public F title(String title) {
        return put("title", title);
    }

    public F description(String description) {
        return put("description", description);
    }

    /** Makes the field optional. */
    public F optional() {
        optional = true;
        return self();
    }

    Map<String, Object> schema(String name) {
        return words;
    }

    F put(String word, Object value) {
        words.put(word, value);
        return self();
    }

    @SuppressWarnings("unchecked")
    final F self() {
        return (F) this;
    }

    /** The format of a text. */
    public enum Format {
        EMAIL("email"),
        URI("uri"),
        DATE("date"),
        DATE_TIME("date-time");

        private final String word;

        Format(String word) {
            this.word = word;
        }
    }

    /** A text. */
    public static final class StringField extends FormField<StringField> {
        StringField() {
            super("string");
        }

        public StringField minLength(int characters) {
            return put("minLength", characters);
        }

        public StringField maxLength(int characters) {
            return put("maxLength", characters);
        }

        public StringField format(Format format) {
            return put("format", format.word);
        }

        public StringField defaultValue(String value) {
            return put("default", value);
        }
    }

    /** A number. */
    public static final class NumberField extends FormField<NumberField> {
        NumberField(String type) {
            super(type);
        }

        public NumberField minimum(Number least) {
            return put("minimum", least);
        }

        public NumberField maximum(Number most) {
            return put("maximum", most);
        }

        public NumberField defaultValue(Number value) {
            return put("default", value);
        }
    }

    /** A boolean. */
    public static final class BooleanField extends FormField<BooleanField> {
        BooleanField() {
            super("boolean");
        }

        public BooleanField defaultValue(boolean value) {
            return put("default", value);
        }
    }

    /**
     * A choice among values. Titles are given to all of them or to none.
     *
     * @param <F> the type of the field itself
     */
    public abstract static sealed class Select<F extends Select<F>> extends FormField<F> {
        final List<String> values = new ArrayList<>();
        final List<String> titles = new ArrayList<>();

        private Select(String type) {
            super(type);
        }

        /** Adds values without titles. */
        public F options(String... values) {
            this.values.addAll(List.of(values));
            return self();
        }

        public F option(String value, String title) {
            values.add(value);
            titles.add(title);
            return self();
        }

        List<Map<String, String>> titled() {
            List<Map<String, String>> all = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                Map<String, String> option = new LinkedHashMap<>();
                option.put("const", values.get(i));
                option.put("title", titles.get(i));
                all.add(option);
            }
            return all;
        }

        void check(String name, List<?> preset) {
            String field = "the field '" + name + "' ";
            Require.that(!values.isEmpty(), field + "has nothing to choose from: add options");
            if (!titles.isEmpty() && titles.size() != values.size()) {
                throw new IllegalArgumentException(field + "must give titles to all of its options or to none");
            }
            if (!values.containsAll(preset)) {
                throw new IllegalArgumentException(field + "is preset to " + preset + ", which is none of its options");
            }
        }
    }

    /** One of several values. */
    public static final class SingleSelect extends Select<SingleSelect> {
        private boolean legacy;

        SingleSelect() {
            super("string");
        }

        public SingleSelect defaultValue(String value) {
            return put("default", value);
        }

        /** Writes titles as {@code enumNames} in every generation, for clients that know only this form. */
        public SingleSelect legacyTitles() {
            legacy = true;
            return this;
        }

        @Override
        Map<String, Object> schema(String name) {
            var all = new LinkedHashMap<>(words);
            check(name, words.containsKey("default") ? List.of(words.get("default")) : List.of());
            if (titles.isEmpty() || legacy) {
                all.put("enum", values);
            } else {
                all.put("oneOf", titled());
            }
            if (legacy && !titles.isEmpty()) {
                all.put("enumNames", titles);
            }
            return all;
        }
    }

    /** Any number of several values. */
    public static final class MultiSelect extends Select<MultiSelect> {
        MultiSelect() {
            super("array");
        }

        /** Sets the least number of chosen values. */
        public MultiSelect minItems(int count) {
            return put("minItems", count);
        }

        /** Sets the greatest number of chosen values. */
        public MultiSelect maxItems(int count) {
            return put("maxItems", count);
        }

        public MultiSelect defaultValue(String... values) {
            return put("default", List.of(values));
        }

        @Override
        Map<String, Object> schema(String name) {
            var all = new LinkedHashMap<>(words);
            check(name, words.get("default") instanceof List<?> chosen ? chosen : List.of());
            all.put("items", titles.isEmpty() ? Map.of("type", "string", "enum", values) : Map.of("anyOf", titled()));
            return all;
        }
    }
}
