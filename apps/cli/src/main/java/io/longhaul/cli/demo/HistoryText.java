// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.cli.text.ProgressLine;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.TaskView.ProgressView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The stored history of a task, line by line. */
final class HistoryText {
    /** Pages end with the one that has brought this many events: more than the demo can make. */
    private static final int MOST = 10_000;

    private HistoryText() {}

    /** All events; of consecutive progress reports only the last. */
    static List<String> of(TaskStore store, TaskId id) {
        var events = new ArrayList<TaskEvent>();
        for (var page = store.history(id, 0, MOST); !page.isEmpty() && events.size() < MOST; ) {
            events.addAll(page);
            page = store.history(id, page.getLast().seq(), MOST);
        }
        var lines = new ArrayList<String>();
        var progress = new ArrayList<TaskEvent>();
        for (var event : events) {
            if (isProgress(event)) {
                progress.add(event);
                continue;
            }
            addLast(progress, events.getFirst().at(), lines);
            lines.add(line(event, events.getFirst().at(), ""));
        }
        addLast(progress, events.getFirst().at(), lines);
        return lines;
    }

    private static void addLast(List<TaskEvent> progress, Instant start, List<String> lines) {
        if (!progress.isEmpty()) {
            var last = progress.stream()
                    .filter(event -> event.what() instanceof EventDetail.Progressed)
                    .reduce(progress.getLast(), (before, after) -> after);
            lines.add(line(last, start, "  (the last of " + progress.size() + " reports)"));
            progress.clear();
        }
    }

    private static String line(TaskEvent event, Instant start, String note) {
        double since = Duration.between(start, event.at()).toMillis() / 1_000.0;
        return String.format(Locale.ROOT, "%4d  +%6.2f s  %s%s", event.seq(), since, words(event.what()), note);
    }

    private static boolean isProgress(TaskEvent event) {
        return event.what() instanceof EventDetail.Progressed || event.what() instanceof EventDetail.Said;
    }

    private static String words(EventDetail what) {
        return switch (what) {
            case EventDetail.Created created -> "created";
            case EventDetail.Started started -> "started, attempt " + started.attempt();
            case EventDetail.Progressed progressed ->
                "progress " + ProgressLine.plain(progress(progressed.progress()), "");
            case EventDetail.Said said -> "says " + said.message();
            case EventDetail.Logged logged -> "logs " + logged.data().text();
            case EventDetail.Emitted emitted ->
                "partial output of " + emitted.output().size() + " bytes";
            case EventDetail.StepDone step -> "step " + step.name() + " done, recorded once and for all";
            case EventDetail.Asked asked -> "asks " + asked.key();
            case EventDetail.Answered answered -> answered.key() + " answered";
            case EventDetail.Crashed crashed -> "the server died during attempt " + crashed.attempt();
            case EventDetail.HandedBack handedBack -> "handed back by a stopping server";
            case EventDetail.Ended ended -> "ended: " + outcome(ended.outcome());
            case EventDetail.WorkEnded workEnded -> "its work is known to have stopped";
        };
    }

    private static ProgressView progress(Progress progress) {
        return new ProgressView(progress.current(), progress.total(), null);
    }

    private static String outcome(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Result result -> result.isError() ? "the tool failed" : "success";
            case Outcome.Error error -> error.message();
            case Outcome.Cancelled cancelled -> "cancelled";
            case Outcome.Failed failed -> failed.message();
        };
    }
}
