// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench;

import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.BenchSettings.Programs;
import io.longhaul.bench.run.BenchSettings.Sizes;
import io.longhaul.bench.run.BenchSettings.Timing;
import io.longhaul.bench.run.Picture;
import io.longhaul.cli.Main;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.command.CommandRunner;
import io.longhaul.cli.command.ThisProgram;
import io.longhaul.cli.data.StoreOptions;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures what requests cost the server.
 *
 * @param launcher the command that the user would enter for {@code longhaul}
 * @param peers    the folder with the servers on other libraries
 */
public record BenchCommand(List<String> launcher, Path peers) implements CliCommand {

    private static final List<String> DETAILS = List.of(
            "Each measurement has a server process, a load generator and a database of its own. The figures are",
            "medians over the rounds, which are interleaved: mostly microseconds of the server's CPU for each",
            "request. x base compares a row with the bare echo, or with the row that its title suggests. Only",
            "ratios of one run mean something on a machine that others share. A whole run takes two hours, and",
            "with --peers and --svg four; --only, --rounds, --warm-up and the sizes make it short.");
    private static final Option QUICK = Option.flag("--quick", "only show that the benchmark works, in about a minute");
    private static final Option LIST = Option.flag("--list", "print the titles of all scenarios, and measure nothing");
    private static final Option ONLY = Option.valued(
            "--only", "TEXT", "only titles that begin with TEXT, and what they are compared with; may be repeated");
    private static final Option ROUNDS = Option.valued("--rounds", "N", "how often to measure each scenario (5)");
    private static final Option WARM_UP = Option.valued(
            "--warm-up", "SECONDS", "the CPU time that a server uses under load before it is measured (25)");
    private static final Option SECONDS = Option.valued("--seconds", "SECONDS", "how long each measurement takes (10)");
    private static final Option CONNECTIONS =
            Option.valued("--connections", "N", "how many connections are open at once (16)");
    private static final Option LISTENERS =
            Option.valued("--listeners", "N", "how many streams, and sessions, are open at once (10000)");
    private static final Option TASKS = Option.valued("--tasks", "N", "how many tasks wait at once (100000)");
    private static final Option STORED = Option.valued("--stored", "N", "how many tasks a large store has (1000000)");
    private static final Option STORE = Option.valued(
            "--store", "URL", "measure nodes over this database: jdbc:postgresql://HOST:PORT/DATABASE?user=NAME");
    private static final Option PEERS =
            Option.flag("--peers", "install servers on other libraries, and measure them in the same rounds");
    private static final Option AGAINST =
            Option.valued("--against", "CLASSPATH", "measure this other build in the same rounds");
    private static final Option JSON = Option.valued("--json", "FILE", "also write the figures to FILE");
    private static final Option SVG = Option.valued(
            "--svg", "FILE", "also measure with other numbers of connections, and draw these figures to FILE");
    private static final List<Option> OPTIONS = List.of(
            QUICK,
            LIST,
            ONLY,
            ROUNDS,
            WARM_UP,
            SECONDS,
            CONNECTIONS,
            LISTENERS,
            TASKS,
            STORED,
            STORE,
            PEERS,
            AGAINST,
            JSON,
            SVG);
    private static final int MOST = 10_000_000;
    private static final List<Integer> MORE_CONNECTIONS = List.of(1, 4, 16, 64, 256);
    private static final List<Integer> MORE_CONNECTIONS_QUICK = List.of(1, 2, 4);

    /** Runs the command in the checkout whose folder is the first argument. */
    public static void main(String[] args) {
        var checkout = Path.of(args[0]);
        var command =
                new BenchCommand(List.of(checkout.resolve("longhaul").toString()), checkout.resolve("lab/bench/peers"));
        var line = List.of(args).subList(1, args.length);
        Main.exitWith(terminal -> new CommandRunner("lab/bench/", terminal).run(command, line));
    }

    @Override
    public Help help() {
        return new Help(
                "run", "measure what requests cost the server, as multiples of a bare HTTP echo", DETAILS, OPTIONS);
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws Exception {
        arguments.expectWords(0);
        var settings = settings(arguments);
        if (arguments.has(LIST)) {
            Bench.titles(settings).forEach(terminal.out()::println);
            return ExitCode.OK;
        }
        var report = Bench.run(settings, arguments.values(ONLY), terminal.err()::println);
        report.lines().forEach(terminal.out()::println);
        write(arguments, JSON, report.json() + "\n");
        write(arguments, SVG, new Picture(report.rows()).svg());
        return ExitCode.OK;
    }

    private static void write(Arguments arguments, Option option, String text) throws Exception {
        var file = arguments.value(option);
        if (file.isPresent()) {
            Files.writeString(Path.of(file.get()), text);
        }
    }

    private BenchSettings settings(Arguments arguments) {
        var quick = arguments.has(QUICK);
        var timing = quick ? Timing.QUICK : Timing.FULL;
        var sizes = quick ? Sizes.QUICK : Sizes.FULL;
        var many = arguments.number(STORED, sizes.many(), MOST);
        return new BenchSettings(
                new Timing(
                        arguments.number(ROUNDS, timing.rounds(), MOST),
                        seconds(arguments, WARM_UP, timing.warmUp()),
                        seconds(arguments, SECONDS, timing.measured()),
                        timing.repeats()),
                new Sizes(
                        connections(arguments, sizes.connections().getFirst(), quick),
                        arguments.number(LISTENERS, sizes.listeners(), MOST),
                        arguments.number(TASKS, sizes.waiting(), MOST),
                        Math.min(sizes.few(), many),
                        many),
                new Programs(
                        launcher,
                        ThisProgram.command("call"),
                        GuardedServer.class,
                        arguments.value(AGAINST).orElse(null),
                        arguments.has(PEERS) ? peers : null,
                        arguments.value(STORE).map(StoreOptions::checked).orElse(null)));
    }

    /** The number of connections for all rows, then the numbers for the picture. */
    private static List<Integer> connections(Arguments arguments, int otherwise, boolean quick) {
        var first = arguments.number(CONNECTIONS, otherwise, MOST);
        var more = quick ? MORE_CONNECTIONS_QUICK : MORE_CONNECTIONS;
        return arguments.has(SVG)
                ? Stream.concat(Stream.of(first), more.stream()).distinct().toList()
                : List.of(first);
    }

    private static Duration seconds(Arguments arguments, Option option, Duration otherwise) {
        return arguments.has(option) ? Duration.ofSeconds(arguments.number(option, 1, MOST)) : otherwise;
    }
}
