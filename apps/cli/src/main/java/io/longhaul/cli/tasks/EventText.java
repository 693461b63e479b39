// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.ProgressLine;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.dialect.words.ClientReader;
import tools.jackson.databind.JsonNode;

/** Describes what has happened to a task. Texts of servers are included unchanged. */
public final class EventText {
    private EventText() {}

    /** The event in one line, or in several where the work wrote several. */
    public static String words(HistoryEvent event) {
        return words(event.type(), JsonText.tree(event.detail()));
    }

    static String words(String type, JsonNode detail) {
        return switch (type) {
            case "started" -> "started, attempt " + detail.path("attempt").asInt(1);
            case "crashed" ->
                "the server died during attempt " + detail.path("attempt").asInt(1);
            case "progress" -> {
                var progress = ClientReader.progress(detail);
                var message = progress == null || progress.message() == null ? "" : progress.message();
                yield "progress " + ProgressLine.plain(progress, message);
            }
            case "status" -> "says " + detail.path("message").asString("");
            case HistoryEvent.LOG -> detail.path("level").asString("info") + ": " + text(detail.path("data"));
            case HistoryEvent.OUTPUT -> "output " + text(detail.path("data"));
            case "step" ->
                step(detail.path("name").asString(""), detail.path("task").asString(""));
            case "asked" -> "asks " + detail.path("key").asString("");
            case "answered" -> detail.path("key").asString("") + " answered";
            case "handed_back" -> "handed back by a stopping server";
            case "ended" -> "ended: " + outcome(detail);
            case "work_ended" -> "its work is known to have stopped";
            default -> type;
        };
    }

    private static String step(String name, String child) {
        return child.isEmpty()
                ? "step " + name + " done, recorded once and for all"
                : "calls " + name + " as task " + child;
    }

    private static String outcome(JsonNode detail) {
        var outcome = detail.path("outcome").asString("");
        return switch (outcome) {
            case "result" ->
                detail.path("declined").asBoolean(false)
                        ? "declined"
                        : detail.path("isError").asBoolean(false) ? "the tool failed" : "success";
            default -> detail.path("reason").asString(outcome);
        };
    }

    static String text(JsonNode data) {
        return data.isString() ? data.stringValue() : data.toString();
    }
}
