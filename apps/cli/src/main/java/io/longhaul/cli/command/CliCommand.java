// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.command;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.terminal.Terminal;
import java.util.List;

/** One command of the program. */
public interface CliCommand {
    /**
     * The help of a command.
     *
     * @param usage   the form of the command line, such as {@code call URL TOOL [key=value...]}
     * @param summary what the command does, in one line
     * @param details more lines of plain text for {@code --help}, or none
     * @param options the options that the command takes
     */
    record Help(String usage, String summary, List<String> details, List<Option> options) {}

    Help help();

    /**
     * Runs the command.
     *
     * @return the exit code
     * @throws io.longhaul.cli.exit.UsageException when the command line is invalid
     */
    int run(Arguments arguments, Terminal terminal) throws Exception;
}
