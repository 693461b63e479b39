// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.text;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Things as lines of text, in columns that are as wide as their widest cell. The cells must be harmless for a terminal.
 *
 * @param <T> the thing of a line
 */
public record Table<T>(List<Column<T>> columns) {
    private static final String GAP = "  ";

    /**
     * A column.
     *
     * @param least   the least width, so that short tables look alike
     * @param isRight whether the cells end at the same place, as numbers do
     */
    public record Column<T>(String head, int least, boolean isRight, Function<T, String> cell) {
        private String padded(String text, int width) {
            var room = " ".repeat(Math.max(0, width - text.length()));
            return isRight ? room + text : text + room;
        }
    }

    public Table {
        columns = List.copyOf(columns);
    }

    @SafeVarargs
    public static <T> Table<T> of(Column<T>... columns) {
        return new Table<>(List.of(columns));
    }

    public static <T> Column<T> left(String head, int least, Function<T, String> cell) {
        return new Column<>(head, least, false, cell);
    }

    public static <T> Column<T> right(String head, int least, Function<T, String> cell) {
        return new Column<>(head, least, true, cell);
    }

    /** The names of the columns, and a line for each thing. */
    public List<String> lines(List<T> things) {
        var heads = columns.stream().map(Column::head).toList();
        return aligned(Stream.concat(Stream.of(heads), cells(things)).toList());
    }

    /** A line for each thing. */
    public List<String> rows(List<T> things) {
        return aligned(cells(things).toList());
    }

    private Stream<List<String>> cells(List<T> things) {
        return things.stream()
                .map(thing -> columns.stream()
                        .map(column -> column.cell().apply(thing))
                        .toList());
    }

    private List<String> aligned(List<List<String>> rows) {
        var widths = IntStream.range(0, columns.size())
                .map(i -> rows.stream()
                        .mapToInt(row -> row.get(i).length())
                        .reduce(columns.get(i).least(), Math::max))
                .toArray();
        return rows.stream()
                .map(row -> IntStream.range(0, widths.length)
                        .mapToObj(i -> columns.get(i).padded(row.get(i), widths[i]))
                        .collect(Collectors.joining(GAP))
                        .stripTrailing())
                .toList();
    }
}
