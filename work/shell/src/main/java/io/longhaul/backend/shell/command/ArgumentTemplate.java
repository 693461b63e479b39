// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.command;

import io.longhaul.engine.run.TextTemplate;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;

/**
 * One element of a command line with placeholders: {@code {name}} stands for one value, an element that is exactly
 * {@code {name...}} for any number of elements, and {@code {{}} and {@code }}} for the braces themselves.
 */
public final class ArgumentTemplate {

    /** The longest value in bytes: Linux accepts 128 KiB for one element, which can contain other text too. */
    private static final int LONGEST = 120_000;

    private static final Pattern SPREAD = Pattern.compile("\\{([A-Za-z_][\\w.-]*?)\\.\\.\\.}");

    private final TextTemplate text;
    private final boolean isSpread;

    private ArgumentTemplate(TextTemplate text, boolean isSpread) {
        this.text = text;
        this.isSpread = isSpread;
    }

    /** @throws IllegalArgumentException when a brace is neither doubled nor part of a placeholder */
    public static ArgumentTemplate parse(String template) {
        var spread = SPREAD.matcher(template);
        if (spread.matches()) {
            return new ArgumentTemplate(TextTemplate.parse("{" + spread.group(1) + "}"), true);
        }
        if (template.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("an argument cannot hold the character U+0000");
        }
        var text = TextTemplate.parse(template);
        text.names().stream().filter(name -> name.endsWith("...")).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException("{" + name + "} must be an element of its own in '" + template + "'");
        });
        return new ArgumentTemplate(text, false);
    }

    /** The names of the arguments that the template uses. */
    public Set<String> names() {
        return text.names();
    }

    /** Whether every call gives the same text. */
    public boolean isFixed() {
        return names().isEmpty();
    }

    /** The text with empty braces for each placeholder. */
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
                    + " Write ./-name for a path, or give a value that begins with another character.");
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
        if (isSpread) {
            var name = names().iterator().next();
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
