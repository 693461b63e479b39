// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.connect.ListeningServer;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.data.SealingKeys;
import io.longhaul.cli.data.StoreOptions;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.handshake.HostStreams;
import io.longhaul.cli.logging.LogOutput;
import io.longhaul.cli.logging.StandardErrorLogging;
import io.longhaul.cli.server.FileReload;
import io.longhaul.cli.server.FileServer;
import io.longhaul.cli.server.StdioWindow;
import io.longhaul.cli.terminal.Interrupts;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.SafeText;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreInUseException;
import io.longhaul.file.ServerFile;
import io.longhaul.file.ServerFile.Checked;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.schema.SchemaCheck;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.Stdio;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the tools of a file until the process is told to end. */
public final class ServeCommand implements CliCommand {
    /** The port where the command line names none. */
    public static final int PORT = ServeOptions.DEFAULT_PORT;

    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    /** The exit codes in the help of each command that serves. */
    static final String EXIT_CODES = """
        exit codes: 0 stopped, 2 usage or an invalid file, 4 the port or the data folder cannot be used,
                    the server cannot accept connections any more, or it had greeted its host with an
                    answer kept from an earlier start that is no longer right\
        """;

    private static final List<String> DETAILS = List.of(
            "Jobs go on while the server is down; the next server on the same data folder finds them again.",
            "longhaul audit DIR --task ID finds the lines of one task in the audit log.",
            EXIT_CODES);

