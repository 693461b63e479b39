// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.args.UsageException;
import io.longhaul.cli.audit.AuditCommand;
import io.longhaul.cli.bench.BenchCommand;
import io.longhaul.cli.call.AttachCommand;
import io.longhaul.cli.call.CallCommand;
import io.longhaul.cli.call.JsonText;
import io.longhaul.cli.clients.ClientsCommand;
import io.longhaul.cli.config.Nearest;
import io.longhaul.cli.demo.DemoCommand;
import io.longhaul.cli.install.InstallCommand;
import io.longhaul.cli.login.LoginCommand;
import io.longhaul.cli.look.LookCommand;
import io.longhaul.cli.manual.CommandLines;
import io.longhaul.cli.manual.ManualCommand;
import io.longhaul.cli.nodes.DrainCommand;
import io.longhaul.cli.nodes.NodesCommand;
import io.longhaul.cli.serve.CheckCommand;
import io.longhaul.cli.serve.DataCommand;
import io.longhaul.cli.serve.DataKeyCommand;
import io.longhaul.cli.serve.GatewayCommand;
import io.longhaul.cli.serve.InitCommand;
import io.longhaul.cli.serve.KeyCommand;
import io.longhaul.cli.serve.ServeCommand;
import io.longhaul.cli.tasks.TasksCommand;
import io.longhaul.cli.terminal.SafeText;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.top.TopCommand;
import io.longhaul.cli.torture.TortureCommand;
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
    private static Map<String, Supplier<Command>> commands() {
        var commands = new LinkedHashMap<String, Supplier<Command>>();
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
        commands.put("tools", LookCommand::tools);
        commands.put("resources", LookCommand::resources);
        commands.put("prompts", LookCommand::prompts);
        commands.put("read", LookCommand::read);
        commands.put("prompt", LookCommand::prompt);
        commands.put("ping", LookCommand::ping);
        commands.put("info", LookCommand::info);
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
        var lines = new LinkedHashMap<String, Command.Help>();
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
            return tell(Problem.of(e), isForProgram(line));
        }
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

    private static Command command(String name, Map<String, Supplier<Command>> commands) {
        var command = commands.get(name);
        if (command == null) {
            throw new UsageException(
                    "there is no command \"" + name + "\". " + Nearest.advice(name, commands.keySet()));
        }
        return command.get();
    }

    private static List<Option> withHelp(Command command) {
        var options = new ArrayList<>(command.help().options());
        options.add(HELP);
        return options;
    }

    private int help(List<String> about, Map<String, Supplier<Command>> commands) {
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

    private int help(Command command) {
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
            terminal.err().println("longhaul: " + SafeText.quote(String.valueOf(problem.getMessage())));
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
