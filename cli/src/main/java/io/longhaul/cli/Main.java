package io.longhaul.cli;

import io.longhaul.cli.terminal.SystemTerminal;
import java.util.List;

/** Starts the command line. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(new Cli(SystemTerminal.open()).run(List.of(args)));
    }
}
