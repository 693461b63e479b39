// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.client.OperatorTasks;
import io.longhaul.client.RemoteTasks;
import io.longhaul.file.text.EnumWords;
import io.longhaul.file.text.WrittenDuration;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskQuery;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A search for tasks, from the options of a command line.
 *
 * @param limit  the most tasks to list
 * @param cursor the place at which the list begins; empty for its beginning
 */
record TaskSearch(TaskQuery query, int limit, Optional<String> cursor) {

    private static final int DEFAULT_LIMIT = 100;

    private static final String[] SEARCHING = {"list", "purge", "cancel", "retry", "answer"};

    private static final Option TOOL =
            Option.valued("--tool", "NAME", "tasks of this tool only").of(SEARCHING);
    private static final Option STATE = Option.valued(
                    "--state",
                    "STATE,...",
                    "tasks in these states only: " + String.join(", ", EnumWords.all(State.class))
                            + ", or live, or ended")
            .of(SEARCHING);
    private static final Option SINCE = Option.valued(
                    "--since", "TIME", "tasks created since this time: an age such as 2h, or a time in ISO 8601")
            .of(SEARCHING);
    private static final Option OWNER = Option.valued(
                    "--owner", "NAME", "tasks of this owner only, where you may see those of others")
            .of("list");
    private static final Option PARENT = Option.valued("--parent", "ID", "tasks that this task has called only")
            .of(SEARCHING);
    private static final Option LIMIT = Option.valued(
                    "--limit", "COUNT", "at most this many tasks; " + DEFAULT_LIMIT + " by default")
            .of("list");
    private static final Option CURSOR = Option.valued(
                    "--cursor", "CURSOR", "continue at this cursor of an earlier list")
            .of("list");

    static final List<Option> OPTIONS = List.of(TOOL, STATE, SINCE, OWNER, PARENT, LIMIT, CURSOR);

    /** The options that choose tasks, for a verb that can also take the id of one. */
    private static final List<Option> FILTERS = List.of(TOOL, STATE, SINCE, PARENT);

    private static final int PAGE = 200;

    /** The most tasks of one command that changes them. */
    private static final int MOST = 10_000;

    static TaskSearch of(Arguments arguments, InstantSource clock) {
        return new TaskSearch(
                new TaskQuery(
                        arguments.value(OWNER).orElse(null),
                        arguments.value(TOOL).orElse(null),
                        states(arguments.values(STATE)),
                        arguments
                                .value(SINCE)
                                .map(text -> since(text, clock.instant()))
                                .orElse(null),
                        arguments.value(PARENT).orElse(null)),
                arguments.value(LIMIT).map(TaskSearch::limit).orElse(DEFAULT_LIMIT),
                arguments.value(CURSOR));
    }

    private static Set<State> states(List<String> given) {
        var states = EnumSet.noneOf(State.class);
        given.stream()
                .flatMap(list -> Stream.of(list.split(",")))
                .map(String::strip)
                .forEach(word -> {
                    switch (word) {
                        case "live" -> states.addAll(TaskText.LIVE);
                        case "ended" -> states.addAll(TaskText.ENDED);
                        default -> states.add(state(word));
                    }
                });
        return states;
    }

    private static State state(String word) {
        var known = new ArrayList<>(EnumWords.all(State.class));
        known.addAll(List.of("live", "ended"));
        return EnumWords.find(State.class, word)
                .orElseThrow(() -> UsageException.unknown("there is no state", word, known));
    }

    private static Instant since(String text, Instant now) {
        var ago = WrittenDuration.parse(text);
        if (ago.isPresent()) {
            return now.minus(ago.get());
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new UsageException(
                    "the --since \"" + text + "\" is no time. Write how long ago, such as 2h, or a time in ISO 8601.");
        }
    }

    private static int limit(String text) {
        if (!text.matches("[1-9]\\d{0,6}")) {
            throw new UsageException("the --limit \"" + text + "\" is no count. Write a number such as 20.");
        }
        return Integer.parseInt(text);
    }

    /** Whether a command line chooses tasks by filters. */
    static boolean isGiven(Arguments arguments) {
        return FILTERS.stream().anyMatch(arguments::has);
    }

    /** The same search for all tasks in some states. */
    TaskSearch in(Set<State> states) {
        return new TaskSearch(
                new TaskQuery(query.owner(), query.tool(), states, query.since(), query.parent()), limit, cursor);
    }

    /** The same search without a limit that a person would need. */
    TaskSearch whole() {
        return new TaskSearch(query, MOST, cursor);
    }

    /** Reads as many pages as are needed. */
    CallResponse.TaskRecords find(OperatorTasks tasks) {
        var found = new ArrayList<TaskRecord>();
        String next = cursor.orElse(null);
        do {
            var page = tasks.find(query, next, Math.min(PAGE, limit - found.size()));
            found.addAll(page.tasks());
            next = page.nextCursor();
        } while (next != null && found.size() < limit);
        return new CallResponse.TaskRecords(found, next);
    }

    /**
     * Searches in the standard list of tasks, which tells less.
     *
     * @throws UsageException where the search needs a value that such a list does not have
     */
    CallResponse.TaskRecords find(RemoteTasks tasks) {
        refuse(query.tool() != null, TOOL);
        refuse(query.owner() != null, OWNER);
        refuse(cursor.isPresent(), CURSOR);
        var fitting = tasks.list().stream().filter(this::takes).map(TaskText::unrecorded);
        return new CallResponse.TaskRecords(fitting.limit(limit).toList(), null);
    }

    private static void refuse(boolean isGiven, Option option) {
        if (isGiven) {
            throw new UsageException(
                    "this server does not list its tasks by " + option.name().substring(2)
                            + ": it has no extension io.longhaul/tasks. Leave out " + option.name() + ".");
        }
    }

    private boolean takes(TaskView task) {
        return (query.states().isEmpty()
                        || query.states().contains(task.status().state())
                        || query.states().contains(State.FAILED) && TaskText.hasToolFailed(task))
                && (query.parent() == null
                        || query.parent().equals(task.status().parent()))
                && (query.since() == null || !task.times().createdAt().isBefore(query.since()));
    }
}
