// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.clients;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.data.SealingKeys;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.file.ServerFile;
import io.longhaul.receiver.KnownHosts;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Shows how long calls are held for each host that knows no tasks, and why. Also forgets what was learned of a host.
 */
public final class ClientsCommand implements CliCommand {
    private static final String FORGET = "forget";
    private static final String STORE = DataFolder.STORE;
    private static final List<String> DETAILS = List.of(
            "A host that knows no tasks gives a call up after a while. The server holds a call of a long tool for",
            "less, and then answers with the id of the task. What a server has learned of hosts is in its data",
            "folder: that of --data, or of FILE.yaml. With FILE.yaml, its settings hold, hosts and companions",
            "count too. The server may run meanwhile.",
            "forget NAME [VERSION]   delete what a server has learned of a host, or of one version of the host;",
            "                        needs --data DIR, without a running server",
            "exit codes: 0 success, 2 usage or an invalid file, 4 the data folder cannot be used");

    private static final Option DATA =
            Option.valued("--data", "DIR", "the data folder; by default the one that serve uses for FILE.yaml");
    private static final Option JSON = Option.flag("--json", "print JSON");

    private final InstantSource clock = InstantSource.system();

    @Override
    public Help help() {
        return new Help(
                "clients [FILE.yaml] | clients forget NAME [VERSION]",
                "show how long a server holds calls for each host, and what it has learned of hosts",
                DETAILS,
                List.of(DATA, SealingKeys.READING, JSON));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) {
        return arguments.words().stream().findFirst().filter(FORGET::equals).isPresent()
                ? forget(arguments, terminal)
                : show(arguments, terminal);
    }

    private int show(Arguments arguments, Terminal terminal) {
        arguments.expectWords(1);
        var file = arguments.words().stream().findFirst().map(name -> ServerFile.read(Path.of(name)));
        var known = new KnownHosts(
                file.map(ServerFile::hosts).orElse(PlainHosts.DEFAULT), learned(arguments, file, terminal), clock);
        if (arguments.has(JSON)) {
            terminal.out().println(JsonText.pretty(ClientsText.json(known.all())));
        } else {
            ClientsText.TABLE.lines(known.all()).forEach(terminal.out()::println);
        }
        return ExitCode.OK;
    }

    private List<StoredRow> learned(Arguments arguments, Optional<ServerFile> file, Terminal terminal) {
        var named = store(arguments);
        var store = named.or(() -> file.map(
                served -> DataFolder.standard(served.path(), terminal.env()).resolve(STORE)));
        if (store.isPresent() && Files.exists(store.get())) {
            return SqliteTaskStore.rows(
                    store.get(),
                    SealingKeys.of(arguments, terminal.env()),
                    KnownHosts.SPACE,
                    KnownHosts.LEARNED,
                    clock.instant());
        }
        terminal.say("nothing was learned: "
                + store.map(path -> "no server has used "
                                + SafeText.line(path.getParent().toString()))
                        .orElse("name the data folder of a server with --data, or its FILE.yaml"));
        return List.of();
    }

    private int forget(Arguments arguments, Terminal terminal) {
        var name = arguments.word(1, "the name of the host");
        arguments.expectWords(3);
        var version = arguments.words().stream().skip(2).findFirst().orElse(null);
        var file =
                store(arguments).orElseThrow(() -> new UsageException("forget needs --data DIR. " + DataFolder.WHICH));
        int forgotten;
        try (var store = SqliteTaskStore.at(file, SealingKeys.of(arguments, terminal.env()))) {
            forgotten = KnownHosts.forget(store.rows(), name, version, clock.instant());
        }
        var what = SafeText.line(version == null ? name : name + " " + version);
        if (forgotten == 0) {
            throw new UsageException("nothing was learned of " + what + ". The command clients --data DIR shows all.");
        }
        terminal.say("what was learned of " + what + " is forgotten");
        return ExitCode.OK;
    }

    /** The store in the folder that the user named. */
    private static Optional<Path> store(Arguments arguments) {
        return arguments.value(DATA).map(folder -> {
            var store = Path.of(folder).resolve(STORE);
            if (!Files.isRegularFile(store)) {
                throw DataFolder.none(folder);
            }
            return store;
        });
    }
}
