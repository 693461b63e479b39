// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.data;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.SafeText;
import io.longhaul.store.jdbc.SqliteFiles;
import java.nio.file.Path;
import java.util.List;

/**
 * An operator's command on a data folder, even while a server runs on it.
 *
 * @param words the number of words that the command takes; the first is the folder
 */
public record DataCommand(Help help, int words, Work work) implements CliCommand {

    private static final String CODES =
            "exit codes: 0 success, 1 the data is damaged, 2 usage, 4 a file cannot be read or written";

    /** An action on the store of a folder. */
    @FunctionalInterface
    interface Work {
        int run(Path store, Arguments arguments, Terminal terminal);
    }

    public static DataCommand check() {
        var details = List.of(
                "DIR is the folder of serve --data. The server may run meanwhile; the check changes nothing.",
                "The check reads the whole file, each task and its history, and opens sealed data.",
                CODES);
        return new DataCommand(
                new Help("check-data DIR", "check a data folder for damage", details, List.of(SealingKeys.READING)),
                1,
                DataCommand::check);
    }

    public static DataCommand backUp() {
        var details = List.of(
                "DIR is the folder of serve --data. The server may run meanwhile: the copy is a consistent snapshot.",
                "To restore it, end the server, and make the copy the tasks.db of an empty folder. Sealed data stays",
                "sealed: keep the data keys, too. The files of running commands (DIR/jobs) are not copied.",
                CODES);
        List<Option> none = List.of();
        return new DataCommand(
                new Help("backup DIR FILE", "copy the tasks of a data folder into a new file", details, none),
                2,
                DataCommand::backUp);
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) {
        var folder = arguments.word(0, "the data folder");
        arguments.expectWords(words);
        return work.run(Path.of(folder).resolve(DataFolder.STORE), arguments, terminal);
    }

    private static int check(Path store, Arguments arguments, Terminal terminal) {
        var problems = SqliteFiles.problems(store, SealingKeys.of(arguments, terminal.env()));
        if (problems.isEmpty()) {
            terminal.say(SafeText.line("nothing is wrong with " + store));
            return ExitCode.OK;
        }
        var why = "";
        if (problems.size() == 1) {
            why = " (" + SafeText.line(problems.getFirst()) + ")";
        } else {
            problems.forEach(problem -> terminal.say(SafeText.line(problem)));
        }
        terminal.say("it is damaged" + why + ": end the server, and restore a backup");
        return ExitCode.TOOL_ERROR;
    }

    private static int backUp(Path store, Arguments arguments, Terminal terminal) {
        var copy = Path.of(arguments.word(1, "the file to write"));
        SqliteFiles.backUp(store, copy);
        terminal.say(SafeText.line("the tasks of " + store.getParent() + " are copied to " + copy));
        return ExitCode.OK;
    }
}
