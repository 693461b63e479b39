// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.OperatorTasks;
import io.longhaul.file.text.EnumWords;
import java.time.Duration;
import java.util.Locale;

/**
 * Removes ended tasks that match a search, after a person has agreed.
 *
 * @param olderThan the least time since the end of a task
 */
record TaskPurge(TaskSearch search, Duration olderThan, boolean agreed) {

    static final Option OLDER_THAN = Option.valued(
                    "--older-than", "TIME", "tasks that ended at least this long ago, such as 7d; all by default")
            .of("purge");
    static final Option YES = Option.flag("--yes", "do not ask").of("purge");

    static TaskPurge of(TaskSearch search, Arguments arguments) {
        if (!search.query().states().isEmpty() && search.takesLiveTasks()) {
            throw new UsageException("only tasks that have ended can be purged: --state takes completed, failed,"
                    + " cancelled or ended here. tasks cancel ends one.");
        }
        return new TaskPurge(search, arguments.duration(OLDER_THAN).orElse(Duration.ZERO), arguments.has(YES));
    }

    /**
     * Asks the person, and removes the tasks.
     *
     * @return the number of removed tasks; -1 where the person does not agree
     */
    int run(OperatorTasks tasks, Terminal terminal) throws InterruptedException {
        return agreed || isAgreed(terminal) ? tasks.purge(search.query(), olderThan) : -1;
    }

    private boolean isAgreed(Terminal terminal) throws InterruptedException {
        if (!terminal.facts().asks()) {
            throw new UsageException(
                    "tasks and their results are removed for good. Give --yes where nobody can be asked.");
        }
        return UserConsole.at(terminal)
                .ask("Remove " + SafeText.line(what()) + " with their results? (y/N): ")
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("y"))
                .isPresent();
    }

    private String what() {
        var query = search.query();
        var what = new StringBuilder("all your tasks");
        if (query.tool() != null) {
            what.append(" of ").append(query.tool());
        }
        if (!query.states().isEmpty()) {
            what.append(" that are ")
                    .append(String.join(
                            " or ",
                            query.states().stream().map(EnumWords::of).sorted().toList()));
        }
        if (query.parent() != null) {
            what.append(" called by ").append(query.parent());
        }
        if (query.since() != null) {
            what.append(" created since ").append(query.since());
        }
        return what.append(olderThan.isZero() ? " that have ended" : " that ended more than " + days() + " ago")
                .toString();
    }

    private String days() {
        return olderThan.toString().substring(1).replace("T", "").toLowerCase(Locale.ROOT);
    }
}
