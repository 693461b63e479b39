// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the history of a task in lines, for the message of a failed test. */
final class History {

    private History() {}

    /**
     * Each event with the time since the first event.
     *
     * @param words the words of the questions, by their keys
     */
    static String lines(List<TaskEvent> events, Map<String, String> words) {
        if (events.isEmpty()) {
            return "  nothing was stored";
        }
        Instant first = events.getFirst().at();
        return events.stream()
                .map(event -> "  +%s %s".formatted(since(first, event.at()), line(event.what(), words)))
                .collect(Collectors.joining("\n"));
    }

    private static String since(Instant first, Instant then) {
        return Duration.between(first, then).toString().substring(2).toLowerCase(Locale.ROOT);
    }

    private static String line(EventDetail what, Map<String, String> words) {
        return switch (what) {
            case EventDetail.Created created -> "created";
            case EventDetail.Started(var attempt) -> "started, attempt " + attempt;
            case EventDetail.Progressed(var progress) -> "progress " + progress(progress);
            case EventDetail.Said(var message) -> "status \"" + message + "\"";
            case EventDetail.Logged(var level, var logger, var data) -> "log " + level + " " + data.text();
            case EventDetail.Emitted(var output) -> "partial output " + output.text();
            case EventDetail.StepDone(var name, var result) -> "step \"" + name + "\" done: " + result.text();
            case EventDetail.Asked(var key) -> "asked \"" + key + "\" " + words.getOrDefault(key, "");
            case EventDetail.Answered(var key) -> "answered \"" + key + "\"";
            case EventDetail.Crashed(var attempt) -> "crashed in attempt " + attempt;
            case EventDetail.HandedBack back -> "handed back by a server that stopped";
            case EventDetail.Ended(var outcome) -> "ended: " + outcome(outcome);
            case EventDetail.WorkEnded ended -> "its work stopped";
        };
    }

    private static String progress(Progress progress) {
        var total = progress.total() == null ? "" : " of " + progress.total();
        var message = progress.message() == null ? "" : " \"" + progress.message() + "\"";
        return progress.current() + total + message;
    }

    private static String outcome(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Result(var body, var isError) -> (isError ? "error of the tool " : "result ") + body.text();
            case Outcome.Error(var code, var message, var data) -> "JSON-RPC error " + code + " \"" + message + "\"";
            case Outcome.Cancelled(var reason) -> "cancelled" + (reason == null ? "" : " \"" + reason + "\"");
            case Outcome.Failed(var reason, var message) -> "failed, " + reason + " \"" + message + "\"";
        };
    }
}
