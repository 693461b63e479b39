// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import io.longhaul.backend.http.HttpBackend;
import io.longhaul.backend.shell.ShellBackend;
import io.longhaul.backend.temporal.TemporalBackend;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.engine.SystemTime;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.file.ServerFile;
import io.longhaul.file.UpstreamEntry;
import io.longhaul.file.job.JobResults;
import io.longhaul.file.job.JobSweep;
import io.longhaul.file.job.ToolMaker;
import io.longhaul.file.schedule.Schedules;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.webhook.Notifier;
import io.longhaul.file.webhook.Triggers;
import io.longhaul.file.work.CommandEntry;
import io.longhaul.gateway.Gateway;
import io.longhaul.gateway.Upstream;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.ServerTasks;
import io.longhaul.server.Tool;
import io.longhaul.transport.LocalSocket;
import io.longhaul.transport.Site;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A running server of a file of tools. Thread-safe. */
public final class FileServer implements AutoCloseable {
    private final ServerFile file;
    private final DataFolder data;
    private final Ways ways;
    private final Running running;
    private final Jobs jobs;

    /** The parts that the jobs of the server need. */
    private record Jobs(
            JobSweep sweep, HttpBackend apis, TemporalBackend workflows, SystemTime clock, Unattended unattended)
            implements AutoCloseable {
        @Override
        public void close() {
            clock.close();
            apis.close();
            workflows.close();
        }
    }

    /** The parts that start tasks without a client, and that tell recipients of the ends of tasks. */
    private record Unattended(Schedules schedules, Notifier notifier) implements AutoCloseable {
        @Override
        public void close() {
            schedules.close();
            notifier.close();
        }
    }

    /** The ways to the server: the configured transport, the socket for other windows, and the console. */
    private record Ways(ServerTransport main, LocalSocket socket, Optional<ConsolePort> console) {
        McpServer serve(McpServerBuilder server, Optional<Gateway> gateway) {
            console.ifPresent(port -> port.watch(server));
            var more = Stream.of(Optional.of(socket), console.map(ConsolePort::transport))
                    .flatMap(Optional::stream)
                    .filter(other -> !other.equals(main))
                    .toArray(ServerTransport[]::new);
            return gateway.isPresent() ? gateway.get().serve(server, main, more) : server.serve(main, more);
        }
    }

    /** The server, its links to other servers, and its observers, which end in this order. */
    private record Running(McpServer server, Optional<Gateway> gateway, Observers observers) implements AutoCloseable {
        @Override
        public void close() {
            server.close();
            gateway.ifPresent(Gateway::close);
        }
    }

    private FileServer(ServerFile file, DataFolder data, Ways ways, Running running, Jobs jobs) {
        this.file = file;
        this.data = data;
        this.ways = ways;
        this.running = running;
        this.jobs = jobs;
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
        var socket = LocalSocket.at(
                data.socket(), WindowCard.of(file)::refusal, file.limits().wire());
        return start(file, data, new Ways(transport, socket, ConsolePort.of(file, transport, env)), env);
    }

    /** As {@link #start}, but only for other processes of this machine that match {@code card}. */
    public static FileServer shared(ServerFile file, DataFolder data, WindowCard card, Map<String, String> env)
            throws IOException {
        var socket = LocalSocket.at(data.socket(), card::refusal, file.limits().wire());
        return start(file, data, new Ways(socket, socket, ConsolePort.of(file, socket, env)), env);
    }

