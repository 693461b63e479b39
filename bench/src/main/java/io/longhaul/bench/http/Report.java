package io.longhaul.bench.http;

import io.longhaul.bench.http.HttpBench.Row;
import io.longhaul.bench.http.HttpBench.Sample;
import io.longhaul.protocol.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a run of the bench has found: medians over its rounds. Immutable. */
public final class Report {

    private static final String FORM = "%-52s %9s %7s %7s %9s %8s %8s";

    private final double ceiling;
    private final List<Row> rows;

    Report(double ceiling, List<Row> rows) {
        this.ceiling = ceiling;
        this.rows = List.copyOf(rows);
    }

    /** A table for people, line by line. */
    public List<String> lines() {
        var lines = new ArrayList<String>();
        lines.add(String.format(FORM, "", "CPU us", "x echo", "spread", "a second", "p50 ms", "p99 ms"));
        for (var row : rows) {
            lines.add(String.format(
                    Locale.ROOT,
                    FORM,
                    row.title(),
                    text(row.median(Sample::cpu), 1),
                    text(ratio(row), 2),
                    text(row.spread() * 100, 0) + "%",
                    text(row.median(Sample::perSecond), 0),
                    text(row.median(Sample::median) / 1e3, 2),
                    text(row.median(Sample::slowest) / 1e3, 2)));
        }
        lines.add(String.format(
                Locale.ROOT, "The load generator itself reaches %,.0f requests a second at a null server.", ceiling));
        return lines;
    }

    /** The same for programs: one object on a line. */
    public String json() {
        var json = new JsonWriter().beginObject().name("ceilingPerSecond").number(ceiling);
        json.name("rows").beginArray();
        for (var row : rows) {
            json.beginObject()
                    .name("title")
                    .string(row.title())
                    .name("cpuMicros")
                    .number(row.median(Sample::cpu))
                    .name("ratioToEcho")
                    .number(ratio(row))
                    .name("spread")
                    .number(row.spread())
                    .name("perSecond")
                    .number(row.median(Sample::perSecond))
                    .name("p50Micros")
                    .number(row.median(Sample::median))
                    .name("p99Micros")
                    .number(row.median(Sample::slowest))
                    .name("cpuMicrosOfRounds")
                    .beginArray();
            row.samples().forEach(sample -> json.number(sample.cpu()));
            json.endArray().endObject();
        }
        return json.endArray().endObject().toJson().toString();
    }

    private double ratio(Row row) {
        return row.median(Sample::cpu) / Math.max(1e-9, rows.getFirst().median(Sample::cpu));
    }

    private static String text(double number, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", number);
    }
}
