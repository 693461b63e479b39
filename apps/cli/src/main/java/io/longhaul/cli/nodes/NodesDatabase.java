// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.nodes;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.data.StoreOptions;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.engine.store.StoreException;
import io.longhaul.file.ServerFile;
import io.longhaul.store.postgres.PostgresNodes;
import java.nio.file.Path;
import java.util.Optional;

/** The database that a command line names. */
final class NodesDatabase {

    interface Action {
        int on(PostgresNodes nodes) throws InterruptedException;
    }

    private NodesDatabase() {}

    /**
     * Runs an action on the database that the command line names.
     *
     * @param file the number of the word that may name a file of tools, the last one
     * @throws StoreException where the database cannot be reached, or has no nodes
     */
    static int run(Arguments arguments, int file, Terminal terminal, Action action) throws InterruptedException {
        arguments.expectWords(file + 1);
        var words = arguments.words();
        var named = words.size() > file
                ? Optional.of(ServerFile.check(Path.of(words.get(file)), terminal.env())
                        .usable()
                        .file())
                : Optional.<ServerFile>empty();
        var store = StoreOptions.database(named, arguments);
        var password = store.password().apply(terminal.env()).orElse(null);
        try (var nodes = PostgresNodes.at(store.url(), store.user().orElse(null), password)) {
            return action.on(nodes);
        }
    }
}
