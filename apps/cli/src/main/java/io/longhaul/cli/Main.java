// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import io.longhaul.cli.logging.StandardErrorLogging;
import io.longhaul.cli.terminal.SystemTerminal;
import java.util.List;

/** Starts the command line. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        StandardErrorLogging.choose();
        var terminal = SystemTerminal.open();
        terminal.err().becomeStandardError();
        System.exit(new Cli(terminal).run(List.of(args)));
    }
}
