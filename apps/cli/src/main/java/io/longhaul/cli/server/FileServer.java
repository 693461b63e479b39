// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.file.FileChange;
import io.longhaul.file.FilePlace;
import io.longhaul.file.FileTools;
import io.longhaul.file.ServerFile;
import io.longhaul.file.UpstreamEntry;
import io.longhaul.file.operate.Orders;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.work.CommandEntry;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.server.McpServer;
import io.longhaul.server.ServerTasks;
import io.longhaul.transport.LocalSocket;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A running server of a file of tools. Thread-safe. */
public final class FileServer implements AutoCloseable {
    private final DataFolder data;
    private final Ways ways;
    private final FileTools tools;
    private final McpServer server;
    private final Observers observers;
    private volatile ServerFile file;

    /**
     * The ways to the server: the configured transport, the socket for other windows, and the console.
     *
     * @param card that other windows have to match
     */
    private record Ways(
            ServerTransport main,
            Optional<Http> http,
            LocalSocket socket,
            Optional<ConsolePort> console,
            AtomicReference<WindowCard> card,
            AtomicReference<Runnable> reload) {
        /** @param main empty where the server is for other windows alone */
        static Ways of(
                Optional<ServerTransport> main,
                ServerFile file,
                DataFolder data,
                WindowCard first,
                Map<String, String> env) {
            var card = new AtomicReference<>(first);
            var reload = new AtomicReference<Runnable>(() -> {});
            var socket = LocalSocket.at(
                    data.socket(),
                    other -> other.equals(WindowCard.RELOAD)
                            ? reloaded(reload.get())
                            : card.get().refusal(other),
                    file.limits().wire());
            var http = main.filter(Http.class::isInstance).map(Http.class::cast);
            return new Ways(main.orElse(socket), http, socket, ConsolePort.of(file, http, env), card, reload);
        }

        private static String reloaded(Runnable reload) {
            reload.run();
            return "has read the file again, and tells there what it serves now";
        }

        McpServer serve(FileTools tools) {
            var more = Stream.of(Optional.of(socket), console.map(ConsolePort::transport))
                    .flatMap(Optional::stream)
                    .filter(other -> !other.equals(main))
                    .toArray(ServerTransport[]::new);
            return tools.serve(main, more);
        }
    }

    private FileServer(ServerFile file, DataFolder data, Ways ways, FileTools tools, Observers observers) {
        this.file = file;
        this.data = data;
        this.ways = ways;
        this.tools = tools;
        this.observers = observers;
        this.server = ways.serve(tools);
    }

    /**
     * Opens the data folder and starts to serve.
     *
     * @throws io.longhaul.engine.store.StoreException where the data folder cannot be used, such as when another
     *     process uses it
     * @throws java.io.UncheckedIOException            where the port cannot be used
     */
    public static FileServer start(ServerFile file, DataFolder data, ServerTransport transport) throws IOException {
        return start(file, data, transport, Map.of());
    }

    /** @param env the environment, with the variables of OpenTelemetry */
    public static FileServer start(ServerFile file, DataFolder data, ServerTransport transport, Map<String, String> env)
            throws IOException {
        return start(file, data, Ways.of(Optional.of(transport), file, data, WindowCard.of(file), env), env);
    }

    /** As {@link #start}, without clients but those of this machine: for a node that runs tasks. */
    public static FileServer forWork(ServerFile file, DataFolder data, Map<String, String> env) throws IOException {
        return shared(file, data, WindowCard.of(file), env);
    }

    /** As {@link #start}, but only for other processes of this machine that match {@code card}. */
    public static FileServer shared(ServerFile file, DataFolder data, WindowCard card, Map<String, String> env)
            throws IOException {
        return start(file, data, Ways.of(Optional.empty(), file, data, card, env), env);
    }

    private static FileServer start(ServerFile file, DataFolder data, Ways ways, Map<String, String> env)
            throws IOException {
        data.create();
        var store = data.openStore();
        var observers = new Observers();
        var tools = Optional.<FileTools>empty();
        try {
            var builder = McpServer.builder(file.name(), file.version()).store(store);
            observers.audit(builder, file, data.path());
            observers.watch(builder, file, env);
            var messages = observers.develop(builder, file);
            ways.console().ifPresent(port -> port.watch(builder, messages));
            var jobs = data.path().resolve("jobs");
            var place = new FilePlace(store, jobs, env, data.node(), data.isSealed(), observers::record);
            tools = Optional.of(FileTools.of(file, builder, place, ways.http()));
            boolean hasConsole = ways.console().isPresent();
            ways.http().ifPresent(http -> http.site(WelcomePage.of(http, hasConsole)));
            var server = new FileServer(file, data, ways, tools.get(), observers);
            tools.get().operate(data.path().resolve(Orders.FOLDER));
            return server;
        } catch (IOException | RuntimeException e) {
            tools.ifPresent(FileTools::close);
            store.close();
            observers.close();
            if (e instanceof IllegalArgumentException) {
                throw refused(e);
            }
            throw e;
        }
    }

