// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.command.Patience;
import io.longhaul.cli.connect.CommandTarget;
import io.longhaul.cli.connect.Credentials;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Interrupts;
import io.longhaul.cli.terminal.Terminal;
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
            "--wait", "TIME", "wait this long for a server that is down, such as 10m; by default, do not wait");

    public AttachCommand() {
        this(Interrupts::onInterrupt);
    }

    @Override
    public Help help() {
        return new Help(
                "attach REFERENCE",
                "follow a task that call --detach or Ctrl-C left running",
                List.of(
                        "An --answer that does not fit leaves its question open, and the command says what is wrong.",
                        CallRunner.LEFT,
                        CallRunner.ERRORS,
                        ExitCode.OF_CALLS),
                Option.and(
                        Credentials.OPTIONS,
                        WAIT,
                        CallRunner.YES,
                        CallRunner.ANSWER,
                        CallRunner.OUTPUT,
                        CallRunner.LOG));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws InterruptedException {
        arguments.expectWords(1);
        var reference = CommandTarget.reference(arguments.word(0, "the reference of a task"));
        var builder = Credentials.give(CommandTarget.client(reference), arguments, terminal);
        var patience = Patience.of(arguments.duration(WAIT).orElse(Duration.ZERO));
        return new CallRunner(terminal, arguments, interrupts)
                .waiting(patience)
                .run(builder, client -> client.attach(reference));
    }
}
