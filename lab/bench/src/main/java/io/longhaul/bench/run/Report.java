// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import io.longhaul.protocol.json.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * The results of a run of the bench: medians over its rounds. Immutable.
 *
 * @param ceiling the number of requests per second that the load generator itself reaches
 * @param rows    in the order in which they were measured
 * @param remarks sentences for the reader
 */
public record Report(double ceiling, List<Row> rows, List<String> remarks) {

    private static final int TITLE = 60;

    public Report {
        rows = List.copyOf(rows);
        remarks = List.copyOf(remarks);
    }

    /** Tables for people, line by line: one for all rows with the same main figure. */
    public List<String> lines() {
        var lines = new ArrayList<String>();
        var tables = new LinkedHashMap<Figure, List<Row>>();
        rows.forEach(row ->
                tables.computeIfAbsent(row.main(), main -> new ArrayList<>()).add(row));
        tables.forEach((main, table) -> {
            var figures = new LinkedHashSet<>(Set.of(main));
            table.forEach(row -> figures.addAll(row.figures()));
            lines.add(line("", columns(figures, figure -> figure.heading, "x base", "spread")));
            table.forEach(row -> lines.add(line(row.title(), values(row, figures))));
            lines.add("");
        });
        lines.add(String.format(
                Locale.ROOT, "The load generator itself reaches %,.0f requests a second at a null server.", ceiling));
        lines.addAll(remarks);
        return lines;
    }

    private List<String> values(Row row, Set<Figure> figures) {
        var ratio = ratio(row);
        return columns(
                figures,
                figure -> row.figures().contains(figure) ? figure.text(row.median(figure)) : "",
                ratio.isPresent() ? text(ratio.getAsDouble(), 2) : "",
                text(row.spread() * 100, 0) + "%");
    }

    /** The columns: the main figure, the comparison, then the other figures. */
    private static List<String> columns(
            Set<Figure> figures, Function<Figure, String> text, String ratio, String spread) {
        var columns = new ArrayList<>(figures.stream().map(text).toList());
        columns.addAll(1, List.of(ratio, spread));
        return columns;
    }

    private static String line(String title, List<String> columns) {
        var line = new StringBuilder(String.format("%-" + TITLE + "s", title));
        columns.forEach(column -> line.append(String.format(" %9s", column)));
        return line.toString();
    }

    /** The report for programs: one JSON object on a line. */
    public String json() {
        var json = new JsonWriter().beginObject().name("ceilingPerSecond").number(ceiling);
        json.name("rows").beginArray();
        for (var row : rows) {
            write(row, json);
        }
        json.endArray().name("remarks").beginArray();
        remarks.forEach(json::string);
        return json.endArray().endObject().toJson().toString();
    }

    private void write(Row row, JsonWriter json) {
        json.beginObject().name("title").string(row.title());
        row.figures().forEach(figure -> json.name(figure.key).number(row.median(figure)));
        json.name("spread").number(row.spread());
        var ratio = ratio(row);
        if (ratio.isPresent()) {
            json.name("base").string(row.scenario().base());
            json.name("ratioToBase").number(ratio.getAsDouble());
        }
        json.name("rounds").beginArray();
        for (var value : row.values(row.main())) {
            json.number(value);
        }
        json.endArray().endObject();
    }

    /** The ratio of a row to its base, with the same number of connections where there is such a row. */
    private OptionalDouble ratio(Row row) {
        var base = row.scenario().base();
        return rows.stream()
                .filter(other -> other.main() == row.main())
                .filter(other -> other.title().equals(base + row.suffix()))
                .findFirst()
                .or(() -> rows.stream()
                        .filter(other -> other.main() == row.main())
                        .filter(other -> other.title().equals(base))
                        .findFirst())
                .map(other -> OptionalDouble.of(row.median(row.main()) / Math.max(1e-9, other.median(row.main()))))
                .orElse(OptionalDouble.empty());
    }

    private static String text(double number, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", number);
    }
}
