// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.audit.AuditCommand;
import io.longhaul.cli.author.CheckCommand;
import io.longhaul.cli.author.InitCommand;
import io.longhaul.cli.author.KeyCommand;
import io.longhaul.cli.bench.BenchCommand;
import io.longhaul.cli.call.AttachCommand;
import io.longhaul.cli.call.CallCommand;
import io.longhaul.cli.clients.ClientsCommand;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.command.Version;
import io.longhaul.cli.data.DataCommand;
import io.longhaul.cli.data.DataKeyCommand;
import io.longhaul.cli.demo.DemoCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.inspect.InspectCommand;
import io.longhaul.cli.install.InstallCommand;
import io.longhaul.cli.login.LoginCommand;
import io.longhaul.cli.manual.CommandLines;
import io.longhaul.cli.manual.ManualCommand;
import io.longhaul.cli.nodes.DrainCommand;
import io.longhaul.cli.nodes.NodesCommand;
import io.longhaul.cli.serve.GatewayCommand;
import io.longhaul.cli.serve.ServeCommand;
import io.longhaul.cli.tasks.TasksCommand;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.cli.top.TopCommand;
import io.longhaul.cli.torture.TortureCommand;
import io.longhaul.client.McpClientException;
import io.longhaul.client.RefusedException;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.client.UnsupportedByServerException;
import io.longhaul.file.text.SimilarWord;
import io.longhaul.file.tree.ConfigException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Finds the command of a command line, runs it, and tells the user in a sentence of an error. */
public final class Cli {
    private static final Option HELP = Option.flag("--help", "show this");

    private final Terminal terminal;

    public Cli(Terminal terminal) {
        this.terminal = terminal;
    }

    /** All commands, in the order of the help. Only the command that runs is created. */
    private static Map<String, Supplier<CliCommand>> commands() {
        var commands = new LinkedHashMap<String, Supplier<CliCommand>>();
        commands.put("serve", ServeCommand::new);
        commands.put("gateway", GatewayCommand::new);
        commands.put("check", CheckCommand::new);
        commands.put("init", InitCommand::new);
        commands.put("data-key", () -> new DataKeyCommand(InstantSource.system()));
        commands.put("call", CallCommand::new);
        commands.put("attach", AttachCommand::new);
        commands.put("tasks", TasksCommand::new);
        commands.put("top", TopCommand::new);
        commands.put("nodes", NodesCommand::new);
        commands.put("drain", DrainCommand::new);
        commands.put("login", LoginCommand::new);
        commands.put("key", KeyCommand::new);
        commands.put("tools", InspectCommand::tools);
        commands.put("resources", InspectCommand::resources);
        commands.put("prompts", InspectCommand::prompts);
        commands.put("read", InspectCommand::read);
        commands.put("prompt", InspectCommand::prompt);
        commands.put("ping", InspectCommand::ping);
        commands.put("info", InspectCommand::info);
        commands.put("clients", ClientsCommand::new);
        commands.put("backup", DataCommand::backUp);
        commands.put("check-data", DataCommand::check);
        commands.put("audit", AuditCommand::new);
        commands.put("install", InstallCommand::new);
        commands.put("completion", () -> ManualCommand.completion(Cli::lines));
        commands.put("manual", () -> ManualCommand.manual(Cli::lines));
        commands.put("demo", DemoCommand::new);
        commands.put("bench", BenchCommand::new);
        commands.put("torture", TortureCommand::new);
        return commands;
    }

    public static CommandLines lines() {
        var lines = new LinkedHashMap<String, CliCommand.Help>();
        commands().forEach((name, command) -> lines.put(name, command.get().help()));
        return new CommandLines(lines);
    }

    /** Runs a command line, and gives its exit code. */
    public int run(List<String> line) {
        try {
            int code = dispatch(line);
            terminal.out().expectWritten();
            return code;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        } catch (Exception e) {
            return tell(problem(e), isForProgram(line));
        }
    }

