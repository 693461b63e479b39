// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.backend.shell.ShellBackend;
import io.longhaul.backend.temporal.TemporalBackend;
import io.longhaul.engine.SystemTime;
import io.longhaul.file.job.JobResults;
import io.longhaul.file.job.JobSweep;
import io.longhaul.file.job.ToolMaker;
import io.longhaul.file.schedule.Schedules;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.webhook.Notifier;
import io.longhaul.file.webhook.Triggers;
import io.longhaul.gateway.Gateway;
import io.longhaul.gateway.Upstream;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.ServerMonitor;
import io.longhaul.server.Tool;
import io.longhaul.transport.Site;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a file offers at one server: its tools, upstreams, schedules, triggers and notices, beside what the program adds
 * to the server itself. {@link ServerFile#addTo} makes it. Thread-safe.
 */
public final class FileTools implements AutoCloseable {
    private final ServerFile file;
    private final FilePlace place;
    private final McpServerBuilder builder;
    private final Optional<Gateway> gateway;
    private final Optional<ApiAddresses> addresses;
    private final Triggers triggers;
    private final ToolMaker.Backends backends;
    private final SystemTime clock = new SystemTime();
    private final Notifier notifier;
    private @Nullable Running running;

    /** The server, and what acts on it without a client. */
    private record Running(McpServer server, JobSweep sweep, Schedules schedules) {}

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
        var upstreams = file.upstreams().stream().map(entry -> entry.made(env)).toArray(Upstream[]::new);
        gateway = upstreams.length == 0 ? Optional.empty() : Optional.of(Gateway.to(place.store(), upstreams));
        triggers = new Triggers(file.triggers(), env, InstantSource.system());
        addresses = hasSite ? ApiAddresses.of(file, http, place.store().rows()) : Optional.empty();
        notifier = new Notifier(file.told(), new Notifier.Parts(env, clock, new SecureRandom()), place.observers());
        backends = new ToolMaker.Backends(
                ShellBackend.in(place.folder()), ApiAddresses.backend(addresses), TemporalBackend.create());
        http.ifPresent(own -> own.site(site()));
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
        addresses.ifPresent(own -> own.hear(builder));
        var maker = new ToolMaker(backends, place.env(), place.isSealed());
        file.tools().forEach(tool -> builder.tool(made(maker, tool)));
        builder.monitor(new ServerMonitor() {
            @Override
            public void started(McpServer server) {
                begin(server, maker);
            }
        });
    }

    private static Tool made(ToolMaker maker, ToolEntry tool) {
        try {
            return maker.make(tool);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the tool " + tool.name() + " cannot be served: " + e.getMessage(), e);
        }
    }

    private synchronized void begin(McpServer server, ToolMaker maker) {
        addresses.ifPresent(own -> own.served(server));
        triggers.served(server.tasks());
        var store = place.store();
        var tasks = new JobSweep.Tasks(store, maker::isRunning, place.node());
        var sweep = JobSweep.every(JobSweep.PERIOD, backends.shell(), tasks);
        var schedules = new Schedules(clock, store.rows(), server.tasks());
        schedules.begin(file.schedules());
        running = new Running(server, sweep, schedules);
    }

    /**
     * The addresses of triggers, callbacks and downloads, beside the endpoint: a transport other than the {@code Http}
     * of {@link ServerFile#addTo} has to serve them.
     */
    public Site site() {
        var site = addresses.map(own -> own.on(Site.NONE)).orElse(Site.NONE);
        return triggers.isEmpty() ? site : site.hooked(Triggers.PATH, triggers);
    }

    /**
     * How the paths of {@link #site} begin, for a program that fixes its paths before the server is there. Callbacks and
     * downloads have some where the file has an {@code address}.
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
        return gateway.isPresent() ? gateway.get().serve(builder, first, more) : builder.serve(first, more);
    }

    /** The number of tools of upstreams that are served now. */
    public int toolsOfUpstreams() {
        return gateway.map(Gateway::tools).orElse(0);
    }

    /** Ends the schedules, then the server, and then what runs its jobs. */
    @Override
    public synchronized void close() {
        if (running != null) {
            running.sweep().close();
            running.schedules().close();
        }
        notifier.close();
        if (running != null) {
            running.server().close();
        }
        gateway.ifPresent(Gateway::close);
        clock.close();
        backends.http().close();
        backends.temporal().close();
    }
}
