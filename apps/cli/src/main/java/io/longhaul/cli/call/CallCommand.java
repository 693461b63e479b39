// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import io.longhaul.cli.answer.ToolArguments;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.connect.Credentials;
import io.longhaul.cli.connect.Generations;
import io.longhaul.cli.connect.NamedServer;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Interrupts;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.TaskReference;
import io.longhaul.client.ToolInfo;
import io.longhaul.protocol.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Calls a tool.
 *
 * @param interrupts takes the action to run at each Ctrl-C
 */
public record CallCommand(Consumer<Runnable> interrupts) implements CliCommand {
    private static final List<String> DETAILS = Generations.help(
            "URL is an address such as http://127.0.0.1:8080/mcp, or 'stdio:PROGRAM ARGUMENT...' to start a server.",
            NamedServer.HELP,
            "Values are converted to the types in the schema of the tool; repeat a key to give a list.",
            "Without a terminal, partial output is not repeated.",
            "The terminal shows the questions of the task; without a terminal, give --yes or --answer.",
            "Ctrl-C asks whether to cancel the task or leave it running; a second leaves it.",
            "An --answer that does not fit leaves its question open.",
            CallRunner.AWAY,
            CallRunner.LEFT,
            CallRunner.ERRORS,
            ExitCode.OF_CALLS);
    public static final Option JSON =
            Option.valued("--json", "'{...}'", "the arguments as one JSON object; key=value adds to it");
    private static final Option DETACH = Option.flag("--detach", "print a reference to the task and leave it running");
    private static final Option TTL =
            Option.valued("--ttl", "TIME", "ask the server to keep the task for this time, such as 1h");

    public CallCommand() {
        this(Interrupts::onInterrupt);
    }

    @Override
    public Help help() {
        return new Help(
                "call [URL] TOOL [key=value...]",
                "call a tool, and follow the call to its end",
                DETAILS,
                Option.and(
                        Credentials.OPTIONS,
                        JSON,
                        DETACH,
                        TTL,
                        Generations.OPTION,
                        CallRunner.YES,
                        CallRunner.ANSWER,
                        CallRunner.OUTPUT,
                        SavedResult.OPTION,
                        CallRunner.LOG));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws InterruptedException {
        var server = NamedServer.of(arguments.words(), 1, terminal);
        server.word(0, "the name of the tool");
        var words = server.rest();
        var options = options(arguments);
        var builder = Credentials.client(server, arguments, terminal);
        var runner = new CallRunner(terminal, arguments, interrupts)
                .answeredBy("; or call with --detach, and answer later: " + CallRunner.ANSWERING);
        if (arguments.has(DETACH)) {
            if (arguments.value(SavedResult.OPTION).isPresent()) {
                throw new UsageException("--detach leaves before there is a result to --save. Call without --save, and"
                        + " save the result later: longhaul attach REFERENCE --save PATH");
            }
            try (var client = runner.connect(builder, true)) {
                return detach(client, words, arguments, terminal);
            }
        }
        return runner.run(
                builder, client -> client.call(words.getFirst(), toolArguments(client, words, arguments), options));
    }

    private static int detach(McpClient client, List<String> words, Arguments arguments, Terminal terminal)
            throws InterruptedException {
        var server = client.server();
        if (!server.hasTasks()) {
            throw new Problem(
                    Problem.Kind.UNSUPPORTED,
                    SafeText.line(server.name()) + " has no tasks in the generation " + server.generation()
                            + ", so that a call cannot be left running. Call it without --detach.");
        }
        var options = options(arguments).withTask(CallOptions.TaskUse.LEAVE);
        var call = client.call(words.getFirst(), toolArguments(client, words, arguments), options);
        var reference = call.reference();
        call.warnings().forEach(warning -> terminal.say(SafeText.line(warning)));
        boolean json = CallRunner.isJson(arguments);
        var printer = new ResultPrinter(terminal, json);
        if (reference.isPresent()) {
            call.detach();
            printer.left(reference.map(TaskReference::toString));
            if (!json) {
                terminal.out().println(reference.get().toString());
            }
            return ExitCode.OK;
        }
        var outcome = call.await();
        if (outcome instanceof CallOutcome.ToolResult || outcome instanceof CallOutcome.ToolError) {
            terminal.say("the server made no task of this call; it has ended already");
        }
        return printer.print(outcome, Optional.empty());
    }

    private static CallOptions options(Arguments arguments) {
        return arguments.duration(TTL).map(CallOptions.DEFAULT::withTtl).orElse(CallOptions.DEFAULT);
    }

    /**
     * The arguments of a call, checked against the tools of the server.
     *
     * @param words the name of the tool, and what it is given
     */
    public static Json toolArguments(McpClient client, List<String> words, Arguments arguments) {
        var name = words.getFirst();
        var tools = client.tools();
        if (tools.isEmpty()) {
            throw new Problem(
                    Problem.Kind.UNSUPPORTED,
                    "the server has no tools now. A gateway has none while the servers behind it are away.");
        }
        var tool = tools.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> UsageException.unknown(
                        "the server has no tool",
                        name,
                        tools.stream().map(ToolInfo::name).toList()));
        return JsonText.json(ToolArguments.of(
                words.subList(1, words.size()), arguments.value(JSON), JsonText.tree(tool.inputSchema())));
    }
}
