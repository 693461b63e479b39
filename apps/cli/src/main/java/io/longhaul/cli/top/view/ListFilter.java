// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.cli.tasks.TaskText;
import io.longhaul.protocol.call.TaskRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A filter for the listed tasks, which must contain all words. {@code state:}, {@code tool:} or {@code owner:} before a
 * word names the field that must contain it; any other word may be in any field of a list.
 */
public record ListFilter(String text) {

    static final ListFilter ALL = new ListFilter("");

    boolean takes(TaskRecord task) {
        return words().stream().allMatch(word -> has(task, word));
    }

    private List<String> words() {
        return Arrays.stream(text.toLowerCase(Locale.ROOT).strip().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static boolean has(TaskRecord task, String word) {
        var state = TaskText.state(task.task());
        var tool = task.tool().toLowerCase(Locale.ROOT);
        var owner = task.owner().toLowerCase(Locale.ROOT);
        int colon = word.indexOf(':');
        var wanted = word.substring(colon + 1);
        return switch (word.substring(0, colon + 1)) {
            case "state:" -> isIn(task, state, wanted);
            case "tool:" -> tool.contains(wanted);
            case "owner:" -> owner.contains(wanted);
            default ->
                String.join("\n", task.task().id(), state, tool, owner, TaskText.news(task.task()))
                        .toLowerCase(Locale.ROOT)
                        .contains(word);
        };
    }

    private static boolean isIn(TaskRecord task, String state, String wanted) {
        return switch (wanted) {
            case "live" -> !TaskSnapshot.isEnded(task);
            case "ended" -> TaskSnapshot.isEnded(task);
            default -> state.contains(wanted);
        };
    }
}
