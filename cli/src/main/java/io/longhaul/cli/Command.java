package io.longhaul.cli;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.terminal.Terminal;
import java.util.List;

/** One command of the program. */
public interface Command {
    /** How it is called, its words included: {@code call URL TOOL [key=value...]}. */
    String usage();

    /** What it does, in one line. */
    String summary();

    /** More about it for {@code --help}; lines of plain text, or none. */
    default List<String> details() {
        return List.of();
    }

    List<Option> options();

    /**
     * Does it.
     *
     * @return the exit code
     * @throws io.longhaul.cli.args.UsageException when it was called in a way that makes no sense
     */
    int run(Arguments arguments, Terminal terminal) throws Exception;
}
