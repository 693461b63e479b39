// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A text with places for values: {@code {name}} or {@code {question.field}}. {@code {{name}}} stands for {@code {name}}
 * itself, and <code>${name}</code> is left to the shell. Immutable.
 */
public final class Template {
    private static final String NAME = "[A-Za-z_][A-Za-z0-9_-]*";
    private static final Pattern SLOT = Pattern.compile(
            "\\{(\\{" + NAME + "(?:\\." + NAME + ")?})}|(?<!\\$)\\{(" + NAME + "(?:\\." + NAME + ")?)}");

    private sealed interface Piece {
        record Text(String text) implements Piece {}

        record Slot(String name) implements Piece {}
    }

    private final List<Piece> pieces;

    private Template(List<Piece> pieces) {
        this.pieces = List.copyOf(pieces);
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
        pieces.removeIf(piece -> piece instanceof Piece.Text part && part.text().isEmpty());
        return new Template(pieces);
    }

    public Set<String> slots() {
        return pieces.stream()
                .filter(Piece.Slot.class::isInstance)
                .map(piece -> ((Piece.Slot) piece).name())
                .collect(Collectors.toSet());
    }

    /** The name of the place, where the text is only one place. */
    public Optional<String> onlySlot() {
        return pieces.size() == 1 && pieces.getFirst() instanceof Piece.Slot slot
                ? Optional.of(slot.name())
                : Optional.empty();
    }

    /** The text with its values. */
    public String fill(UnaryOperator<String> values) {
        var text = new StringBuilder();
        for (var piece : pieces) {
            text.append(
                    switch (piece) {
                        case Piece.Text part -> part.text();
                        case Piece.Slot slot -> values.apply(slot.name());
                    });
        }
        return text.toString();
    }

    /** The text with its places as they are written. */
    public String text() {
        return fill(name -> "{" + name + "}");
    }

    /** The template in the words of the shell backend: literal braces are doubled. */
    public String forShell() {
        var text = new StringBuilder();
        for (var piece : pieces) {
            text.append(
                    switch (piece) {
                        case Piece.Text part -> part.text().replace("{", "{{").replace("}", "}}");
                        case Piece.Slot slot -> "{" + slot.name() + "}";
                    });
        }
        return text.toString();
    }
}
