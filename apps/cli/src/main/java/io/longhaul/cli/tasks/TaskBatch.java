// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.McpClientException;
import io.longhaul.client.OperatorTasks;
import io.longhaul.file.text.EnumWords;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Does something to all tasks that match a search, after a person has agreed.
 *
 * @param olderThan the least time since the end of a task that is purged
 */
record TaskBatch(Kind kind, TaskSearch search, Duration olderThan, boolean agreed) {

    /** What can be done to several tasks. */
    enum Kind {
        PURGE("removed", TaskText.ENDED, Set.of()),
        CANCEL("cancelled", TaskText.LIVE, TaskText.LIVE),
        RETRY("called again", TaskText.ENDED, EnumSet.of(State.FAILED)),
        ANSWER("answered", EnumSet.of(State.INPUT_REQUIRED), EnumSet.of(State.INPUT_REQUIRED));

        private final String done;
        private final Set<State> possible;
        private final Set<State> usual;

        /** @param usual the states where the command line names none */
        Kind(String done, Set<State> possible, Set<State> usual) {
            this.done = done;
            this.possible = possible;
            this.usual = usual;
        }
    }

    /** Does it to one task, and gives the id to print. */
    @FunctionalInterface
    interface Action {
        String on(String id);
    }

    static final Option OLDER_THAN = Option.valued(
                    "--older-than", "TIME", "tasks that ended at least this long ago, such as 7d; all by default")
            .of("purge");
    static final Option YES = Option.flag("--yes", "do not ask").of("purge", "cancel", "retry", "answer");

    static TaskBatch of(Kind kind, TaskSearch search, Arguments arguments) {
        var states = search.query().states();
        if (!kind.possible.containsAll(states)) {
            throw new UsageException(
                    kind == Kind.PURGE
                            ? "only tasks that have ended can be purged: --state takes completed, failed, cancelled or"
                                    + " ended here. tasks cancel ends one."
                            : "only tasks that are " + words(kind.possible) + " can be " + kind.done
                                    + ". Name such a --state, or none.");
        }
        return new TaskBatch(
                kind,
                states.isEmpty() ? search.in(kind.usual) : search,
                arguments.duration(OLDER_THAN).orElse(Duration.ZERO),
                arguments.has(YES));
    }

    private static String words(Set<State> states) {
        return states.stream().map(EnumWords::of).sorted().collect(Collectors.joining(" or "));
    }

    /**
     * Asks the person, and removes the tasks.
     *
     * @return the number of removed tasks; -1 where the person does not agree
     */
    int purge(OperatorTasks tasks, Terminal terminal) throws InterruptedException {
        return isAgreed(
                        "Remove all your tasks" + which()
                                + (olderThan.isZero() ? " that have ended" : " that ended more than " + days() + " ago")
                                + " with their results",
                        "tasks and their results are removed for good.",
                        terminal)
                ? tasks.purge(search.query(), olderThan)
                : -1;
    }

    /** Asks the person, and does it to each of the tasks that were found. */
    int run(CallResponse.TaskRecords found, Action action, TaskPrinter printer) throws InterruptedException {
        var ids = found.tasks().stream().map(record -> record.task().id()).toList();
        var verb = kind.name().toLowerCase(Locale.ROOT);
        var count = ids.size() == 1 ? "1 task" : ids.size() + (found.nextCursor() == null ? "" : " of the") + " tasks";
        if (ids.isEmpty()) {
            printer.say("there is no task" + which());
            return ExitCode.OK;
        }
        var question = Character.toUpperCase(verb.charAt(0)) + verb.substring(1) + " " + count + which();
        if (!isAgreed(question, "this would " + verb + " " + count + ".", printer.terminal())) {
            printer.say("no task is " + kind.done);
            return ExitCode.CANCELLED;
        }
        var done = new ArrayList<String>();
        for (var id : ids) {
            try {
                done.add(action.on(id));
            } catch (McpClientException | UsageException e) {
                printer.say(SafeText.line(id + ": " + e.getMessage()));
            }
        }
        printer.done(done, kind == Kind.RETRY);
        printer.say(done.size() + " of " + count + " " + (ids.size() == 1 ? "is " : "are ") + kind.done);
        return done.size() == ids.size() ? ExitCode.OK : ExitCode.PROTOCOL_ERROR;
    }

    private boolean isAgreed(String question, String unasked, Terminal terminal) throws InterruptedException {
        if (agreed) {
            return true;
        }
        if (!terminal.facts().asks()) {
            throw new UsageException(unasked + " Give --yes where nobody can be asked.");
        }
        return UserConsole.at(terminal)
                .ask(SafeText.line(question) + "? (y/N): ")
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("y"))
                .isPresent();
    }

    /** The tasks that match, in words behind the word {@code task}. */
    private String which() {
        var query = search.query();
        var what = new StringBuilder();
        if (query.tool() != null) {
            what.append(" of ").append(query.tool());
        }
        if (!query.states().isEmpty()) {
            what.append(" in the state ").append(words(query.states()));
        }
        if (query.parent() != null) {
            what.append(" called by ").append(query.parent());
        }
        if (query.since() != null) {
            what.append(" created since ").append(query.since());
        }
        return what.toString();
    }

    private String days() {
        return olderThan.toString().substring(1).replace("T", "").toLowerCase(Locale.ROOT);
    }
}
