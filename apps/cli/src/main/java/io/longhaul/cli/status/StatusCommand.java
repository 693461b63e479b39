// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.status;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.command.ThisProgram;
import io.longhaul.cli.command.Version;
import io.longhaul.cli.connect.Credentials;
import io.longhaul.cli.connect.ListeningServer;
import io.longhaul.cli.connect.NamedServer;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.install.InstallCommand;
import io.longhaul.cli.operate.OrderFolder;
import io.longhaul.cli.operate.UpstreamsCommand;
import io.longhaul.cli.serve.ServeCommand;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.McpClientException;
import io.longhaul.client.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows the servers of this user, what they need, and what is wrong with it. */
public final class StatusCommand implements CliCommand {
    private static final int KIB = 1024;

    @Override
    public Help help() {
        return new Help(
                "status",
                "show what runs here, what it needs, and what is wrong",
                List.of(
                        NamedServer.HELP,
                        "Servers that only a host speaks to over stdio are not shown.",
                        "exit codes: 0 nothing is wrong, 4 something is"),
                List.of());
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) {
        arguments.expectWords(0);
        var wrong = new ArrayList<String>();
        var servers = ListeningServer.all(terminal.env());
        var alive = servers.stream().filter(ListeningServer::isAlive).toList();
        line(terminal, "longhaul", Version.TEXT + ", Java " + Runtime.version() + " in " + javaHome());
        alive.forEach(server -> server(server, terminal, wrong));
        line(terminal, "server", named(terminal, wrong));
        line(terminal, "port", port(alive));
        line(terminal, "data", data(ThisProgram.state(terminal.env()), wrong));
        var hosts = InstallCommand.configured(terminal);
        line(terminal, "hosts", hosts.isEmpty() ? "none has a server of Longhaul" : String.join(", ", hosts));
        servers.stream()
                .filter(server -> !server.isAlive())
                .forEach(killed -> wrong.add(
                        "process " + killed.process() + " was killed. Its tasks go on with " + command(killed)));
        wrong.forEach(problem -> line(terminal, "wrong", problem));
        return wrong.isEmpty() ? ExitCode.OK : ExitCode.CONNECTION;
    }

    private static String command(ListeningServer server) {
        if (server.url() == null) {
            return "longhaul serve " + server.file() + " --role work";
        }
        int port = URI.create(server.url()).getPort();
        return "longhaul serve " + server.file() + (port == ServeCommand.PORT ? "" : " --http " + port);
    }

    private static void line(Terminal terminal, String name, String words) {
        terminal.out().println("%-9s %s".formatted(name, SafeText.line(words)));
    }

    private static String javaHome() {
        return System.getProperty("java.home");
    }

    private static void server(ListeningServer server, Terminal terminal, List<String> wrong) {
        line(terminal, "runs", server + ", version " + server.version());
        line(terminal, "", "its data folder is " + server.data() + ", " + size(server.data()));
        upstreams(server, terminal, wrong);
        if (!server.version().equals(Version.TEXT)) {
            wrong.add("process " + server.process() + " is of another version than this command. Stop it, and type "
                    + command(server));
        }
        if (!Files.isReadable(server.file())) {
            wrong.add(server.file() + " cannot be read, which process " + server.process()
                    + " serves. Put it back: the next start needs it");
        }
        if (!Files.isWritable(server.data())) {
            wrong.add(server.data() + " cannot be written. Let the user of the server write there");
        }
    }

    /** The servers behind a server. */
    private static void upstreams(ListeningServer server, Terminal terminal, List<String> wrong) {
        if (!Files.isDirectory(OrderFolder.in(server.data()).path())) {
            return;
        }
        try {
            for (var upstream : OrderFolder.in(server.data()).listed("upstreams")) {
                line(terminal, "", "behind it " + UpstreamsCommand.line(upstream));
                var why = upstream.path("why").asString("");
                if (!why.isEmpty()) {
                    wrong.add("the server " + upstream.path("name").asString("") + " behind process " + server.process()
                            + ": " + why);
                }
            }
        } catch (IOException | Problem e) {
            if (!server.isAlive()) {
                return;
            }
            wrong.add("process " + server.process() + " does not tell of the servers behind it: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The server of commands that name none. */
    private static String named(Terminal terminal, List<String> wrong) {
        NamedServer server;
        try {
            server = NamedServer.found(terminal);
        } catch (UsageException none) {
            return String.valueOf(none.getMessage());
        }
        var what = server.target() + " (" + server.foundBy() + ")";
        try (var client = Credentials.client(server, Arguments.parse(List.of(), List.of()), terminal)
                .connect()) {
            return what + ": " + client.server().name() + " " + client.server().version() + " answers";
        } catch (RefusedException refused) {
            wrong.add(what + " refuses: " + refused.getMessage() + ". longhaul login may help");
        } catch (McpClientException | UsageException e) {
            wrong.add(what + ": " + e.getMessage() + ". Start it, or name another in " + server.foundBy());
        }
        return what;
    }

    /** The port at which a server listens where the command line names none. */
    private static String port(List<ListeningServer> alive) {
        int port = ServeCommand.PORT;
        var own = alive.stream()
                .filter(server ->
                        server.url() != null && URI.create(server.url()).getPort() == port)
                .findFirst();
        if (own.isPresent()) {
            return port + " is that of " + own.get().file().getFileName();
        }
        try (var free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort() + " is free";
        } catch (IOException e) {
            return port + " is used by another program: longhaul serve FILE.yaml --http 0 takes a free one";
        }
    }

    private static String data(Path state, List<String> wrong) {
        var there = state;
        while (!Files.exists(there)) {
            there = there.getParent();
        }
        if (!Files.isWritable(there)) {
            wrong.add(there + " cannot be written. Let this user write there, or give serve a folder with --data");
        }
        return "by default in " + state + ", " + size(state);
    }

    private static String size(Path folder) {
        try (var files = Files.walk(folder)) {
            long bytes = files.mapToLong(StatusCommand::bytes).sum();
            return bytes < KIB * KIB
                    ? bytes / KIB + " KiB"
                    : String.format(Locale.ROOT, "%.1f MiB", (double) bytes / KIB / KIB);
        } catch (IOException | UncheckedIOException e) {
            return "empty";
        }
    }

    private static long bytes(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            // It was removed meanwhile.
            return 0;
        }
    }
}
