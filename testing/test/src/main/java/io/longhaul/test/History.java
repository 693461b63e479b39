// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.TaskEvent;
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

    private static String line(Happening what, Map<String, String> words) {
        return switch (what) {
            case Happening.Created created -> "created";
            case Happening.Started(var attempt) -> "started, attempt " + attempt;
            case Happening.Progressed(var progress) -> "progress " + progress(progress);
            case Happening.Said(var message) -> "status \"" + message + "\"";
            case Happening.Logged(var level, var logger, var data) -> "log " + level + " " + data.text();
            case Happening.Emitted(var output) -> "partial output " + output.text();
            case Happening.StepDone(var name, var result) -> "step \"" + name + "\" done: " + result.text();
            case Happening.Asked(var key) -> "asked \"" + key + "\" " + words.getOrDefault(key, "");
            case Happening.Answered(var key) -> "answered \"" + key + "\"";
            case Happening.Crashed(var attempt) -> "crashed in attempt " + attempt;
            case Happening.HandedBack back -> "handed back by a server that stopped";
            case Happening.Ended(var outcome) -> "ended: " + outcome(outcome);
            case Happening.WorkEnded ended -> "its work stopped";
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
