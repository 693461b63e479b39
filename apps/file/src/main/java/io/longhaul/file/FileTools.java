// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.authorization.CallerTokens;
import io.longhaul.backend.shell.ShellBackend;
import io.longhaul.backend.temporal.TemporalBackend;
import io.longhaul.engine.SystemTime;
import io.longhaul.file.job.JobResults;
import io.longhaul.file.job.JobSweep;
import io.longhaul.file.job.ToolMaker;
import io.longhaul.file.operate.Orders;
import io.longhaul.file.operate.Orders.Operated;
import io.longhaul.file.operate.Pauses;
import io.longhaul.file.operate.Pauses.Kind;
import io.longhaul.file.rights.Logins;
import io.longhaul.file.rights.RightsEntry;
import io.longhaul.file.schedule.Schedules;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.webhook.Notifier;
import io.longhaul.file.webhook.Triggers;
import io.longhaul.gateway.Gateway;
import io.longhaul.gateway.Upstream;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.ServerMonitor;
import io.longhaul.server.Tool;
import io.longhaul.transport.Site;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a file offers at one server: its tools, upstreams, schedules, triggers and notices, beside what the program adds
 * to the server itself. {@link ServerFile#addTo} makes it. Thread-safe.
 */
public final class FileTools implements AutoCloseable {
    private final CallerTokens tokens = new CallerTokens();
    private final FilePlace place;
    private final McpServerBuilder builder;
    private final Gateway gateway;
    private final Logins logins;
    private final Optional<ApiAddresses> addresses;
    private final Triggers triggers;
    private final ToolMaker.Backends backends;
    private final SystemTime clock = new SystemTime();
    private final Notifier notifier;
    private final ToolMaker maker;
    private volatile ServerFile file;
    private @Nullable Running running;
    private Optional<Orders> orders = Optional.empty();

    /**
     * The server, and what acts on it without a client.
     *
     * @param others the names of tools that are not those of the file or its upstreams
     */
    private record Running(McpServer server, JobSweep sweep, Schedules schedules, Set<String> others) {}

    /**
     * As {@link ServerFile#addTo}, for a program that itself follows the fields for callers and operators of a server.
     *
     * @param http the transport of the server; empty where it has another one
     * @throws IOException where the folder cannot be used
     */
    public static FileTools of(ServerFile file, McpServerBuilder builder, FilePlace place, Optional<Http> http)
            throws IOException {
        return new FileTools(file, builder, place, http, http.isPresent());
    }

    /** @param hasSite whether the transport of the server, or the program, serves {@link #site} */
    FileTools(ServerFile file, McpServerBuilder builder, FilePlace place, Optional<Http> http, boolean hasSite)
            throws IOException {
        this.file = file;
        this.place = place;
        this.builder = builder;
        var env = place.env();
        var address = new CompletableFuture<URI>();
        file.address().ifPresent(address::complete);
        var needs = new Logins.Parts(place.store().rows(), address, new SecureRandom(), InstantSource.system(), env);
        logins = new Logins(needs);
        gateway = Gateway.to(place.store(), upstreams(file).toArray(Upstream[]::new));
        triggers = new Triggers(file.triggers(), env, InstantSource.system());
        addresses = hasSite ? ApiAddresses.of(file, http, address, place.store().rows()) : Optional.empty();
        notifier = new Notifier(file.told(), new Notifier.Parts(env, clock, new SecureRandom()), place.observers());
        backends = new ToolMaker.Backends(
                ShellBackend.in(place.folder()), ApiAddresses.backend(addresses), TemporalBackend.create());
        maker = new ToolMaker(backends, env, place.isSealed(), tokens);
        // Also the addresses that another version of the file may have.
        http.ifPresent(own -> own.site(site().hooked(Triggers.PATH, triggers).hooked(Logins.PATH, logins)));
        http.flatMap(Http::principals).ifPresent(logins::of);
        http.ifPresent(own -> own.principals().map(tokens::heard).ifPresent(own::principals));
        try {
            complete();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Completes the builder. */
    private void complete() {
        var limits = file.limits();
        builder.store(place.store())
                .plainHosts(file.hosts())
                .limits(limits.tasks())
                .wireLimits(limits.wire())
                .rounds(limits.rounds())
                .rates(limits.rates())
                .leftJobs(backends.shell().following(JobResults.plain()))
                .monitor(notifier);
        Optional.ofNullable(file.instructions()).ifPresent(builder::instructions);
        place.node().ifPresent(builder::node);
        builder.runs(tool -> file.runs(tool, gateway.upstreamOf(tool)));
        addresses.ifPresent(own -> own.hear(builder));
        var others = builder.toolNames();
        file.tools().forEach(tool -> builder.tool(made(tool)));
        builder.monitor(new ServerMonitor() {
            @Override
            public void started(McpServer server) {
                begin(server, others);
            }
        });
    }

    private Tool made(ToolEntry tool) {
        try {
            return maker.make(tool);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the tool " + tool.name() + " cannot be served: " + e.getMessage(), e);
        }
    }

    private List<Upstream> upstreams(ServerFile of) {
        return of.upstreams().stream()
                .peek(entry -> checkSealed(entry, place.isSealed()))
                .map(entry -> entry.made(place.env(), tokens, logins))
                .toList();
    }

    private static void checkSealed(UpstreamEntry entry, boolean isSealed) {
        if (!isSealed && entry.reached().auth().filter(RightsEntry::isLogin).isPresent()) {
            throw new IllegalArgumentException("the upstream " + entry.name() + " has callers: login, whose tokens are"
                    + " kept in the store, and the store is not sealed: serve it with --data-keys");
        }
    }

    private synchronized void begin(McpServer server, Set<String> others) {
        addresses.ifPresent(own -> own.served(server));
        var store = place.store();
        triggers.served(server.tasks(), new Pauses(store.rows()));
        var tasks = new JobSweep.Tasks(store, maker::isRunning, place.node());
        var sweep = JobSweep.every(JobSweep.PERIOD, backends.shell(), tasks);
        var schedules = new Schedules(clock, store.rows(), server.tasks());
        schedules.begin(file.schedules());
        running = new Running(server, sweep, schedules, others);
    }

    /**
     * Lets an operator pause, resume and run what the file calls by itself, by orders in a folder. The tools must be
     * served.
     *
     * @throws IOException where the folder cannot be used
     */
    public synchronized void operate(Path folder) throws IOException {
        var pauses = new Pauses(place.store().rows());
        orders = Optional.of(Orders.in(folder, pauses, InstantSource.system(), this::operated, behind()));
    }

    private Orders.Behind behind() {
        return new Orders.Behind() {
            @Override
            public List<JsonNode> list() {
                return gateway.upstreams().stream()
                        .map(upstream -> JsonTree.read(upstream.toJson()))
                        .toList();
            }

            @Override
            public List<String> accept(String name) {
                return gateway.accept(name);
            }
        };
    }

    private synchronized List<Operated> operated() {
        var own = Objects.requireNonNull(running, "the server has not started");
        var all = new ArrayList<Operated>();
        file.schedules()
                .forEach(schedule -> all.add(new Operated(
                        Kind.SCHEDULE,
                        schedule.name(),
                        schedule.tool(),
                        Optional.of(schedule.times()::after),
                        Optional.of(order -> own.schedules().run(schedule, order)))));
        file.triggers()
                .forEach(trigger -> all.add(new Operated(
                        Kind.TRIGGER, trigger.name(), trigger.tool(), Optional.empty(), Optional.empty())));
        return all;
    }

    /**
     * The addresses of triggers, callbacks and downloads, beside the endpoint: a transport other than the {@code Http}
     * of {@link ServerFile#addTo} has to serve them.
     */
    public Site site() {
        var site = addresses.map(own -> own.on(Site.NONE)).orElse(Site.NONE);
        return triggers.isServed() ? site.hooked(Triggers.PATH, triggers) : site;
    }

    /**
     * How the paths of {@link #site} begin, for a program that fixes its paths before the server is there. Callbacks
     * and downloads have some where the file has an {@code address}.
     */
    public static Set<String> paths(ServerFile file) {
        var triggered = file.triggers().isEmpty() ? Stream.<String>empty() : Stream.of(Triggers.PATH);
        return Stream.concat(triggered, ApiAddresses.paths(file)).collect(Collectors.toSet());
    }

    /**
     * Starts the server, with the tools of the upstreams of the file, too.
     *
     * @throws IllegalArgumentException where no server can serve the tools
     */
    public McpServer serve(ServerTransport first, ServerTransport... more) {
        return gateway.serve(builder, first, more);
    }

    /**
     * Serves another version of the file from now on: its tools, upstreams, schedules, triggers, and the limits that
     * can change. What has begun goes on as it was.
     *
     * @param change what differs from the version that is served
     * @throws IllegalArgumentException where the server cannot serve that version, and goes on as before
     * @throws io.longhaul.file.tree.ConfigException likewise
     */
    public synchronized void change(ServerFile next, FileChange change) {
        var on = Objects.requireNonNull(running, "the server has not started");
        var upstreams = upstreams(next);
        changeTools(on, next, change);
        var reserved = new HashSet<>(on.others());
        next.tools().forEach(tool -> reserved.add(tool.name()));
        gateway.change(upstreams, change.kept("upstreams"), reserved);
        triggers.set(next.triggers());
        addresses.ifPresent(own -> own.change(next));
        on.schedules().begin(next.schedules());
        file = next;
    }

    private void changeTools(Running on, ServerFile next, FileChange change) {
        var changed = change.changed("tools");
        var tools = next.tools().stream()
                .filter(tool -> changed.contains(tool.name()))
                .map(this::made)
                .toList();
        tools.stream().map(Tool::name).filter(on.others()::contains).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException("the server has a tool '" + name + "' that is not of the file");
        });
        var server = on.server();
        server.limits(next.limits().tasks(), next.limits().rates());
        try {
            server.changeTools(tools, change.gone("tools"));
        } catch (IllegalArgumentException e) {
            server.limits(file.limits().tasks(), file.limits().rates());
            throw e;
        }
    }

    /** The number of tools of upstreams that are served now. */
    public int toolsOfUpstreams() {
        return gateway.tools();
    }

    /** Ends the schedules, then the server, and then what runs its jobs. */
    @Override
    public synchronized void close() {
        orders.ifPresent(Orders::close);
        if (running != null) {
            running.sweep().close();
            running.schedules().close();
        }
        notifier.close();
        if (running != null) {
            running.server().close();
        }
        gateway.close();
        clock.close();
        backends.http().close();
        backends.temporal().close();
    }
}
