// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.cli.terminal.Tty;
import io.longhaul.cli.terminal.Window.Line;
import io.longhaul.cli.terminal.Window.Style;
import io.longhaul.cli.text.Elapsed;
import io.longhaul.cli.text.SafeText;
import io.longhaul.cli.top.view.TopState.Prompt;
import io.longhaul.cli.top.view.TopState.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Writes the lines of a window for a state. Pure. The most important parts are on the left, for narrow windows. */
public final class TopFrame {
    private static final String KEYS =
            "q quit  ? keys  enter open  a answer  c cancel  r retry  p purge  / find  o sort";
    private static final String KEYS_OF_TASK = "esc back  ? keys  a answer  c cancel  r retry  p purge  arrows scroll";
    private static final String KEYS_OF_HELP = "any key goes back";
    private static final List<String> HELP = List.of(
            "Keys",
            "",
            "arrows, page keys  select a task; scroll the history of one",
            "enter              open a task: history, log, output, questions and result",
            "esc                back to the list; in the list, all tasks again",
            "a                  answer what the task asks, in a dialogue",
            "c                  cancel the task",
            "r                  retry: call the tool of an ended task once more",
            "p                  purge: remove an ended task with its result",
            "P                  purge all ended tasks that are listed",
            "/                  find tasks with all these words; for one field:",
            "                   state:failed state:live state:ended tool:report owner:ada",
            "o                  sort by state, newest first, oldest first, by tool",
            "Ctrl-Z             go back to the shell, until fg",
            "q, Ctrl-C          quit; the tasks go on");

    /** The age of the last read from which the server counts as not answering. */
    private static final Duration LATE = Duration.ofSeconds(5);

    private TopFrame() {}

    /** The lines for the window, none wider than the window. */
    public static List<Line> of(TopState state, Instant now, Tty.Size size) {
        int rows = Math.max(1, size.rows() - 1);
        var lines = switch (state.view()) {
            case View.Tasks tasks -> ListFrame.of(state, now, rows);
            case View.Whole whole -> TaskFrame.of(state, whole, now, rows);
            case View.Help help -> HELP.stream().map(Line::plain).toList();
        };
        var all = new ArrayList<>(lines.subList(0, Math.min(rows, lines.size())));
        while (all.size() < rows) {
            all.add(Line.plain(""));
        }
        all.add(foot(state));
        return all.stream()
                .map(line -> new Line(SafeText.fit(line.text(), size.columns()), line.style()))
                .toList();
    }

    /** The line that says why the shown tasks are outdated, or an empty line. */
    static Line trouble(TopState state, Instant now) {
        var seen = state.board().snapshot();
        var trouble = seen.trouble();
        var age = Duration.between(seen.at(), now);
        if (trouble == null && age.compareTo(LATE) < 0) {
            return Line.plain("");
        }
        return new Line(
                (trouble == null ? "The server does not answer" : SafeText.line(trouble)) + ", for " + Elapsed.text(age)
                        + ". This goes on when it is back.",
                Style.BAD);
    }

    private static Line foot(TopState state) {
        return switch (state.prompt()) {
            case Prompt.Filtering filtering ->
                Line.plain("/" + SafeText.line(state.board().filter().text()) + "_");
            case Prompt.Confirming(var question, var act) -> new Line(question, Style.ASKING);
            case Prompt.Nothing none -> {
                var keys = switch (state.view()) {
                    case View.Tasks tasks -> KEYS;
                    case View.Whole whole -> KEYS_OF_TASK;
                    case View.Help help -> KEYS_OF_HELP;
                };
                yield Line.plain(state.note().isEmpty() ? keys : SafeText.line(state.note()));
            }
        };
    }
}
