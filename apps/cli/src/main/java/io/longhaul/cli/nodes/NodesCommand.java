// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.nodes;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.call.CallRunner;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.data.StoreOptions;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.store.postgres.PostgresNodes;
import java.util.List;

/** Lists the servers over one database. */
public final class NodesCommand implements CliCommand {
    private static final List<String> DETAILS = List.of(
            "The database is that of --store, or of store: in FILE. The command shows what servers have written there,",
            "by the clock of the database.",
            "STATE is up, draining (see drain), silent (its lease has expired; it may come back to its tasks) or gone",
            "(it ended or counts as dead: others take over its tasks); SINCE is how long the state lasts. ROLE has the",
            "labels, too.",
            "BEGUN and WAITING count its tasks whose work has begun, or has not; OLDEST is the age of the oldest one"
                    + " that",
            "waits, and TOOLS has the tools of these tasks.",
            DrainCommand.CODES);

    @Override
    public Help help() {
        return new Help(
                "nodes [FILE.yaml]",
                "list the servers of a database, and what each of them runs",
                DETAILS,
                Option.and(StoreOptions.OF_DATABASE, CallRunner.OUTPUT));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws InterruptedException {
        boolean isJson = CallRunner.isJson(arguments);
        return NodesDatabase.run(arguments, 0, terminal, nodes -> print(nodes, isJson, terminal));
    }

    private static int print(PostgresNodes nodes, boolean isJson, Terminal terminal) {
        var all = nodes.list();
        var free = nodes.free();
        if (isJson) {
            terminal.out().println(JsonText.pretty(NodeText.json(all, free)));
            return ExitCode.OK;
        }
        if (all.isEmpty()) {
            terminal.err().println("no nodes");
        } else {
            NodeText.TABLE.lines(all).forEach(terminal.out()::println);
        }
        if (!free.isEmpty()) {
            terminal.say("waiting for a node that is up and has their tool: " + NodeText.tools(free));
        }
        return ExitCode.OK;
    }
}