    /** The problem for the user behind an exception that ended a command. */
    private static Problem problem(Exception e) {
        var message = String.valueOf(e.getMessage());
        return switch (e) {
            case Problem problem -> problem;
            case UsageException usage -> new Problem(Problem.Kind.USAGE, message, usage);
            case ConfigException file -> new Problem(Problem.Kind.USAGE, message, file);
            case ServerUnreachableException away -> new Problem(Problem.Kind.CONNECTION, message, away);
            case RefusedException refused -> new Problem(Problem.Kind.REFUSED, message, refused);
            case UnsupportedByServerException unsupported ->
                new Problem(Problem.Kind.UNSUPPORTED, message, unsupported);
            case McpClientException other -> new Problem(Problem.Kind.PROTOCOL, message, other);
            default ->
                new Problem(
                        Problem.Kind.INTERNAL,
                        "something went wrong that should not (" + e + "). LONGHAUL_DEBUG=1 shows where.",
                        e);
        };
    }

    private int dispatch(List<String> line) throws Exception {
        var name = line.isEmpty() ? "help" : line.getFirst();
        var rest = line.isEmpty() ? line : line.subList(1, line.size());
        var commands = commands();
        switch (name) {
            case "--version", "-V", "version" -> {
                terminal.out().println("longhaul " + Version.TEXT);
                return ExitCode.OK;
            }
            case "help", "--help", "-h" -> {
                return help(rest, commands);
            }
            default -> {}
        }
        var command = command(name, commands);
        if (rest.stream().takeWhile(word -> !word.equals("--")).anyMatch(Set.of("--help", "-h")::contains)) {
            return help(command);
        }
        return command.run(Arguments.parse(rest, withHelp(command)), terminal);
    }

    private static CliCommand command(String name, Map<String, Supplier<CliCommand>> commands) {
        var command = commands.get(name);
        if (command == null) {
            throw new UsageException(
                    "there is no command \"" + name + "\". " + SimilarWord.advice(name, commands.keySet()));
        }
        return command.get();
    }

    private static List<Option> withHelp(CliCommand command) {
        var options = new ArrayList<>(command.help().options());
        options.add(HELP);
        return options;
    }

    private int help(List<String> about, Map<String, Supplier<CliCommand>> commands) {
        if (!about.isEmpty()) {
            return help(command(about.getFirst(), commands));
        }
        var out = terminal.out();
        out.println("Long-running work as durable tasks over the Model Context Protocol.");
        out.println();
        out.println("usage: longhaul COMMAND [options]");
        out.println();
        commands.forEach((name, command) ->
                out.println("  %-9s %s".formatted(name, command.get().help().summary())));
        out.println("  %-9s %s".formatted("help", "show the help of a command"));
        out.println();
        out.println("longhaul COMMAND --help tells more; --version says which Longhaul this is.");
        return ExitCode.OK;
    }

    private int help(CliCommand command) {
        var out = terminal.out();
        var help = command.help();
        out.println("usage: longhaul " + help.usage() + " [options]");
        out.println();
        out.println(help.summary());
        if (!help.details().isEmpty()) {
            out.println();
            help.details().forEach(out::println);
        }
        out.println();
        for (var option : withHelp(command)) {
            var head = option.value() == null ? option.name() : option.name() + " " + option.value();
            out.println("  %-24s %s".formatted(head, option.help()));
        }
        return ExitCode.OK;
    }

    /** Tells a problem: one line for people on standard error, or one object for programs on standard output. */
    private int tell(Problem problem, boolean forProgram) {
        if (forProgram) {
            var json = JsonText.object();
            json.putObject("error")
                    .put("kind", problem.kind().word())
                    .put("message", problem.getMessage())
                    .put("exitCode", problem.exitCode());
            try {
                terminal.out().println(JsonText.pretty(json));
            } catch (Problem unwritten) {
                return tell(unwritten, false);
            }
        } else if (problem.kind() != Problem.Kind.READER_GONE) {
            terminal.say(SafeText.quote(String.valueOf(problem.getMessage())));
        }
        if (terminal.debugs()) {
            terminal.err().trace(problem.getCause() == null ? problem : problem.getCause());
        }
        return problem.exitCode();
    }

    /** Whether the command line asks for JSON, even where it is otherwise invalid. */
    private static boolean isForProgram(List<String> line) {
        var options = line.stream().takeWhile(word -> !word.equals("--")).toList();
        int at = options.indexOf("--output");
        return options.contains("--output=json")
                || at >= 0 && at + 1 < options.size() && options.get(at + 1).equals("json");
    }
}
