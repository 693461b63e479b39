// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.command.Patience;
import io.longhaul.cli.connect.CommandTarget;
import io.longhaul.cli.connect.Credentials;
import io.longhaul.cli.connect.NamedServer;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Interrupts;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.client.McpClient;
import io.longhaul.client.TaskReference;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Attaches to a task that was left running.
 *
 * @param interrupts takes the action to run at each Ctrl-C
 */
public record AttachCommand(Consumer<Runnable> interrupts) implements CliCommand {
    private static final Option WAIT = Option.valued(
            "--wait", "TIME", "wait this long for the first connection, such as 10m; by default, do not wait");

    public AttachCommand() {
        this(Interrupts::onInterrupt);
    }

    @Override
    public Help help() {
        return new Help(
                "attach REFERENCE|[URL] ID",
                "follow a task that call --detach or Ctrl-C left running",
                List.of(
                        TaskName.HELP,
                        NamedServer.HELP,
                        "An --answer that does not fit leaves its question open.",
                        CallRunner.AWAY,
                        CallRunner.LEFT,
                        CallRunner.ERRORS,
                        ExitCode.OF_CALLS),
                Option.and(
                        Credentials.OPTIONS,
                        WAIT,
                        CallRunner.YES,
                        CallRunner.ANSWER,
                        CallRunner.OUTPUT,
                        SavedResult.OPTION,
                        CallRunner.LOG));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws InterruptedException {
        var patience = Patience.of(arguments.duration(WAIT).orElse(Duration.ZERO));
        var runner = new CallRunner(terminal, arguments, interrupts)
                .waiting(patience)
                .leavingOpen()
                .answeredBy("; or answer from elsewhere: " + CallRunner.ANSWERING);
        var first = arguments.word(0, "the task");
        if (CommandTarget.isReference(first)) {
            arguments.expectWords(1);
            var reference = CommandTarget.reference(first);
            var builder = Credentials.give(CommandTarget.client(reference), arguments, terminal);
            return runner.run(builder, client -> client.attach(reference));
        }
        var server = NamedServer.of(arguments.words(), 1, terminal);
        var name = server.word(0, "the task");
        Arguments.expectWords(server.rest(), 1);
        var builder = Credentials.client(server, arguments, terminal);
        return runner.run(builder, client -> client.attach(reference(server, name, client)));
    }

    private static TaskReference reference(NamedServer server, String name, McpClient client) {
        return new TaskReference(
                CommandTarget.address(server.target()),
                client.server().generation(),
                TaskName.whole(name, client.tasks()));
    }
}
