// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What every generation says in every case, to be read. Not thread-safe. */
final class Table {

    private final Map<Cell, Map<Tongue, Shown>> rows = new EnumMap<>(Cell.class);

    void put(Tongue tongue, Cell cell, Shown shown) {
        rows.computeIfAbsent(cell, row -> new EnumMap<>(Tongue.class)).put(tongue, shown);
    }

    /** Whether no cell is missing. */
    boolean isWhole() {
        return rows.size() == Cell.values().length
                && rows.values().stream().allMatch(row -> row.size() == Tongue.values().length);
    }

    @Override
    public String toString() {
        var reasons = new ArrayList<String>();
        var lines = new ArrayList<String>();
        lines.add("| what happens |" + line(Arrays.stream(Tongue.values()).map(Tongue::toString)));
        lines.add("|---|" + "---|".repeat(Tongue.values().length));
        rows.forEach((cell, row) ->
                lines.add("| " + cell + " |" + line(row.values().stream().map(shown -> text(shown, reasons)))));
        lines.add("");
        for (int i = 0; i < reasons.size(); i++) {
            lines.add((i + 1) + ". " + reasons.get(i));
        }
        return String.join("\n", lines);
    }

    private static String line(Stream<String> texts) {
        return texts.map(text -> " " + text + " |").collect(Collectors.joining());
    }

    private static String text(Shown shown, List<String> reasons) {
        return switch (shown) {
            case Shown.Held held -> held.text();
            case Shown.CannotBe none -> {
                if (!reasons.contains(none.reason())) {
                    reasons.add(none.reason());
                }
                yield "cannot be: see " + (reasons.indexOf(none.reason()) + 1);
            }
        };
    }
}
