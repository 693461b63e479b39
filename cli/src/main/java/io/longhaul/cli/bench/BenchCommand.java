package io.longhaul.cli.bench;

import io.longhaul.bench.http.HttpBench;
import io.longhaul.bench.http.HttpBench.Settings;
import io.longhaul.cli.Command;
import io.longhaul.cli.ExitCode;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.args.UsageException;
import io.longhaul.cli.terminal.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Measures what requests cost the server. */
public final class BenchCommand implements Command {
    private static final List<String> DETAILS = List.of(
            "Each measurement has a server process, a load generator and a database of its own. The figures are",
            "microseconds of the server's CPU for each request: medians over the rounds, which are interleaved.",
            "Only ratios of one run mean something on a machine that others share. A whole run takes half an"
                    + " hour.");
    private static final int MOST = 100_000;

    @Override
    public Help help() {
        return new Help("bench", "measure what requests cost the server, as multiples of a bare HTTP echo", DETAILS);
    }

    @Override
    public List<Option> options() {
        return List.of(
                Option.flag("--quick", "only show that it works, in less than a minute"),
                Option.valued("--rounds", "N", "measure each scenario so often (5)"),
                Option.valued(
                        "--warm-up", "SECONDS", "the CPU that a server uses under load before it is measured (25)"),
                Option.valued("--seconds", "SECONDS", "how long it is measured (10)"),
                Option.valued("--connections", "N", "how many there are at once (16)"),
                Option.valued("--only", "TEXT", "only scenarios whose titles begin so, and the bare echo"),
                Option.valued("--against", "CLASSPATH", "measure this other build in the same rounds"),
                Option.valued("--json", "FILE", "write the figures there too"));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws Exception {
        arguments.expectWords(0);
        var report = HttpBench.run(settings(arguments), terminal.err()::println);
        report.lines().forEach(terminal.out()::println);
        var file = arguments.value("--json");
        if (file.isPresent()) {
            Files.writeString(Path.of(file.get()), report.json() + "\n");
        }
        return ExitCode.OK;
    }

    private static Settings settings(Arguments arguments) {
        var base = arguments.has("--quick") ? Settings.QUICK : Settings.FULL;
        return new Settings(
                number(arguments, "--rounds", base.rounds()),
                seconds(arguments, "--warm-up", base.warmUp()),
                seconds(arguments, "--seconds", base.measured()),
                number(arguments, "--connections", base.connections()),
                arguments.value("--only").orElse(base.only()),
                arguments.value("--against").orElse(base.against()));
    }

    private static Duration seconds(Arguments arguments, String option, Duration otherwise) {
        return arguments.has(option) ? Duration.ofSeconds(number(arguments, option, 0)) : otherwise;
    }

    private static int number(Arguments arguments, String option, int otherwise) {
        var text = arguments.value(option).orElse(String.valueOf(otherwise));
        if (!text.matches("[1-9][0-9]{0,5}") || Integer.parseInt(text) > MOST) {
            throw new UsageException(option + " is a number from 1 to " + MOST + ", not \"" + text + "\".");
        }
        return Integer.parseInt(text);
    }
}