    private static FileServer start(ServerFile file, DataFolder data, Ways ways, Map<String, String> env)
            throws IOException {
        data.create();
        var store = data.openStore();
        var observers = new Observers();
        var gateway = gateway(file, store, env);
        try {
            var node = data.node();
            var shell = ShellBackend.in(data.path().resolve("jobs"));
            var addresses = ApiAddresses.of(file, ways.main(), store.rows());
            var triggers = new Triggers(file.triggers(), env, InstantSource.system());
            if (ways.main() instanceof Http http) {
                http.site(site(addresses, triggers));
            }
            var apis = ApiAddresses.backend(addresses);
            var workflows = TemporalBackend.create();
            var maker = new ToolMaker(new ToolMaker.Backends(shell, apis, workflows), env, data.isSealed());
            var server = builder(file, store, maker);
            node.ifPresent(server::node);
            server.leftJobs(shell.following(JobResults.plain()));
            observers.audit(server, file, data.path());
            observers.watch(server, file, env);
            addresses.ifPresent(own -> own.hear(server));
            var clock = new SystemTime();
            var notifier =
                    new Notifier(file.told(), new Notifier.Parts(env, clock, new SecureRandom()), observers::record);
            server.monitor(notifier);
            var running = new Running(ways.serve(server, gateway), gateway, observers);
            addresses.ifPresent(own -> own.served(running.server()));
            triggers.served(running.server().tasks());
            var sweep = JobSweep.every(JobSweep.PERIOD, shell, new JobSweep.Tasks(store, maker::isRunning, node));
            var schedules = new Schedules(clock, store.rows(), running.server().tasks());
            schedules.begin(file.schedules());
            var unattended = new Unattended(schedules, notifier);
            return new FileServer(file, data, ways, running, new Jobs(sweep, apis, workflows, clock, unattended));
        } catch (IOException | RuntimeException e) {
            gateway.ifPresent(Gateway::close);
            store.close();
            observers.close();
            if (e instanceof IllegalArgumentException) {
                throw new UsageException("the file cannot be served: " + e.getMessage() + ".");
            }
            throw e;
        }
    }

    private static McpServerBuilder builder(ServerFile file, TaskStore store, ToolMaker maker) {
        var server = McpServer.builder(file.name(), file.version())
                .store(store)
                .plainHosts(file.hosts())
                .limits(file.limits().tasks())
                .wireLimits(file.limits().wire())
                .rounds(file.limits().rounds())
                .rates(file.limits().rates());
        if (file.instructions() != null) {
            server.instructions(file.instructions());
        }
        file.tools().forEach(tool -> server.tool(made(maker, tool)));
        return server;
    }

    /** The site with addresses beside the endpoint. */
    private static Site site(Optional<ApiAddresses> addresses, Triggers triggers) {
        var site = addresses.map(own -> own.on(Site.NONE)).orElse(Site.NONE);
        return triggers.isEmpty() ? site : site.hooked(Triggers.PATH, triggers);
    }

    /** The links to upstream servers; no connection is opened yet. */
    private static Optional<Gateway> gateway(ServerFile file, TaskStore store, Map<String, String> env) {
        var upstreams =
                file.upstreams().stream().map(entry -> entry.made().apply(env)).toArray(Upstream[]::new);
        return upstreams.length == 0 ? Optional.empty() : Optional.of(Gateway.to(store, upstreams));
    }

    private static Tool made(ToolMaker maker, ToolEntry tool) {
        try {
            return maker.make(tool);
        } catch (IllegalArgumentException e) {
            throw new UsageException("the tool " + tool.name() + " cannot be served: " + e.getMessage() + ".");
        }
    }

    /** The lines for the user at the start. */
    public List<String> announcement() {
        var lines = new ArrayList<String>();
        lines.add("serving " + file.path().getFileName() + ": " + offered());
        var transport = ways.main();
        lines.add(transport instanceof Http http ? "at " + http.url() : "on standard input and output");
        if (transport instanceof Http http) {
            http.legacySseUrl().ifPresent(url -> lines.add("and at " + url + " for the oldest clients"));
        }
        lines.add(data.announcement());
        lines.add(callers(transport));
        lines.addAll(running.observers().announcement());
        lines.addAll(consoleAnnouncement());
        if (!file.triggers().isEmpty() && !(transport instanceof Http)) {
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
        var others = running.gateway().stream()
                .map(gateway -> gateway.tools() + " tools of "
                        + file.upstreams().stream().map(UpstreamEntry::name).collect(Collectors.joining(", ")));
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
        return running.server().tasks();
    }

    /** Blocks until the configured transport ends; other windows are not waited for. */
    public void awaitEnd() throws InterruptedException {
        ways.main().awaitEnd();
    }

    /** Tells balancers that the server ends, and goes on serving for as long as they may take to notice. */
    public void retire() throws InterruptedException {
        running.server().retire();
        if (ways.main() instanceof Http) {
            Thread.sleep(file.limits().lameDuck(file.metrics().isPresent()));
        }
    }

    /** Ends the server. The socket of other windows closes first, so that they leave with their answers. */
    @Override
    public void close() {
        ways.socket().close();
        jobs.sweep().close();
        jobs.unattended().close();
        running.close();
        jobs.close();
        ways.console().ifPresent(ConsolePort::close);
        running.observers().close();
    }
}
