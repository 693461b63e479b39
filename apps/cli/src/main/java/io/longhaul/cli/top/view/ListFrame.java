// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import static io.longhaul.cli.text.Table.left;
import static io.longhaul.cli.text.Table.right;

import io.longhaul.cli.tasks.TaskText;
import io.longhaul.cli.terminal.Window.Line;
import io.longhaul.cli.terminal.Window.Style;
import io.longhaul.cli.text.Elapsed;
import io.longhaul.cli.text.SafeText;
import io.longhaul.cli.text.Table;
import io.longhaul.cli.text.Table.Column;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Writes the list of tasks, a line for each. Pure. */
public final class ListFrame {
    private ListFrame() {}

    /** The summary, and as many tasks around the selected one as fit. */
    static List<Line> of(TopState state, Instant now, int rows) {
        var board = state.board();
        var listed = board.listed();
        var lines = new ArrayList<>(head(state, now));
        int room = Math.max(1, rows - lines.size() - 1);
        int place = board.place();
        int first = Math.clamp((long) place - room / 2, 0, Math.max(0, listed.size() - room));
        var shown = listed.subList(first, Math.min(listed.size(), first + room));
        var table = new Table<>(columns(state, now)).lines(shown);
        lines.add(new Line("  " + table.getFirst(), Style.HEADING));
        for (int i = 0; i < shown.size(); i++) {
            var row = table.get(i + 1);
            lines.add(
                    first + i == place
                            ? new Line("> " + row, Style.MARKED)
                            : new Line("  " + row, style(shown.get(i))));
        }
        return lines;
    }

    /** All listed tasks with their ids, for a file or a pipe. */
    public static List<String> once(TopState state, Instant now) {
        var lines = new ArrayList<>(head(state, now).stream().map(Line::text).toList());
        var columns = new ArrayList<Column<TaskRecord>>();
        columns.add(left("ID", 36, task -> SafeText.line(task.task().id())));
        columns.addAll(columns(state, now));
        lines.addAll(new Table<>(columns).lines(state.board().listed()));
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

    private static List<Column<TaskRecord>> columns(TopState state, Instant now) {
        var columns = new ArrayList<Column<TaskRecord>>();
        columns.add(left("STATE", 14, task -> TaskText.state(task.task())));
        columns.add(right(
                "AGE",
                6,
                task -> Elapsed.text(Duration.between(task.task().times().createdAt(), now))));
        columns.add(left("TOOL", 16, task -> SafeText.fit(SafeText.line(task.tool()), 16)));
        columns.add(right("TOOK", 6, task -> TaskSnapshot.isEnded(task) ? Elapsed.text(Activity.took(task)) : ""));
        if (state.board().snapshot().hasOwners()) {
            columns.add(left("OWNER", 12, task -> SafeText.fit(SafeText.line(task.owner()), 12)));
        }
        columns.add(left("PROGRESS", 0, ListFrame::news));
        return columns;
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
