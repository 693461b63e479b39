// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.OperatorTasks;
import io.longhaul.client.RefusedException;
import io.longhaul.client.RemoteTasks;
import io.longhaul.client.UnsupportedByServerException;
import io.longhaul.file.text.EnumWords;
import io.longhaul.protocol.call.TaskQuery;
import io.longhaul.protocol.call.TaskView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Finds the task that a person names by a beginning or an end of its id, or as {@code last}, among the tasks that the
 * person may see.
 */
public final class TaskName {
    /** The line of help for the commands that take the id of a task. */
    public static final String HELP =
            "ID can be a beginning or an end of the id, of four characters or more, or last: the newest task.";

    private static final String LAST = "last";
    private static final int LEAST = 4;

    /** Ids of this length, as servers make them, are whole. */
    private static final int WHOLE = 32;

    /** The most tasks that are looked at: a short name is safe only where all are. */
    private static final int MOST = 10_000;

    private static final int PAGE = 200;
    private static final int SHOWN = 8;

    private TaskName() {}

    /**
     * The whole id.
     *
     * @throws UsageException   where several tasks can be meant
     * @throws Problem          where no task can be meant
     */
    public static String whole(String given, RemoteTasks tasks) {
        if (given.equals(LAST)) {
            return newest(tasks, 1).stream()
                    .findFirst()
                    .map(TaskView::id)
                    .orElseThrow(() -> new Problem(Problem.Kind.REFUSED, "there is no task that you may see"));
        }
        if (given.length() >= WHOLE) {
            return given;
        }
        try {
            return tasks.get(given).id();
        } catch (RefusedException unknown) {
            return only(given, tasks, unknown);
        }
    }

    private static String only(String given, RemoteTasks tasks, RefusedException unknown) {
        List<TaskView> all;
        try {
            all = newest(tasks, MOST);
        } catch (RefusedException | UnsupportedByServerException notListed) {
            throw unknown;
        }
        if (all.size() == MOST) {
            throw new UsageException("there are too many tasks to find one by \"" + given + "\". Write its whole id.");
        }
        var meant = given.length() < LEAST
                ? List.<TaskView>of()
                : all.stream()
                        .filter(task -> task.id().startsWith(given) || task.id().endsWith(given))
                        .toList();
        if (meant.size() > 1) {
            throw new UsageException(
                    "several tasks can be meant by \"" + given + "\". Write more of the id:\n" + lines(meant));
        }
        if (meant.isEmpty()) {
            var newest = all.isEmpty() ? "" : ". Four characters of an id suffice. The newest are:\n" + lines(all);
            throw new Problem(Problem.Kind.REFUSED, unknown.getMessage() + newest, unknown);
        }
        return meant.getFirst().id();
    }

    private static String lines(List<TaskView> tasks) {
        return tasks.stream()
                .limit(SHOWN)
                .map(task -> SafeText.line(task.id()) + "  "
                        + EnumWords.of(task.status().state()))
                .collect(Collectors.joining("\n"));
    }

    /** The newest tasks first. */
    private static List<TaskView> newest(RemoteTasks tasks, int most) {
        return tasks.asOperator()
                .map(operator -> found(operator, most))
                .orElseGet(() -> tasks.list().stream()
                        .sorted((one, other) ->
                                other.times().createdAt().compareTo(one.times().createdAt()))
                        .limit(most)
                        .toList());
    }

    private static List<TaskView> found(OperatorTasks operator, int most) {
        var found = new ArrayList<TaskView>();
        String next = null;
        do {
            var page = operator.find(TaskQuery.ALL, next, Math.min(PAGE, most - found.size()));
            page.tasks().forEach(task -> found.add(task.task()));
            next = page.nextCursor();
        } while (next != null && found.size() < most);
        return found;
    }
}
