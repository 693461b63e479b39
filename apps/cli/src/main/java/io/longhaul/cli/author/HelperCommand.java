// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.author;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.file.script.ScriptLanguage;
import io.longhaul.file.text.EnumWords;
import java.util.List;

/** Prints the helper file by which a script does what a handler in Java can. */
public final class HelperCommand implements CliCommand {
    private static final List<String> LANGUAGES = EnumWords.all(ScriptLanguage.class);
    private static final List<String> DETAILS = List.of(
            "longhaul helper python > longhaul.py; docs/COMMANDS.md says what a script can do with it.",
            "exit codes: 0 success, 2 usage");

    @Override
    public Help help() {
        return new Help(
                "helper " + String.join("|", LANGUAGES), "print the helper file for scripts", DETAILS, List.of());
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) {
        var name = arguments.word(0, "the language");
        arguments.expectWords(1);
        var language = EnumWords.find(ScriptLanguage.class, name)
                .orElseThrow(() -> UsageException.unknown("there is no helper for", name, LANGUAGES));
        terminal.out().print(language.helper());
        return ExitCode.OK;
    }
}
