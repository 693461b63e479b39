package io.longhaul.cli.config;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** One value of a YAML file together with its place, so that whatever is wrong with it is told with line and field. */
record Entry(String file, String path, Node node, int depth) {
    private static final int MAX_DEPTH = 64;

    private Entry inner(String at, Node value) {
        var inner = new Entry(file, at, value, depth + 1);
        if (inner.depth > MAX_DEPTH) {
            throw inner.bad("is nested deeper than " + MAX_DEPTH + " levels", "Make it flatter");
        }
        return inner;
    }

    /** What is wrong here, and what to do. Both start in the middle of a sentence and end without a full stop. */
    ConfigException bad(String problem, String remedy) {
        var at = node.getStartMark()
                .map(mark -> ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1))
                .orElse("");
        var field = path.isEmpty() ? "" : path + ": ";
        return new ConfigException(file + at + ": " + field + problem + ". " + remedy + (endsOpen(remedy) ? "." : ""));
    }

    private static boolean endsOpen(String text) {
        return !text.endsWith("?") && !text.endsWith(".");
    }

    boolean isMapping() {
        return node instanceof MappingNode;
    }

    boolean isList() {
        return node instanceof SequenceNode;
    }

    boolean isScalar() {
        return node instanceof ScalarNode && !isNull();
    }

    boolean isNull() {
        return node.getTag().equals(Tag.NULL);
    }

    /**
     * The fields of a mapping in their order; a field that is not {@code known} is an error, and so is a repeated
     * one.
     */
    Map<String, Entry> fields(Collection<String> known) {
        var fields = fields();
        fields.forEach((name, entry) -> {
            if (!known.contains(name)) {
                throw entry.bad("is no field that Longhaul knows here", Nearest.advice(name, known));
            }
        });
        return fields;
    }

    /** The fields of a mapping in their order; a repeated one is an error. */
    Map<String, Entry> fields() {
        if (!(node instanceof MappingNode mapping)) {
            throw bad("must have fields, but is " + kind(), "Write name: value pairs, indented below it");
        }
        var fields = new LinkedHashMap<String, Entry>();
        for (var tuple : mapping.getValue()) {
            var key = inner(path, tuple.getKeyNode());
            var name = key.text();
            var entry = inner(path.isEmpty() ? name : path + "." + name, tuple.getValueNode());
            if (fields.put(name, entry) != null) {
                throw new Entry(file, entry.path, tuple.getKeyNode(), depth)
                        .bad("is there twice", "Keep one of the two");
            }
        }
        return fields;
    }

    List<Entry> items() {
        if (!(node instanceof SequenceNode sequence)) {
            throw bad("must be a list, but is " + kind(), "Write [a, b] or one \"- item\" a line");
        }
        var items = new ArrayList<Entry>();
        for (var item : sequence.getValue()) {
            items.add(inner(path + "[" + items.size() + "]", item));
        }
        return items;
    }

    /** Text; a number or a boolean is taken as it is written. */
    String text() {
        if (!isScalar()) {
            throw bad("must be text, but is " + kind(), "Write a text, in quotes where it has special characters");
        }
        var text = ((ScalarNode) node).getValue();
        if (text.indexOf('\0') >= 0) {
            throw bad("has the character U+0000 in it, which no program takes", "Leave it out");
        }
        return text;
    }

    boolean bool() {
        if (!node.getTag().equals(Tag.BOOL)) {
            throw bad("must be true or false, but is " + kind(), "Write true or false");
        }
        return text().equalsIgnoreCase("true");
    }

    int positive() {
        if (node.getTag().equals(Tag.INT) && text().matches("\\d{1,9}") && !text().matches("0+")) {
            return Integer.parseInt(text());
        }
        throw bad("must be a whole number from 1, but is " + kind(), "Write a number such as 4");
    }

    Duration duration() {
        var text = text();
        return Durations.parse(text).orElseThrow(() -> bad(quote(text) + " is no duration", Durations.ADVICE));
    }

    /** @param remedy names the values */
    <E extends Enum<E>> E oneOf(Class<E> values, String remedy) {
        return Arrays.stream(values.getEnumConstants())
                .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(text()))
                .findFirst()
                .orElseThrow(() -> bad(quote(text()) + " is not known here", "Write " + remedy));
    }

    Pattern regex() {
        var text = text();
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw bad(
                    quote(text) + " is no regular expression: "
                            + e.getDescription().toLowerCase(Locale.ROOT) + " at character " + (e.getIndex() + 1),
                    "Put it in single quotes and write a backslash before each bracket that is meant as such");
        }
    }

    /** The value as JSON, whatever it is. */
    JsonNode json() {
        var json = JsonNodeFactory.instance;
        if (isMapping()) {
            var object = json.objectNode();
            fields().forEach((name, entry) -> object.set(name, entry.json()));
            return object;
        }
        if (isList()) {
            var array = json.arrayNode();
            items().forEach(item -> array.add(item.json()));
            return array;
        }
        if (isNull()) {
            return json.nullNode();
        }
        var text = text();
        var tag = node.getTag();
        try {
            if (tag.equals(Tag.INT)) {
                return text.length() < 10
                        ? json.numberNode(Integer.parseInt(text))
                        : json.numberNode(new BigInteger(text));
            }
            return tag.equals(Tag.BOOL)
                    ? json.booleanNode(bool())
                    : tag.equals(Tag.FLOAT) ? json.numberNode(new BigDecimal(text)) : json.stringNode(text);
        } catch (NumberFormatException e) {
            throw bad(
                    quote(text) + " is no number that JSON has", "Write it in decimal digits, or in quotes as a text");
        }
    }

    /** What this is, in words that fit behind "is". */
    String kind() {
        if (isMapping()) {
            return "a mapping";
        }
        if (isList()) {
            return "a list";
        }
        return isNull() ? "empty" : quote(((ScalarNode) node).getValue());
    }

    static String quote(String text) {
        return "\"" + (text.length() > 60 ? text.substring(0, 57) + "..." : text) + "\"";
    }
}
