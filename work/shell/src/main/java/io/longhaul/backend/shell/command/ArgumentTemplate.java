// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.command;

import io.longhaul.engine.run.Template;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;

/**
 * One element of a command line, or its standard input, with slots for values.
 *
 * @param isList whether the text is exactly the slot of a list, which gives any number of elements
 */
public record ArgumentTemplate(Template text, boolean isList) {

    /** The longest value in bytes: Linux accepts 128 KiB for one element, which can contain other text too. */
    private static final int LONGEST = 120_000;

    /**
     * @param lists the names of the values that are lists
     * @throws IllegalArgumentException where a list stands inside a text, or the text has the character U+0000
     */
    public static ArgumentTemplate parse(String template, Set<String> lists) {
        if (template.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("an argument cannot hold the character U+0000");
        }
        var text = Template.parse(template);
        boolean isList = text.onlySlot().filter(lists::contains).isPresent();
        if (!isList && text.slots().stream().anyMatch(lists::contains)) {
            throw new IllegalArgumentException("a list must be an element of its own, not inside '" + template + "'");
        }
        return new ArgumentTemplate(text, isList);
    }

    private Set<String> names() {
        return text.slots();
    }

    /** Whether every call gives the same text. */
    boolean isFixed() {
        return names().isEmpty();
    }

    /** The text with empty braces for each slot. */
    String outline() {
        return text.fill(name -> "{}");
    }

    public boolean isGiven(Map<String, List<String>> arguments) {
        return names().stream()
                .allMatch(name -> !arguments.getOrDefault(name, List.of()).isEmpty());
    }

    /**
     * The elements that the template gives for these arguments; a missing list gives no element.
     *
     * @param dashes whether a value may begin with a dash where that makes its element an option
     * @throws BadArgumentException when a value is missing, or cannot be an argument
     */
    List<String> fill(Map<String, List<String>> arguments, boolean dashes) {
        var elements = fill(arguments, ArgumentTemplate::checked);
        if (!dashes && elements.stream().anyMatch(this::isOptionByValue)) {
            throw new BadArgumentException("The argument '" + String.join("' or '", names())
                    + "' must not begin with a dash, because the command could take it for an option."
                    + " Write ./-name for a path, or give a value that begins with another character:"
                    + " this tool takes such values only where its file says dashes: allowed.");
        }
        return elements;
    }

    /**
     * Whether a value, not the template, provides the dash of an option: at the start of the element, or after dashes
     * only.
     */
    private boolean isOptionByValue(String element) {
        if (isFixed()) {
            return false;
        }
        var own = text.begin();
        return own.chars().allMatch(c -> c == '-') && element.startsWith("-", own.length());
    }

    /**
     * The text that the template gives, for standard input: the text has no longest length, and a list has one value a
     * line.
     *
     * @throws BadArgumentException when a value is missing
     */
    public String fillText(Map<String, List<String>> arguments) {
        return String.join("\n", fill(arguments, (name, value) -> value));
    }

    private List<String> fill(Map<String, List<String>> arguments, BinaryOperator<String> check) {
        if (isList) {
            var name = text.onlySlot().orElseThrow();
            return arguments.getOrDefault(name, List.of()).stream()
                    .map(value -> check.apply(name, value))
                    .toList();
        }
        return List.of(text.fill(name -> check.apply(name, single(name, arguments))));
    }

    private static String single(String name, Map<String, List<String>> arguments) {
        var values = arguments.getOrDefault(name, List.of());
        if (values.isEmpty()) {
            throw new BadArgumentException("The argument '" + name + "' is missing.");
        }
        if (values.size() > 1) {
            throw new BadArgumentException("The argument '" + name + "' has more than one value; give one.");
        }
        return values.getFirst();
    }

    private static String checked(String name, String value) {
        if (value.indexOf('\0') >= 0) {
            throw new BadArgumentException("The argument '" + name + "' holds the character U+0000; leave that out.");
        }
        if (value.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            throw new BadArgumentException(
                    "The argument '" + name + "' is longer than " + LONGEST + " bytes; give a shorter one.");
        }
        return value;
    }
}
