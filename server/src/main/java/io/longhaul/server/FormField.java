package io.longhaul.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One field of a {@link Form}, in the making. Not thread-safe.
 *
 * @param <F> its own kind
 */
public abstract sealed class FormField<F extends FormField<F>> {

    final Map<String, Object> words = new LinkedHashMap<>();
    boolean optional;

    private FormField(String type) {
        words.put("type", type);
    }

    /** Its name for people. */
    public F title(String title) {
        return say("title", title);
    }

    public F description(String description) {
        return say("description", description);
    }

    /** It may be left empty. */
    public F optional() {
        optional = true;
        return self();
    }

    Map<String, Object> schema(String name) {
        return words;
    }

    F say(String word, Object value) {
        words.put(word, value);
        return self();
    }

    @SuppressWarnings("unchecked")
    private F self() {
        return (F) this;
    }

    /** What a text must look like. */
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
    public static final class Text extends FormField<Text> {
        Text() {
            super("string");
        }

        public Text minLength(int characters) {
            return say("minLength", characters);
        }

        public Text maxLength(int characters) {
            return say("maxLength", characters);
        }

        public Text format(Format format) {
            return say("format", format.word);
        }

        public Text preset(String value) {
            return say("default", value);
        }
    }

    /** A number. */
    public static final class Figure extends FormField<Figure> {
        Figure(String type) {
            super(type);
        }

        public Figure min(Number least) {
            return say("minimum", least);
        }

        public Figure max(Number most) {
            return say("maximum", most);
        }

        public Figure preset(Number value) {
            return say("default", value);
        }
    }

    /** Yes or no. */
    public static final class YesNo extends FormField<YesNo> {
        YesNo() {
            super("boolean");
        }

        public YesNo preset(boolean value) {
            return say("default", value);
        }
    }

    /** One of several values. Titles are given to all of them or to none. */
    public static final class Choice extends FormField<Choice> {
        private final Options options = new Options();
        private boolean legacy;

        Choice() {
            super("string");
        }

        /** Values that are their own titles. */
        public Choice options(String... values) {
            options.add(values);
            return this;
        }

        public Choice option(String value, String title) {
            options.add(value, title);
            return this;
        }

        public Choice preset(String value) {
            return say("default", value);
        }

        /** Spells titles as {@code enumNames} in every generation, for clients that know nothing newer. */
        public Choice legacyTitles() {
            legacy = true;
            return this;
        }

        @Override
        Map<String, Object> schema(String name) {
            var all = new LinkedHashMap<>(words);
            options.check(name, words.containsKey("default") ? List.of(words.get("default")) : List.of());
            if (options.titles.isEmpty() || legacy) {
                all.put("enum", options.values);
            } else {
                all.put("oneOf", options.titled());
            }
            if (legacy && !options.titles.isEmpty()) {
                all.put("enumNames", options.titles);
            }
            return all;
        }
    }

    /** Any number of several values. Titles are given to all of them or to none. */
    public static final class Choices extends FormField<Choices> {
        private final Options options = new Options();

        Choices() {
            super("array");
        }

        /** Values that are their own titles. */
        public Choices options(String... values) {
            options.add(values);
            return this;
        }

        public Choices option(String value, String title) {
            options.add(value, title);
            return this;
        }

        /** At least so many. */
        public Choices atLeast(int count) {
            return say("minItems", count);
        }

        /** At most so many. */
        public Choices atMost(int count) {
            return say("maxItems", count);
        }

        public Choices preset(String... values) {
            return say("default", List.of(values));
        }

        @Override
        Map<String, Object> schema(String name) {
            var all = new LinkedHashMap<>(words);
            options.check(name, words.get("default") instanceof List<?> chosen ? chosen : List.of());
            all.put(
                    "items",
                    options.titles.isEmpty()
                            ? Map.of("type", "string", "enum", options.values)
                            : Map.of("anyOf", options.titled()));
            return all;
        }
    }

    /** What there is to choose from. */
    private static final class Options {
        private final List<String> values = new ArrayList<>();
        private final List<String> titles = new ArrayList<>();

        void add(String... more) {
            values.addAll(List.of(more));
        }

        void add(String value, String title) {
            values.add(value);
            titles.add(title);
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
            if (values.isEmpty()) {
                throw new IllegalArgumentException(field + "has nothing to choose from: add options");
            }
            if (!titles.isEmpty() && titles.size() != values.size()) {
                throw new IllegalArgumentException(field + "must give titles to all of its options or to none");
            }
            if (!values.containsAll(preset)) {
                throw new IllegalArgumentException(field + "is preset to " + preset + ", which is none of its options");
            }
        }
    }
}
