// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A text in which {@code {name}} stands for a value, and {@code {{} and {@code }}} for the braces themselves. */
public record TextTemplate(List<Part> parts) {

    private static final Pattern TOKEN = Pattern.compile("\\{\\{|}}|\\{([A-Za-z_][\\w.-]*)}|[{}]|[^{}]+");

    /** A piece of the text, or a place for a value. */
    public sealed interface Part {
        record Text(String text) implements Part {}

        record Placeholder(String name) implements Part {}
    }

    public TextTemplate {
        parts = List.copyOf(parts);
    }

    /** @throws IllegalArgumentException when a brace is neither doubled nor part of a placeholder */
    public static TextTemplate parse(String text) {
        var parts = new ArrayList<Part>();
        var tokens = TOKEN.matcher(text);
        while (tokens.find()) {
            var name = tokens.group(1);
            parts.add(name != null ? new Part.Placeholder(name) : new Part.Text(literal(tokens.group(), text)));
        }
        return new TextTemplate(parts);
    }

    private static String literal(String token, String text) {
        return switch (token) {
            case "{{" -> "{";
            case "}}" -> "}";
            case "{", "}" ->
                throw new IllegalArgumentException("'" + token + "' in '" + text
                        + "' is not part of a placeholder {name}; write " + token + token + " for the brace itself");
            default -> token;
        };
    }

    /** The names of the values that the template uses, sorted. */
    public Set<String> names() {
        return parts.stream()
                .filter(Part.Placeholder.class::isInstance)
                .map(part -> ((Part.Placeholder) part).name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The name of the placeholder, where the template is exactly one placeholder. */
    public Optional<String> onlyPlace() {
        return parts.size() == 1 && parts.getFirst() instanceof Part.Placeholder(String name)
                ? Optional.of(name)
                : Optional.empty();
    }

    /** The text in front of the first placeholder. */
    public String begin() {
        var text = new StringBuilder();
        for (var part : parts) {
            if (!(part instanceof Part.Text(String piece))) {
                break;
            }
            text.append(piece);
        }
        return text.toString();
    }

    public String fill(Function<String, String> values) {
        var text = new StringBuilder();
        for (var part : parts) {
            text.append(
                    switch (part) {
                        case Part.Text(String piece) -> piece;
                        case Part.Placeholder(String name) -> values.apply(name);
                    });
        }
        return text.toString();
    }
}
