// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.cli.tasks.TaskText;
import io.longhaul.cli.terminal.Window.Line;
import io.longhaul.cli.terminal.Window.Style;
import io.longhaul.cli.text.Elapsed;
import io.longhaul.cli.text.SafeText;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Writes the list of tasks, a line for each. Pure. */
final class ListFrame {
    private ListFrame() {}

    /** The summary, and as many tasks around the selected one as fit. */
    static List<Line> of(TopState state, Instant now, int rows) {
        var board = state.board();
        var listed = board.listed();
        boolean hasOwners = board.snapshot().hasOwners();
        var lines = new ArrayList<>(head(state, now));
        lines.add(new Line("  " + columns(hasOwners), Style.HEADING));
        int room = Math.max(1, rows - lines.size());
        int place = board.place();
        int first = Math.clamp((long) place - room / 2, 0, Math.max(0, listed.size() - room));
        for (int i = first; i < Math.min(listed.size(), first + room); i++) {
            var row = row(listed.get(i), now, hasOwners);
            lines.add(i == place ? new Line("> " + row, Style.MARKED) : new Line("  " + row, style(listed.get(i))));
        }
        return lines;
    }

    static List<String> once(TopState state, Instant now) {
        boolean hasOwners = state.board().snapshot().hasOwners();
        var lines = new ArrayList<>(head(state, now).stream().map(Line::text).toList());
        lines.add("%-36s  %s".formatted("ID", columns(hasOwners)));
        state.board()
                .listed()
                .forEach(task -> lines.add(
                        "%-36s  %s".formatted(SafeText.line(task.task().id()), row(task, now, hasOwners))));
        return lines;
    }

    private static List<Line> head(TopState state, Instant time) {
        var board = state.board();
        var now = board.snapshot();
        var listed = board.listed().size();
        var more = now.isCut() ? "+" : "";
        var which = board.filter().text().isBlank()
                ? now.tasks().size() + more + " tasks"
                : listed + " of " + now.tasks().size() + more + " tasks with "
                        + SafeText.line(board.filter().text());
        return List.of(
                new Line("Tasks of " + SafeText.line(state.server()), Style.HEADING),
                Line.plain(now.in(State.WORKING) + more + " working, " + now.in(State.SUBMITTED) + more + " submitted, "
                        + now.in(State.INPUT_REQUIRED) + more + " input_required; " + which + ", sorted by "
                        + board.order().word()),
                Line.plain(lastMinute(Activity.of(now))),
                TopFrame.trouble(state, time));
    }

    private static String lastMinute(Activity rates) {
        var most = Math.max(1, Collections.max(rates.ends()));
        var median = rates.median() == null ? "" : ", median " + Elapsed.text(rates.median());
        return "last minute: " + rates.created() + " created, " + rates.ended() + " ended (" + rates.failed()
                + " failed)" + median + "  " + Sparkline.of(rates.ends(), most);
    }

    private static String columns(boolean hasOwners) {
        return "%-14s  %6s  %-16s  %6s  %s%s"
                .formatted("STATE", "AGE", "TOOL", "TOOK", hasOwners ? "%-12s  ".formatted("OWNER") : "", "PROGRESS");
    }

    private static String row(TaskRecord task, Instant now, boolean hasOwners) {
        return "%-14s  %6s  %-16s  %6s  %s%s"
                .formatted(
                        TaskText.state(task.task()),
                        Elapsed.text(Duration.between(task.task().times().createdAt(), now)),
                        SafeText.fit(SafeText.line(task.tool()), 16),
                        TaskSnapshot.isEnded(task) ? Elapsed.text(Activity.took(task)) : "",
                        hasOwners ? "%-12s  ".formatted(SafeText.fit(SafeText.line(task.owner()), 12)) : "",
                        news(task))
                .stripTrailing();
    }

    private static String news(TaskRecord task) {
        if (TaskSnapshot.isEnded(task) || task.questions() == 0) {
            return SafeText.line(TaskText.news(task.task()));
        }
        return task.questions() + (task.questions() == 1 ? " open question" : " open questions");
    }

    private static Style style(TaskRecord task) {
        if (Activity.hasFailed(task)) {
            return Style.BAD;
        }
        return switch (task.task().status().state()) {
            case INPUT_REQUIRED -> Style.ASKING;
            case WORKING -> Style.GOOD;
            default -> Style.PLAIN;
        };
    }
}
