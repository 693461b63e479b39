// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A command line with placeholders, which refuses values that the program could take for options. Immutable. */
public final class CommandTemplate {

    private static final String END_OF_OPTIONS = "--";
    private static final Pattern FIND = Pattern.compile("(?:.*/)?g?find");

    /**
     * Elements that belong together; {@code optional} elements are present only where all of their arguments are given.
     */
    private record Element(List<ArgumentTemplate> templates, boolean optional) {
        boolean isPresent(Map<String, List<String>> arguments) {
            return !optional || templates.stream().allMatch(template -> template.isGiven(arguments));
        }
    }

    private final List<Element> elements;
    private final boolean dashesAllowed;
    private final boolean heedsEndOfOptions;

    /**
     * The elements of a command line as its author has written them.
     *
     * @param optional whether the elements are present only where all of their arguments are given
     */
    public record Words(List<String> templates, boolean optional) {}

    /**
     * @param lists the names of the arguments that are lists
     * @throws IllegalArgumentException when a list stands inside an element, or the command is an interpreter and its
     *                                  script contains a placeholder
     */
    public CommandTemplate(List<Words> words, Set<String> lists, boolean dashesAllowed) {
        elements = words.stream()
                .map(each -> new Element(
                        each.templates().stream()
                                .map(template -> ArgumentTemplate.parse(template, lists))
                                .toList(),
                        each.optional()))
                .toList();
        this.dashesAllowed = dashesAllowed;
        this.heedsEndOfOptions = heedsEndOfOptions(templates().toList());
    }

    private Stream<ArgumentTemplate> templates() {
        return elements.stream().flatMap(element -> element.templates().stream());
    }

    /**
     * The command line.
     *
     * @param wanted selects the elements
     * @throws BadArgumentException when an argument is missing or invalid
     */
    public List<String> fill(Map<String, List<String>> arguments, Predicate<ArgumentTemplate> wanted) {
        var line = new ArrayList<String>();
        boolean dashes = dashesAllowed;
        for (var element : elements) {
            if (element.isPresent(arguments)) {
                for (var template : element.templates().stream().filter(wanted).toList()) {
                    var filled = template.fill(arguments, dashes);
                    line.addAll(filled);
                    // A fixed word after the end of options can be another program, as in "env -- ls {name}".
                    dashes = dashesAllowed || (template.isFixed() ? endsOptions(filled.getFirst()) : dashes);
                }
            }
        }
        return line;
    }

    private boolean endsOptions(String word) {
        return heedsEndOfOptions && word.equals(END_OF_OPTIONS);
    }

    /**
     * Whether "--" protects values: a script can pass its arguments to any program, and find(1) has expressions after
     * "--".
     */
    private static boolean heedsEndOfOptions(List<ArgumentTemplate> templates) {
        var words = templates.stream().map(ArgumentTemplate::outline).toList();
        var scripts = Scripts.placesIn(words);
        if (!scripts.stream().allMatch(place -> templates.get(place).isFixed())) {
            throw new IllegalArgumentException("a script with a placeholder lets callers write code;"
                    + " use \"$1\" in it, and give the value as an argument behind it, or by standard input");
        }
        return scripts.isEmpty()
                && words.stream().noneMatch(word -> FIND.matcher(word).matches());
    }
}
