// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import io.longhaul.cli.audit.AuditCommand;
import io.longhaul.cli.author.CheckCommand;
import io.longhaul.cli.author.HelperCommand;
import io.longhaul.cli.author.InitCommand;
import io.longhaul.cli.author.KeyCommand;
import io.longhaul.cli.bundle.BundleCommand;
import io.longhaul.cli.call.AttachCommand;
import io.longhaul.cli.call.CallCommand;
import io.longhaul.cli.clients.ClientsCommand;
import io.longhaul.cli.command.AliasCommand;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.command.CommandRunner;
import io.longhaul.cli.command.Version;
import io.longhaul.cli.data.DataCommand;
import io.longhaul.cli.data.DataKeyCommand;
import io.longhaul.cli.demo.DemoCommand;
import io.longhaul.cli.demo.TryCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.inspect.InspectCommand;
import io.longhaul.cli.install.InstallCommand;
import io.longhaul.cli.install.UninstallCommand;
import io.longhaul.cli.login.LoginCommand;
import io.longhaul.cli.manual.CommandLines;
import io.longhaul.cli.manual.ManualCommand;
import io.longhaul.cli.nodes.DrainCommand;
import io.longhaul.cli.nodes.NodesCommand;
import io.longhaul.cli.operate.OperateCommand;
import io.longhaul.cli.operate.UpstreamsCommand;
import io.longhaul.cli.serve.GatewayCommand;
import io.longhaul.cli.serve.ServeCommand;
import io.longhaul.cli.status.StatusCommand;
import io.longhaul.cli.tasks.TasksCommand;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.top.TopCommand;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The command line: all commands, and the one that a line names. */
public final class Cli {
    private final Terminal terminal;
    private final CommandRunner runner;

    public Cli(Terminal terminal) {
        this.terminal = terminal;
        this.runner = new CommandRunner("longhaul ", terminal);
    }

    /** All commands, in the order of the help. Only the command that runs is created. */
    private static Map<String, Supplier<CliCommand>> commands() {
        var commands = new LinkedHashMap<String, Supplier<CliCommand>>();
        commands.put("serve", ServeCommand::new);
        commands.put("gateway", GatewayCommand::new);
        commands.put("check", CheckCommand::new);
        commands.put("init", InitCommand::new);
        commands.put("helper", HelperCommand::new);
        commands.put("data-key", () -> new DataKeyCommand(InstantSource.system()));
        commands.put("call", CallCommand::new);
        commands.put("attach", AttachCommand::new);
        commands.put("tasks", TasksCommand::new);
        commands.put("ps", () -> task("ps [URL]", "list the tasks that have not ended", "list", "--state", "live"));
        commands.put("logs", () -> task("logs [URL] ID", "print the log lines and the output of a task", "logs"));
        commands.put("stop", () -> task("stop [URL] ID", "cancel a task", "cancel"));
        commands.put("top", TopCommand::new);
        commands.put("schedules", OperateCommand::schedules);
        commands.put("triggers", OperateCommand::triggers);
        commands.put("upstreams", UpstreamsCommand::new);
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
        commands.put("uninstall", UninstallCommand::new);
        commands.put("bundle", BundleCommand::new);
        commands.put("status", StatusCommand::new);
        commands.put(
                "doctor", () -> new AliasCommand("doctor", "another name of status", new StatusCommand(), List.of()));
        commands.put("completion", () -> ManualCommand.completion(Cli::lines));
        commands.put("manual", () -> ManualCommand.manual(Cli::lines));
        commands.put("demo", DemoCommand::new);
        commands.put("try", TryCommand::new);
        return commands;
    }

    /** A short name for {@code tasks} with a verb, and perhaps options. */
    private static CliCommand task(String usage, String summary, String... words) {
        return new AliasCommand(usage, summary, new TasksCommand(), List.of(words));
    }

    public static CommandLines lines() {
        var lines = new LinkedHashMap<String, CliCommand.Help>();
        commands().forEach((name, command) -> lines.put(name, command.get().help()));
        return new CommandLines(lines);
    }

    /** Runs a command line, and gives its exit code. */
    public int run(List<String> line) {
        return runner.run(line, () -> dispatch(line));
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
        return runner.dispatch(command(name, commands), rest);
    }

    private static CliCommand command(String name, Map<String, Supplier<CliCommand>> commands) {
        var command = commands.get(name);
        if (command == null) {
            throw UsageException.unknown("there is no command", name, commands.keySet());
        }
        return command.get();
    }

    private int help(List<String> about, Map<String, Supplier<CliCommand>> commands) {
        if (!about.isEmpty()) {
            return runner.help(command(about.getFirst(), commands));
        }
        var out = terminal.out();
        out.println("Long-running work as durable tasks over the Model Context Protocol.");
        out.println();
        out.println("usage: longhaul COMMAND [options]");
        out.println();
        commands.forEach((name, command) ->
                out.println("  %-10s %s".formatted(name, command.get().help().summary())));
        out.println("  %-10s %s".formatted("help", "show the help of a command"));
        out.println();
        out.println("longhaul COMMAND --help tells more; --version says which Longhaul this is.");
        return ExitCode.OK;
    }
}
