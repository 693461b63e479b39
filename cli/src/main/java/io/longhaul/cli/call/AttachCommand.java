package io.longhaul.cli.call;

import io.longhaul.cli.Command;
import io.longhaul.cli.ExitCode;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.terminal.Terminal;
import java.util.List;
import java.util.function.Consumer;

/**
 * Goes on with a task that was left running.
 *
 * @param interrupts takes what is to be run at each Ctrl-C
 */
public record AttachCommand(Consumer<Runnable> interrupts) implements Command {
    public AttachCommand() {
        this(CallRunner.signals());
    }

    @Override
    public Help help() {
        return new Help(
                "attach REFERENCE",
                "go on with a task that call --detach or Ctrl-C left running",
                List.of(ExitCode.OF_CALLS),
                Option.and(Access.OPTIONS, CallRunner.YES, CallRunner.ANSWER, CallRunner.OUTPUT, CallRunner.LOG));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws InterruptedException {
        arguments.expectWords(1);
        var reference = Targets.reference(arguments.word(0, "the reference of a task"));
        var builder = Access.give(Targets.client(reference), arguments, terminal);
        return new CallRunner(terminal, arguments, interrupts).run(builder, client -> client.attach(reference));
    }
}
