// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.nodes;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.data.StoreOptions;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.file.text.SimilarWord;
import io.longhaul.store.postgres.PostgresNodes;
import io.longhaul.store.postgres.PostgresNodes.Node;
import io.longhaul.store.postgres.PostgresNodes.State;
import java.time.Duration;
import java.util.List;

/** Drains one of the servers of a database. */
public final class DrainCommand implements CliCommand {
    static final String CODES = "exit codes: 0 success, 2 usage, 3 there is no such node, 4 no connection";

    private static final Option UNDO = Option.flag("--undo", "let the node begin tasks again");
    private static final Option NO_WAIT = Option.flag("--no-wait", "return at once: do not wait for the running tasks");
    private static final List<String> DETAILS = List.of(
            "NODE is a node that `longhaul nodes` lists. A drained node begins no tasks, and is not ready, so that a",
            "balancer sends requests elsewhere. Other nodes get its tasks that have not begun, or that wait for an",
            "answer. Its running tasks go on to their end, for which this command waits; then end the server.",
            "Ctrl-C ends only the waiting. A node is drained until its server starts again, or until --undo; the",
            "waiting then ends with exit code 3.",
            CODES);
    private static final Duration LOOK = Duration.ofSeconds(1);

    @Override
    public Help help() {
        return new Help(
                "drain NODE [FILE.yaml]",
                "take one of the servers of a database out of service",
                DETAILS,
                Option.and(StoreOptions.OF_DATABASE, UNDO, NO_WAIT));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws InterruptedException {
        var node = arguments.word(0, "the node, as longhaul nodes lists it");
        return NodesDatabase.run(arguments, 1, terminal, nodes -> drain(nodes, node, arguments, terminal));
    }

    private static int drain(PostgresNodes nodes, String node, Arguments arguments, Terminal terminal)
            throws InterruptedException {
        boolean isUndone = arguments.has(UNDO);
        if (!nodes.drain(node, !isUndone)) {
            throw new Problem(Problem.Kind.REFUSED, missing(nodes, node));
        }
        if (isUndone) {
            terminal.say(node + " begins tasks again");
        } else if (arguments.has(NO_WAIT)) {
            terminal.say(node + " begins nothing any more; `longhaul nodes` shows what still runs there");
        } else {
            await(nodes, node, terminal);
        }
        return ExitCode.OK;
    }

    private static String missing(PostgresNodes nodes, String node) {
        var up = nodes.list().stream()
                .filter(one -> one.state() != State.GONE)
                .map(Node::name)
                .toList();
        return up.isEmpty()
                ? "no node is up in this database"
                : "no node that is up is called \"" + node + "\". " + SimilarWord.advice(node, up);
    }

    private static void await(PostgresNodes nodes, String node, Terminal terminal) throws InterruptedException {
        var said = "";
        while (true) {
            var now =
                    nodes.list().stream().filter(one -> one.name().equals(node)).findFirst();
            if (now.isEmpty() || now.get().state() == State.GONE) {
                terminal.say(node + " has ended");
                return;
            }
            if (now.get().state() == State.UP) {
                throw new Problem(
                        Problem.Kind.REFUSED, node + " begins tasks again before its running ones have ended");
            }
            long left = now.get().begun() + now.get().waiting();
            if (left == 0) {
                terminal.say("nothing runs at " + node + " any more: end its server");
                return;
            }
            var line = NodeText.count(left) + " left at " + node + ": "
                    + NodeText.tools(now.get().tasks());
            if (said.isEmpty()) {
                // The database does not show which tasks wait for an answer: what a task does is sealed.
                terminal.say("the tasks that run at " + node + " are waited for; where one waits for an answer and"
                        + " cannot go to another node, the log of " + node + " names it: an answer or a cancel ends"
                        + " its wait");
            }
            if (!line.equals(said)) {
                terminal.say(line);
                said = line;
            }
            Thread.sleep(LOOK);
        }
    }
}
