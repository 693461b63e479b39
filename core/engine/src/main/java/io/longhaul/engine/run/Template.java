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

/**
 * A text with slots for values: {@code {name}} or {@code {name.field}}. {@code {{name}}} stands for the text
 * {@code {name}}; <code>${name}</code>, which is left to a shell, and all other braces stand for themselves. A command,
 * a request, a question and a notice are written in this one language: each knows its names, and how a value is written
 * there. Immutable.
 *
 * @param text   as the author has written it
 * @param pieces of the text, in their order
 */
public record Template(String text, List<Piece> pieces) {

    /** The regular expression of the name of a slot. */
    public static final String NAME = "[A-Za-z_][A-Za-z0-9_-]*(?:\\.[A-Za-z_][A-Za-z0-9_-]*)?";

    private static final Pattern SLOT = Pattern.compile("\\{(\\{" + NAME + "})}|(?<!\\$)\\{(" + NAME + ")}");

    /** A piece of the text as it is, or a slot for a value. */
    public sealed interface Piece {
        record Text(String text) implements Piece {}

        record Slot(String name) implements Piece {}
    }

    public Template {
        pieces = List.copyOf(pieces);
    }

    public static Template parse(String text) {
        var pieces = new ArrayList<Piece>();
        var match = SLOT.matcher(text);
        int end = 0;
        while (match.find()) {
            pieces.add(new Piece.Text(text.substring(end, match.start())));
            pieces.add(match.group(2) == null ? new Piece.Text(match.group(1)) : new Piece.Slot(match.group(2)));
            end = match.end();
        }
        pieces.add(new Piece.Text(text.substring(end)));
        pieces.removeIf(piece -> piece instanceof Piece.Text(String part) && part.isEmpty());
        return new Template(text, pieces);
    }

    /** The names of the values that the text takes, sorted. */
    public Set<String> slots() {
        return pieces.stream()
                .filter(Piece.Slot.class::isInstance)
                .map(piece -> ((Piece.Slot) piece).name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The name of the slot, where the text is exactly one slot. */
    public Optional<String> onlySlot() {
        return pieces.size() == 1 && pieces.getFirst() instanceof Piece.Slot(String name)
                ? Optional.of(name)
                : Optional.empty();
    }

    /** The text in front of the first slot. */
    public String begin() {
        var begin = new StringBuilder();
        for (var piece : pieces) {
            if (!(piece instanceof Piece.Text(String part))) {
                break;
            }
            begin.append(part);
        }
        return begin.toString();
    }

    /** The text with its values, each as {@code values} writes it. */
    public String fill(Function<String, String> values) {
        return pieces.stream()
                .map(piece -> switch (piece) {
                    case Piece.Text(String part) -> part;
                    case Piece.Slot(String name) -> values.apply(name);
                })
                .collect(Collectors.joining());
    }
}
