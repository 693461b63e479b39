// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.torture;

import io.longhaul.bench.run.Scratch;
import io.longhaul.cli.Command;
import io.longhaul.cli.ExitCode;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.reliability.Settings;
import io.longhaul.reliability.Torture;
import io.longhaul.reliability.Verdict;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/** Kills and starves a server and its clients, and says what of their work was lost. */
public final class TortureCommand implements Command {

    private static final List<String> DETAILS = List.of(
            "A server with a tool for each crash policy, and a host with a client of each generation, are killed,",
            "paused, and left without disk, syncs, descriptors or the right time. In the end all calls must end.",
            "Then what the clients were told, what really ran and what is stored are compared. The table counts what",
            "was broken: all zeros is right, and anything else ends with exit code 1 and leaves the folder there.",
            "Some faults need a C compiler (cc), and the right to mount a small disk: without, a line says what is",
            "left out.");
    private static final int MOST = 1_000_000;

    @Override
    public Help help() {
        return new Help(
                "torture",
                "kill, stop and starve a server and its clients, and count what is lost",
                DETAILS,
                List.of(
                        Option.valued("--minutes", "N", "for so long (15)"),
                        Option.valued("--kills", "N", "or until so many processes were killed (500)"),
                        Option.valued("--crowd", "N", "how many clients come back at once (10000)"),
                        Option.valued("--seed", "N", "another order of faults (1)")));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws Exception {
        arguments.expectWords(0);
        var settings = new Settings(
                Duration.ofMinutes(arguments.number("--minutes", 15, MOST)),
                arguments.number("--kills", 500, MOST),
                arguments.number("--crowd", 10_000, MOST),
                arguments.number("--seed", 1, MOST));
        var folder = Files.createTempDirectory("longhaul-torture");
        Verdict verdict;
        try (var torture = new Torture(folder, settings, terminal.err()::println)) {
            verdict = torture.run();
        }
        verdict.lines().forEach(terminal.out()::println);
        if (!verdict.isClean()) {
            terminal.err().println("longhaul: what the victims wrote is in " + folder);
            return ExitCode.TOOL_ERROR;
        }
        new Scratch(folder).close();
        return ExitCode.OK;
    }
}
