// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.terminal.Terminal;
import java.util.List;

/** One command of the program. */
public interface Command {
    /**
     * What the command says of itself.
     *
     * @param usage   how it is called, its words included: {@code call URL TOOL [key=value...]}
     * @param summary what it does, in one line
     * @param details more about it for {@code --help}; lines of plain text, or none
     * @param options what it can be given beside words
     */
    record Help(String usage, String summary, List<String> details, List<Option> options) {}

    Help help();

    /**
     * Does it.
     *
     * @return the exit code
     * @throws io.longhaul.cli.args.UsageException when it was called in a way that makes no sense
     */
    int run(Arguments arguments, Terminal terminal) throws Exception;
}