    private static UsageException refused(Exception e) {
        // The words for one tool say the same already.
        var why = String.valueOf(e.getMessage());
        return new UsageException((why.startsWith("the tool ") ? "" : "the file cannot be served: ") + why + ".");
    }

    /**
     * Serves another version of the file from now on.
     *
     * @param change what differs from the version that is served
     * @throws IllegalArgumentException where the server cannot serve that version, and goes on as before
     * @throws io.longhaul.file.tree.ConfigException likewise
     */
    public synchronized void change(ServerFile next, FileChange change) {
        var served = next.limited(next.limits().after(file.limits()));
        tools.change(served, change);
        observers.serving(served);
        file = served;
        ways.card().set(WindowCard.of(served));
    }

    /** Sets what other windows of the data folder ask for by {@link StdioWindow#reload}. */
    void onReload(Runnable reload) {
        ways.reload().set(reload);
    }

    /** The lines for the user at the start. */
    public List<String> announcement() {
        var lines = new ArrayList<String>();
        lines.add("serving " + file.path().getFileName() + ": " + offered());
        boolean isForWork = ways.main().equals(ways.socket());
        var other = isForWork ? "to no client: other nodes take calls" : "on standard input and output";
        lines.add(ways.http().map(http -> "at " + http.url()).orElse(other));
        ways.http()
                .flatMap(Http::legacySseUrl)
                .ifPresent(url -> lines.add("and at " + url + " for the oldest clients"));
        lines.add(data.announcement());
        if (!isForWork) {
            lines.add(callers(ways.main()));
        }
        lines.addAll(observers.announcement());
        lines.addAll(consoleAnnouncement());
        if (file.recording().messages().isPresent() && !ways.main().isLocal()) {
            lines.add("warning: --dev is for development: messages contain the data of all callers");
        }
        if (!file.triggers().isEmpty() && ways.http().isEmpty() && !isForWork) {
            lines.add("warning: the triggers of the file are served over HTTP alone");
        }
        Stream.concat(
                        file.tools().stream()
                                .flatMap(tool -> tool.command().stream())
                                .filter(CommandEntry::isMissing)
                                .map(CommandEntry::program),
                        file.missingUpstreams())
                .distinct()
                .forEach(program -> lines.add(
                        "warning: there is no program " + program + (program.contains("/") ? "" : " on the PATH")));
        return lines;
    }

    private String offered() {
        var own = file.tools().stream().map(ToolEntry::name);
        var upstreams = file.upstreams().stream().map(UpstreamEntry::name).collect(Collectors.joining(", "));
        var others = upstreams.isEmpty()
                ? Stream.<String>empty()
                : Stream.of(tools.toolsOfUpstreams() + " tools of " + upstreams);
        return Stream.concat(own, others).collect(Collectors.joining(", "));
    }

    /** The lines with the link to the console, which a window that takes over prints, too; empty without a console. */
    List<String> consoleAnnouncement() {
        return ways.console().map(ConsolePort::announcement).orElse(List.of());
    }

    private static String callers(ServerTransport transport) {
        if (transport.authorizes()) {
            return "each caller needs a token or a key, and finds its own tasks alone";
        }
        return transport.isLocal()
                ? "every caller is this machine's user, and may list all tasks"
                : "any client that can reach the address may call; the id of a task is the only key to it, and"
                        + " nothing is listed";
    }

    public ServerTasks tasks() {
        return server.tasks();
    }

    /** Blocks until the configured transport ends; other windows are not waited for. */
    public void awaitEnd() throws InterruptedException {
        ways.main().awaitEnd();
    }

    /** Tells balancers that the server ends, and goes on serving for as long as they may take to notice. */
    public void retire() throws InterruptedException {
        server.retire();
        if (ways.http().isPresent()) {
            Thread.sleep(file.limits().lameDuck(file.metrics().isPresent()));
        }
    }

    /** Ends the server. The socket of other windows closes first, so that they leave with their answers. */
    @Override
    public void close() {
        ways.socket().close();
        tools.close();
        ways.console().ifPresent(ConsolePort::close);
        observers.close();
    }
}
