// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.OperatorTasks;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.HistoryRange;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Prints the history of a task, event by event, and follows new events. */
record TaskHistory(OperatorTasks tasks, Terminal terminal, boolean json) {

    private static final int PAGE = 500;

    /** The wait for one answer, within the limits of Longhaul servers and clients. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Set<String> SAID = Set.of(HistoryEvent.LOG, HistoryEvent.OUTPUT);

    /**
     * Prints the history, a line for each event.
     *
     * @param isLog   whether only the log lines and the output of the work are wanted
     * @param follows whether to go on until the task has ended
     */
    int print(String id, boolean isLog, boolean follows) {
        var types = isLog ? SAID : Set.<String>of();
        long after = 0;
        Long written = isLog ? 0L : null;
        boolean goesOn = true;
        while (goesOn) {
            var patience = follows ? PATIENCE : Duration.ZERO;
            var page = tasks.history(id, new HistoryRange(after, PAGE, types, written, patience));
            page.events().forEach(event -> terminal.out().println(line(event, isLog)));
            after = page.last();
            written = page.written();
            goesOn = page.more() || follows && !TaskText.ENDED.contains(page.state());
        }
        return ExitCode.OK;
    }

    private String line(HistoryEvent event, boolean isLog) {
        var detail = (ObjectNode) JsonText.tree(event.detail());
        if (json) {
            var line = JsonText.object();
            if (event.seq() > 0) {
                line.put("seq", event.seq());
            }
            line.put("at", event.at().toString());
            return JsonText.line(line.put("type", event.type()).setAll(detail));
        }
        if (isLog && event.type().equals(HistoryEvent.OUTPUT)) {
            return SafeText.block(EventText.text(detail.path("data")).stripTrailing());
        }
        var words = SafeText.line(EventText.words(event.type(), detail));
        return isLog
                ? words
                : String.format(
                        Locale.ROOT, "%4d  %s  %s", event.seq(), event.at().truncatedTo(ChronoUnit.MILLIS), words);
    }
}
