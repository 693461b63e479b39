// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.protocol.Require;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.receiver.observe.ServerObserver;
import io.longhaul.server.McpServer;
import io.longhaul.server.Readiness;
import io.longhaul.server.ServerMonitor;
import io.longhaul.transport.Site;
import io.longhaul.transport.Site.Content;
import io.longhaul.transport.Site.Page;
import io.longhaul.transport.http.Http;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP port for operators: {@code /metrics} in the text format of Prometheus, with metrics of the JVM and its
 * process; {@code /health/live} and {@code /health/ready} with 200 or 503 and a JSON object with the reasons. The port
 * answers every client, so that it must be on an address that only operators can reach; on a loopback address, it
 * gives metrics only to requests for a name of this machine, and health to requests for any Host, as checks of
 * balancers send them. Give the port to
 * {@link io.longhaul.server.McpServerBuilder#monitor(ServerMonitor)} for the metrics and the readiness of the server.
 * Close the port after the server. Thread-safe.
 */
public final class MetricsPort implements ServerMonitor, AutoCloseable {
    private static final String PATHS = "There are /metrics, /health/live and /health/ready";
    private static final Map<String, String> TEXT =
            Map.of("Content-Type", "text/plain; version=0.0.4; charset=utf-8", "Cache-Control", "no-store");
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;

    /** The most connections at once; for a newcomer, the one is closed that is without a request for longest. */
    static final int CONNECTIONS = 64;

    private static final Json LIVE = Json.raw("{\"status\":\"live\"}");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ServerMetrics metrics = new ServerMetrics(registry);
    private final JvmGcMetrics collector = new JvmGcMetrics();
    private final InetAddress host;
    private final Http http;
    private volatile @Nullable McpServer server;

    private MetricsPort(InetAddress host, int port) {
        this.host = host;
        registry.throwExceptionOnRegistrationFailure();
        List.<MeterBinder>of(
                        collector,
                        new JvmMemoryMetrics(),
                        new JvmThreadMetrics(),
                        new ProcessorMetrics(),
                        new FileDescriptorMetrics(),
                        new UptimeMetrics())
                .forEach(binder -> binder.bindTo(registry));
        http = Http.onPort(port)
                .bindAddress(host.getHostAddress())
                .openConnections(CONNECTIONS)
                .path("/")
                .principals(header -> new Resolution.Refused(NOT_FOUND, Map.of(), PATHS))
                .site(Site.NONE
                        .downloaded("/", (path, range) -> Content.of(page(path)))
                        .opened("/health/live", "/health/ready"));
    }

    /**
     * Opens the port on an address; port 0 for a free port.
     *
     * @throws IllegalArgumentException where the host of the address is not known
     * @throws UncheckedIOException where the address cannot be used
     */
    public static MetricsPort on(InetSocketAddress address) {
        Require.that(!address.isUnresolved(), "There is no address of the name " + address.getHostString());
        var port = new MetricsPort(address.getAddress(), address.getPort());
        try {
            port.http.start(new NoEndpoint());
            return port;
        } catch (UncheckedIOException e) {
            port.close();
            throw new UncheckedIOException("Metrics cannot be served: " + e.getMessage(), e.getCause());
        }
    }

    /** The address of the port. */
    public InetSocketAddress address() {
        return new InetSocketAddress(host, http.port());
    }

    /** The address in the form of a URL: address, colon and port. */
    public String authority() {
        var text = host.getHostAddress();
        return (text.contains(":") ? "[" + text + "]" : text) + ":" + http.port();
    }

    @Override
    public TaskStore around(TaskStore store) {
        return metrics.around(store);
    }

    @Override
    public Optional<ServerObserver> observer() {
        return metrics.observer();
    }

    @Override
    public void started(McpServer running) {
        server = running;
        metrics.started(running);
    }

    private Page page(String path) {
        return switch (path) {
            case "metrics" -> {
                // Meters are registered before they are read.
                metrics.upstreams();
                yield Page.of(TEXT, registry.scrape().getBytes(UTF_8));
            }
            case "health/live" -> Page.json(OK, LIVE);
            case "health/ready" -> ready();
            default -> new Page(NOT_FOUND, TEXT, (PATHS + "\n").getBytes(UTF_8));
        };
    }

    private Page ready() {
        var running = server;
        var readiness =
                running == null ? new Readiness.NotReady(List.of("the server is starting")) : running.readiness();
        return switch (readiness) {
            case Readiness.Ready ready -> Page.json(OK, state("ready", List.of()));
            case Readiness.NotReady not -> Page.json(UNAVAILABLE, state("not ready", not.reasons()));
        };
    }

    /** The servers behind this one are told, and do not count: the others are served all the same. */
    private Json state(String status, List<String> reasons) {
        var out = new JsonWriter().beginObject().name("status").string(status);
        if (!reasons.isEmpty()) {
            out.name("reasons").beginArray();
            reasons.forEach(out::string);
            out.endArray();
        }
        var upstreams = metrics.upstreams();
        if (!upstreams.isEmpty()) {
            out.name("upstreams").beginObject();
            upstreams.forEach(upstream -> out.name(upstream.name()).string(upstream.state()));
            out.endObject();
        }
        return out.endObject().toJson();
    }

    @Override
    public void close() {
        http.close();
        collector.close();
        registry.close();
    }

    /** Gets no message: each request that is for no page is refused before. */
    private static final class NoEndpoint implements Endpoint {
        @Override
        public Runnable accept(byte[] message, Exchange exchange) {
            throw new IllegalStateException("a message without a principal");
        }

        @Override
        public void listen(Exchange exchange) {
            throw new IllegalStateException("a message without a principal");
        }

        @Override
        public void leave(Exchange exchange) {
            throw new IllegalStateException("a message without a principal");
        }

        @Override
        public void closed(Connection connection) {}
    }
}
