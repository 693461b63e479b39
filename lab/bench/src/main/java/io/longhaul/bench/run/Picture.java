// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Throughput and latency by connections, as SVG: one line for each scenario that was measured with several numbers of
 * connections. Both axes of both panels are logarithmic, so that equal ratios are equal distances.
 *
 * @param rows of a report
 */
public record Picture(List<Row> rows) {

    private static final int WIDTH = 1120;
    private static final int HEIGHT = 900;
    private static final int LEFT = 80;
    private static final int PLOT = 620;
    private static final int PANEL = 350;
    private static final List<String> COLOURS = List.of(
            "#555555", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#a05d2c",
            "#8c9a00", "#1b2a6b", "#c0392b", "#000000");

    /**
     * One of the two panels.
     *
     * @param title  the title above the panel
     * @param figure the figure to draw
     * @param unit   the unit by which the figure is divided
     * @param top    the upper edge
     */
    private record Panel(String title, Figure figure, double unit, int top) {}

    /**
     * Names that are written below one another, centred on the mean of their own places.
     *
     * @param middle the centre of all names
     * @param texts  the names from above
     */
    private record Labels(double middle, List<String> texts) {

        static final double LINE = 17;

        double top() {
            return middle - LINE * texts.size() / 2;
        }

        double bottom() {
            return middle + LINE * texts.size() / 2;
        }

        Labels with(Labels below) {
            var all = Stream.concat(texts.stream(), below.texts.stream()).toList();
            var weighed = middle * texts.size() + below.middle * below.texts.size();
            return new Labels(weighed / all.size(), all);
        }
    }

    /** The decades between which all values lie. */
    private record Axis(int from, int to) {

        static Axis around(List<Double> values) {
            var least = values.stream().mapToDouble(v -> v).min().orElse(1);
            var most = values.stream().mapToDouble(v -> v).max().orElse(1);
            var from = (int) Math.floor(Math.log10(least));
            return new Axis(from, Math.max(from + 1, (int) Math.ceil(Math.log10(most))));
        }

        double part(double value) {
            return (Math.log10(value) - from) / (to - from);
        }
    }

    public String svg() {
        var svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"13\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT));
        var lines = lines();
        draw(svg, new Panel("Requests a second", Figure.RATE, 1, 50), lines);
        draw(svg, new Panel("Milliseconds, median", Figure.MEDIAN, 1e3, 490), lines);
        return svg.append("</svg>\n").toString();
    }

    /** The rows of each scenario by their connections. */
    private Map<String, TreeMap<Double, Row>> lines() {
        var lines = new LinkedHashMap<String, TreeMap<Double, Row>>();
        for (var row : rows) {
            if (row.figures().contains(Figure.CONNECTIONS)) {
                lines.computeIfAbsent(row.scenario().title(), title -> new TreeMap<>())
                        .put(row.median(Figure.CONNECTIONS), row);
            }
        }
        lines.values().removeIf(line -> line.size() < 2);
        return lines;
    }

    private static void draw(StringBuilder svg, Panel panel, Map<String, TreeMap<Double, Row>> lines) {
        ToDoubleFunction<Row> value = row -> row.median(panel.figure()) / panel.unit();
        var counts = lines.values().stream()
                .flatMap(line -> line.keySet().stream())
                .distinct()
                .sorted()
                .toList();
        if (counts.isEmpty()) {
            return;
        }
        var axis = Axis.around(lines.values().stream()
                .flatMap(line -> line.values().stream())
                .map(value::applyAsDouble)
                .toList());
        text(svg, LEFT, panel.top() - 18, "start", "<tspan font-size=\"16\">" + panel.title() + "</tspan>");
        grid(svg, panel, axis);
        counts.forEach(count -> {
            var x = x(count, counts);
            line(svg, x, panel.top(), x, panel.top() + PANEL);
            text(svg, x, panel.top() + PANEL + 18, "middle", number(count));
        });
        text(svg, LEFT + PLOT / 2, panel.top() + PANEL + 36, "middle", "connections");
        var labels = new TreeMap<Double, String>();
        var colour = 0;
        for (var line : lines.entrySet()) {
            var points = new ArrayList<String>();
            var y = 0.0;
            for (var point : line.getValue().entrySet()) {
                y = panel.top() + PANEL * (1 - axis.part(value.applyAsDouble(point.getValue())));
                points.add(String.format(Locale.ROOT, "%.1f,%.1f", x(point.getKey(), counts), y));
            }
            var paint = COLOURS.get(colour++ % COLOURS.size());
            curve(svg, points, paint);
            while (labels.containsKey(y)) {
                y += 0.01;
            }
            labels.put(y, "<tspan fill=\"" + paint + "\">" + escaped(line.getKey()) + "</tspan>");
        }
        label(svg, labels);
    }

    private static void grid(StringBuilder svg, Panel panel, Axis axis) {
        for (var decade = axis.from(); decade <= axis.to(); decade++) {
            var y = panel.top() + PANEL * (1 - axis.part(Math.pow(10, decade)));
            line(svg, LEFT, y, LEFT + PLOT, y);
            text(svg, LEFT - 8, y + 4, "end", number(Math.pow(10, decade)));
        }
    }

    /** Writes the name of each line at its end. Overlapping names move apart as little as possible. */
    private static void label(StringBuilder svg, TreeMap<Double, String> labels) {
        var groups = new ArrayList<Labels>();
        labels.forEach((y, label) -> {
            var last = new Labels(y, List.of(label));
            while (!groups.isEmpty() && groups.getLast().bottom() > last.top()) {
                last = groups.removeLast().with(last);
            }
            groups.add(last);
        });
        for (var group : groups) {
            for (var i = 0; i < group.texts().size(); i++) {
                text(
                        svg,
                        LEFT + PLOT + 12,
                        group.top() + Labels.LINE * (i + 0.5) + 4,
                        "start",
                        group.texts().get(i));
            }
        }
    }

    private static void curve(StringBuilder svg, List<String> points, String paint) {
        svg.append(String.format(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                String.join(" ", points), paint));
        for (var point : points) {
            var at = point.split(",");
            svg.append(String.format("<circle cx=\"%s\" cy=\"%s\" r=\"3\" fill=\"%s\"/>%n", at[0], at[1], paint));
        }
    }

    private static double x(double count, List<Double> counts) {
        var from = Math.log(counts.getFirst());
        var range = Math.max(1e-9, Math.log(counts.getLast()) - from);
        return LEFT + PLOT * (Math.log(count) - from) / range;
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n",
                x1,
                y1,
                x2,
                y2));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#333333\">%s</text>%n",
                x,
                y,
                anchor,
                text));
    }

    private static String number(double value) {
        return value >= 1 ? String.format(Locale.ROOT, "%,.0f", value) : String.valueOf((float) value);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
