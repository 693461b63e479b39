// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import io.longhaul.cli.Main;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.command.CommandRunner;
import io.longhaul.cli.data.StoreOptions;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.reliability.Settings.Load;
import io.longhaul.reliability.Settings.Nodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Kills and starves a server and its clients, and reports what work was lost. */
public final class TortureCommand implements CliCommand {

    private static final List<String> DETAILS = List.of(
            "A server with a tool for each crash policy, and a host with a client of each generation, are killed,",
            "paused, and left without disk, syncs, descriptors or the right time. In the end all calls must end.",
            "Then what the clients were told, what really ran and what is stored are compared. The table counts what",
            "was broken: all zeros is success; anything else ends with exit code 1 and keeps the folder.",
            "Some faults need a C compiler (cc), and the right to mount a small disk: without, a line says what is",
            "left out.",
            "With --nodes and --store, the servers are killed, and paused beyond their lease, until others have their",
            "tasks. The database must have no tasks yet: currentSchema in its address names another schema. Its",
            "password is in LONGHAUL_STORE_PASSWORD.");
    private static final Option MINUTES = Option.valued("--minutes", "N", "end after this many minutes (15)");
    private static final Option KILLS = Option.valued("--kills", "N", "or after this many kills of processes (500)");
    private static final Option TASKS = Option.valued("--tasks", "N", "or after this many calls for tasks (1000000)");
    private static final Option CROWD = Option.valued("--crowd", "N", "how many clients reconnect at once (10000)");
    private static final Option SEED = Option.valued("--seed", "N", "the seed for the order of faults (1)");
    private static final Option NODES =
            Option.valued("--nodes", "N", "how many servers over one PostgreSQL, behind a balancer");
    private static final Option STORE =
            Option.valued("--store", "URL", "the empty database of these servers: jdbc:postgresql://…");
    private static final Option RESTART_STORE =
            Option.valued("--restart-store", "CMD", "a command that restarts the database; run once, half-way");
    private static final List<Option> OPTIONS =
            List.of(MINUTES, KILLS, TASKS, CROWD, SEED, NODES, STORE, RESTART_STORE);
    private static final int MOST = 1_000_000;
    private static final int MOST_NODES = 100;

    public static void main(String[] args) {
        Main.exitWith(
                terminal -> new CommandRunner("lab/reliability/", terminal).run(new TortureCommand(), List.of(args)));
    }

    @Override
    public Help help() {
        return new Help(
                "torture", "kill, stop and starve a server and its clients, and count what is lost", DETAILS, OPTIONS);
    }

    private static Optional<Nodes> nodes(Arguments arguments) {
        var store = arguments.value(STORE);
        int count = arguments.number(NODES, 1, MOST_NODES);
        if (count == 1 && store.isEmpty() && !arguments.has(RESTART_STORE)) {
            return Optional.empty();
        }
        if (count == 1 || store.isEmpty()) {
            throw new UsageException("several servers share a database: say --nodes 2 or more, and --store URL");
        }
        return Optional.of(new Nodes(
                count,
                StoreOptions.checked(store.get()),
                arguments.value(RESTART_STORE).map(command -> () -> restart(command))));
    }

    private static void restart(String command) throws IOException, InterruptedException {
        int status =
                new ProcessBuilder("/bin/sh", "-c", command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException("the command that restarts the database ended with " + status);
        }
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws Exception {
        arguments.expectWords(0);
        var settings = new Settings(
                Duration.ofMinutes(arguments.number(MINUTES, 15, MOST)),
                arguments.number(KILLS, 500, MOST),
                new Load(arguments.number(TASKS, MOST, MOST), arguments.number(CROWD, 10_000, MOST), Duration.ZERO),
                arguments.number(SEED, 1, MOST),
                nodes(arguments));
        var folder = Files.createTempDirectory("longhaul-torture");
        Verdict verdict;
        try (var torture = new Torture(folder, settings, terminal.err()::println)) {
            verdict = torture.run();
        }
        verdict.lines().forEach(terminal.out()::println);
        if (!verdict.isClean()) {
            terminal.say("what the victims wrote is in " + folder);
            return ExitCode.TOOL_ERROR;
        }
        remove(folder);
        return ExitCode.OK;
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