    @Override
    public Help help() {
        return new Help(
                "serve FILE.yaml",
                "serve the tools that a file names, each call a durable task",
                DETAILS,
                ServeOptions.ALL);
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws InterruptedException {
        return serve(ServeOptions.of(arguments), arguments, terminal);
    }

    /** Serves a file until the process is told to end. */
    static int serve(ServeOptions options, Arguments arguments, Terminal terminal) throws InterruptedException {
        // A file that is not served yet is not read again. A window that closes now has nothing to hand back.
        Interrupts.onHangup(() -> {}, () -> System.exit(ExitCode.INTERRUPTED));
        var folder = options.data()
                .orElseGet(() -> DataFolder.standard(options.file(), terminal.env()))
                .toAbsolutePath()
                .normalize();
        var host = options.stdio()
                ? Optional.of(HostStreams.standard(folder, options.file(), arguments.line()))
                : Optional.<HostStreams>empty();
        boolean isInFile = !arguments.has(StoreOptions.STORE);
        Thread.ofPlatform().daemon().name("load-ahead").start(() -> loadAhead(isInFile));
        var watch = new FileWatch(options.file());
        var checked = usable(ServerFile.check(options.file(), System.getenv()), arguments);
        var file = checked.file();
        var keys = SealingKeys.of(arguments, terminal.env());
        try (var log = log(options, file, terminal)) {
            checked.warnings().forEach(warning -> LOG.warn("{}", warning.text()));
            var database = file.store()
                    .map(store -> new DataFolder.Database(
                            store.url(),
                            store.user(),
                            store.password().apply(terminal.env()),
                            store.node(),
                            store.role(),
                            StoreOptions.patience(arguments, terminal.env())));
            var data = new DataFolder(folder, keys, database);
            boolean watches = ServeOptions.watches(
                    arguments, !options.stdio() && terminal.facts().showsErr());
            var watched = watches ? Optional.of(watch) : Optional.<FileWatch>empty();
            var source = new FileReload.Source(checked, () -> again(options, arguments), next -> {});
            if (host.isPresent()) {
                serve(host.get(), source, watched, data, terminal);
            } else if (StoreOptions.isForWork(arguments)) {
                serve(Optional.empty(), source, watched, data, terminal);
            } else {
                var http = HttpSetup.http(options, file, terminal.env());
                var checking = new FileReload.Source(checked, source.reading(), next -> HttpSetup.check(http, next));
                serve(Optional.of(http), checking, watched, data, terminal);
            }
            return ExitCode.OK;
        } catch (StoreException | UncheckedIOException | IOException e) {
            throw new Problem(Problem.Kind.CONNECTION, String.valueOf(e.getMessage()), e);
        }
    }

    private static LogOutput log(ServeOptions options, ServerFile file, Terminal terminal) throws IOException {
        var log = file.recording().log();
        var environment = StandardErrorLogging.environment(terminal.env());
        // A developer reads the messages in the log of the host.
        boolean isForHost = options.stdio() && file.recording().messages().isEmpty();
        return LogOutput.begin(RecordingOptions.level(log, isForHost, environment), log);
    }

    /** Loads classes that take long to load and are needed late, while the file is read. Nothing is opened. */
    private static void loadAhead(boolean isInFile) {
        if (isInFile) {
            SqliteTaskStore.load();
        }
        SchemaCheck.of("{}");
    }

    /** A file that can be served, with what the command line says in front. */
    private static Checked usable(Checked read, Arguments arguments) {
        var file = read.usable().file();
        var limited = StoreOptions.over(LimitOptions.over(file, arguments), arguments);
        return read.as(RecordingOptions.over(PortOptions.over(limited, arguments), arguments));
    }

    private static Checked again(ServeOptions options, Arguments arguments) {
        return usable(ServerFile.check(options.file(), System.getenv()).examined(options.file()), arguments);
    }

    private static void serve(
            Optional<ServerTransport> transport,
            FileReload.Source source,
            Optional<FileWatch> watch,
            DataFolder data,
            Terminal terminal)
            throws IOException, InterruptedException {
        var first = source.first().file();
        try (var server = transport.isPresent()
                ? FileServer.start(first, data, transport.get(), terminal.env())
                : FileServer.forWork(first, data, terminal.env())) {
            var reload = FileReload.of(server, source, lines -> say(terminal, lines));
            onSignals(reload::reload, () -> retire(server));
            var unsay = say(transport, first, data, terminal);
            say(terminal, server.announcement());
            var ticker = watch.map(file -> file.begin(reload::reload));
            server.awaitEnd();
            ticker.ifPresent(ScheduledExecutorService::shutdownNow);
            unsay.run();
        }
    }

    /** Says where the server is, unless only a host speaks to it; what is returned takes that back. */
    private static Runnable say(
            Optional<ServerTransport> transport, ServerFile file, DataFolder data, Terminal terminal) {
        if (transport.isPresent() && !(transport.get() instanceof Http)) {
            return () -> {};
        }
        var url = transport.map(Http.class::cast).map(http -> http.url().toString());
        return ListeningServer.here(url.orElse(null), file.path(), data.path())
                .say(terminal.env(), DataFolder.mark(data.path().toString()));
    }

    private static void retire(FileServer server) {
        try {
            server.retire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.close();
    }

    private static void serve(
            HostStreams host, FileReload.Source source, Optional<FileWatch> watch, DataFolder data, Terminal terminal)
            throws IOException, InterruptedException {
        var file = source.first().file();
        if (data.isSealed()) {
            host.sealed();
        }
        try {
            serve(Optional.of(Stdio.over(host.in(), host.out(), file.limits().wire())), source, watch, data, terminal);
        } catch (StoreInUseException e) {
            host.relayed();
            relay(host, source, watch, data, terminal);
        }
        host.verify();
    }

    /** Relays the host to the server of another window, which has the folder. */
    private static void relay(
            HostStreams host, FileReload.Source source, Optional<FileWatch> watch, DataFolder data, Terminal terminal)
            throws IOException, InterruptedException {
        try (var window = new StdioWindow(source, data, terminal.env(), lines -> say(terminal, lines));
                var relay = window.relay(host.in(), host.out())) {
            onSignals(window::reload, relay::close);
            var ticker = watch.map(file -> file.begin(window::reload));
            relay.run(window);
            ticker.ifPresent(ScheduledExecutorService::shutdownNow);
        }
    }

    /** Writes the lines at once: the log writes to the same stream on its thread, and would come between the lines. */
    static void say(Terminal terminal, List<String> lines) {
        terminal.err()
                .print(lines.stream()
                        .map(line -> "longhaul: " + SafeText.line(line) + "\n")
                        .collect(Collectors.joining()));
    }

    /** The first signal to end hands the tasks back and ends; a second one ends at once. */
    private static void onSignals(Runnable reload, Runnable close) {
        var told = new AtomicBoolean();
        Runnable end = () -> {
            if (told.getAndSet(true)) {
                Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
            }
            close.run();
        };
        Interrupts.onInterrupt(end);
        Interrupts.onTerminate(end);
        Interrupts.onHangup(reload, end);
    }
}
