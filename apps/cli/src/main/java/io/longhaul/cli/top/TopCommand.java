// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.connect.Credentials;
import io.longhaul.cli.connect.Generations;
import io.longhaul.cli.connect.NamedServer;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.tasks.TasksCommand;
import io.longhaul.cli.terminal.Interrupts;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.top.view.ListFilter;
import io.longhaul.cli.top.view.ListFrame;
import io.longhaul.cli.top.view.TaskList;
import io.longhaul.cli.top.view.TaskOrder;
import io.longhaul.cli.top.view.TopState;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/**
 * Shows the tasks of a server in one window, live.
 *
 * @param interrupts takes the action to run at Ctrl-C, or when the process is asked to end
 * @param interval   the pause between two reads of all tasks
 */
public record TopCommand(Consumer<Runnable> interrupts, Duration interval) implements CliCommand {
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Option ONCE = Option.flag("--once", "print the tasks once, with their ids, and end");
    private static final Option FIND = Option.valued(
            "--find", "'WORDS'", "only tasks with all these words; state:live, tool:NAME, owner:NAME match one field");

    public TopCommand() {
        this(
                action -> {
                    Interrupts.onInterrupt(action);
                    Interrupts.onTerminate(action);
                },
                INTERVAL);
    }

    @Override
    public Help help() {
        return new Help(
                "top [URL]",
                "show the tasks of a server live, and answer, cancel, retry or purge them",
                List.of(
                        NamedServer.HELP,
                        "Keys: arrows select a task, enter opens it with its history, output, questions and result.",
                        "a answers it, c cancels, r retries, p purges, / finds, o sorts, ? shows all keys, q quits.",
                        "Without a terminal, the command prints the tasks once, as with --once.",
                        "The command needs a server of Longhaul (io.longhaul/tasks).",
                        "exit codes: 0 quit, 2 usage, 3 refused, 4 no connection, 130 Ctrl-C"),
                Option.and(Credentials.OPTIONS, ONCE, FIND, Generations.OPTION));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws IOException, InterruptedException {
        var server = NamedServer.of(arguments.words(), 0, terminal);
        arguments.expectWords(1);
        var clock = InstantSource.system();
        try (var client = Credentials.client(server, arguments, terminal).connect()) {
            var remote = client.tasks();
            var watched = new TopServer(remote, TasksCommand.extension(remote), clock);
            var filter = new ListFilter(arguments.value(FIND).orElse(""));
            var state = TopState.of(server.target(), new TaskList(watched.look(), filter, TaskOrder.STATE, null));
            var facts = terminal.facts();
            if (arguments.has(ONCE) || !facts.showsOut() || !facts.asks()) {
                ListFrame.once(state, clock.instant()).forEach(terminal.out()::println);
                if (state.board().snapshot().isCut()) {
                    terminal.say("only the newest " + TopServer.MOST + " live tasks are shown;"
                            + " `longhaul tasks list --state live --limit COUNT` lists more");
                }
                return ExitCode.OK;
            }
            var loop = new TopLoop(terminal, watched, state, clock, interval);
            interrupts.accept(loop::interrupt);
            return loop.run();
        }
    }
}
