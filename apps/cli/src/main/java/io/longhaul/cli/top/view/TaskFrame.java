// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.cli.call.ResultPrinter;
import io.longhaul.cli.tasks.EventText;
import io.longhaul.cli.tasks.TaskText;
import io.longhaul.cli.terminal.Window.Line;
import io.longhaul.cli.terminal.Window.Style;
import io.longhaul.cli.text.Elapsed;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.cli.top.view.TopState.View;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.words.ClientReader;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Writes one task: its details, and below them its history up to its result. Pure. */
final class TaskFrame {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int MOST_OF_RESULT = 1_000;
    private static final int LEAST_OF_HISTORY = 8;
    private static final int BARS = 40;

    private TaskFrame() {}

    /** The lines of the window. The details leave room for the end of the history, or its scrolled part. */
    static List<Line> of(TopState state, View.Whole whole, Instant now, int rows) {
        var lines = new ArrayList<>(head(whole.detail(), now));
        int most = Math.max(rows / 2, rows - LEAST_OF_HISTORY);
        if (lines.size() > most) {
            lines.subList(most - 1, lines.size()).clear();
            lines.add(Line.plain("..."));
        }
        lines.add(TopFrame.trouble(state, now));
        lines.add(new Line("history, in UTC", Style.HEADING));
        var history = history(whole.detail());
        int room = Math.max(0, rows - lines.size());
        int end = Math.clamp((long) history.size() - whole.back(), Math.min(room, history.size()), history.size());
        history.subList(Math.max(0, end - room), end).forEach(line -> lines.add(Line.plain(line)));
        return lines;
    }

    private static List<Line> head(TaskDetail detail, Instant now) {
        var record = detail.task();
        var task = record.task();
        var lines = new ArrayList<Line>();
        lines.add(new Line(SafeText.line(record.tool()) + "  " + SafeText.line(task.id()), Style.HEADING));
        var state = TaskText.state(task);
        var ending = TaskText.ending(task);
        add(lines, "state", ending.isEmpty() || ending.equals(state) ? state : state + ", " + ending);
        TaskText.questions(task).forEach(line -> lines.add(new Line(line, Style.ASKING)));
        add(lines, "progress", TaskText.progress(task));
        var shares = shares(detail.events());
        add(lines, "so far", shares.size() < 2 ? "" : Sparkline.of(Sparkline.last(shares, BARS), 1));
        add(
                lines,
                "age",
                Elapsed.text(Duration.between(task.times().createdAt(), now)) + ", attempts: " + record.attempts()
                        + ", kept " + TaskText.kept(task.times()));
        add(lines, "owner", SafeText.line(record.owner()));
        add(lines, "called", TaskText.called(record));
        return lines;
    }

    private static void add(List<Line> lines, String name, String words) {
        if (!words.isEmpty()) {
            lines.add(Line.plain(TaskText.detail(name, words)));
        }
    }

    /** The share of the work that was done at each progress with a total. */
    private static List<Double> shares(List<HistoryEvent> events) {
        return events.stream()
                .filter(event -> event.type().equals("progress"))
                .map(event -> ClientReader.progress(JsonText.tree(event.detail())))
                .filter(Objects::nonNull)
                .filter(progress -> progress.total() != null && progress.total() > 0)
                .map(progress -> progress.current() / progress.total())
                .toList();
    }

    /** The history of a task and its result, a line for each line of text. */
    static List<String> history(TaskDetail detail) {
        var lines = new ArrayList<String>();
        detail.events().forEach(event -> lines.addAll(indented(TIME.format(event.at()), EventText.words(event))));
        if (detail.task().task().end() instanceof TaskView.End.Result(var result, var isError)) {
            lines.addAll(result(JsonText.tree(result)));
        }
        return lines;
    }

    private static List<String> result(JsonNode result) {
        var content = result.path("content");
        var lines = content.isEmpty() && result.has("structuredContent")
                ? indented("result", JsonText.pretty(result.get("structuredContent")))
                : content.valueStream()
                        .flatMap(item -> indented("result", ResultPrinter.shown(item)).stream())
                        .toList();
        if (lines.size() <= MOST_OF_RESULT) {
            return lines;
        }
        var some = new ArrayList<>(lines.subList(0, MOST_OF_RESULT));
        some.addAll(indented("", "... (longhaul tasks result shows all)"));
        return some;
    }

    private static List<String> indented(String head, String text) {
        var lines = SafeText.block(text).stripTrailing().lines().toList();
        return IntStream.range(0, lines.size())
                .mapToObj(i ->
                        "%-8s  %s".formatted(i == 0 ? head : "", lines.get(i).replace('\t', ' ')))
                .toList();
    }
}
