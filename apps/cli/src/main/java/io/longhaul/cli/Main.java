// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import io.longhaul.cli.logging.StandardErrorLogging;
import io.longhaul.cli.terminal.SystemTerminal;
import io.longhaul.cli.terminal.Terminal;
import java.util.List;
import java.util.function.ToIntFunction;

/** Starts the command line. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        exitWith(terminal -> new Cli(terminal).run(List.of(args)));
    }

    /** Runs a program in the terminal of this process, which then ends with the exit code that the program gives. */
    public static void exitWith(ToIntFunction<Terminal> program) {
        StandardErrorLogging.choose();
        var terminal = SystemTerminal.open();
        terminal.err().becomeStandardError();
        System.exit(program.applyAsInt(terminal));
    }
}
