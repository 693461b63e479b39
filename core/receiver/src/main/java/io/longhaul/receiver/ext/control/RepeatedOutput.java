// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.control;

import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.json.JsonReader;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Finds status messages that are lines of the output or log before them, as commands have them: a history tells each
 * line once. Not thread-safe.
 */
final class RepeatedOutput {

    /** More characters than the longest status message has. */
    private static final int RECENT = 4_000;

    private String recent = "";

    /** Takes the next event of a history, and says whether it only repeats the output before it. */
    boolean isRepeated(HistoryEvent event) {
        return switch (event.type()) {
            case HistoryEvent.OUTPUT, HistoryEvent.LOG -> {
                put(text(event, "data"));
                yield false;
            }
            case "status" -> recent.contains(lines(text(event, "message")));
            default -> false;
        };
    }

    void put(String output) {
        var all = recent + lines(output).substring(recent.isEmpty() ? 0 : 1);
        recent = all.substring(Math.max(0, all.length() - RECENT));
    }

    private static String text(HistoryEvent event, String member) {
        return Objects.requireNonNullElse(JsonReader.members(event.detail()).text(member), "");
    }

    /** The text between line feeds; a status message has its lines without the spaces around them. */
    private static String lines(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
    }
}
