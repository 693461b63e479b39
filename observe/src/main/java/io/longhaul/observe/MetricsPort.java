// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.observe.ServerObserver;
import io.longhaul.server.McpServer;
import io.longhaul.server.Readiness;
import io.longhaul.server.ServerMonitor;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP port for operators: {@code /metrics} in the text format of Prometheus, with metrics of the JVM and its
 * process; {@code /health/live} and {@code /health/ready} with 200 or 503 and a JSON object with the reasons. The port
 * answers every client, so that it must be on an address that only operators can reach. Give the port to
 * {@link io.longhaul.server.McpServerBuilder#monitor(ServerMonitor)} for the metrics and the readiness of the server.
 * Close the port after the server. Thread-safe.
 */
public final class MetricsPort implements ServerMonitor, AutoCloseable {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String JSON = "application/json";
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;
    private static final int BACKLOG = 64;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ServerMetrics metrics = new ServerMetrics(registry);
    private final JvmGcMetrics collector = new JvmGcMetrics();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer http;
    private volatile @Nullable McpServer server;

    private record Response(int status, String type, String body) {}

    private MetricsPort(HttpServer http) {
        this.http = http;
        registry.throwExceptionOnRegistrationFailure();
        List.<MeterBinder>of(
                        collector,
                        new JvmMemoryMetrics(),
                        new JvmThreadMetrics(),
                        new ProcessorMetrics(),
                        new FileDescriptorMetrics(),
                        new UptimeMetrics())
                .forEach(binder -> binder.bindTo(registry));
        http.createContext("/", this::answer);
        http.setExecutor(threads);
    }

    /**
     * Opens the port on an address; port 0 for a free port.
     *
     * @throws UncheckedIOException where the address cannot be used
     */
    public static MetricsPort on(InetSocketAddress address) {
        try {
            var port = new MetricsPort(HttpServer.create(address, BACKLOG));
            port.http.start();
            return port;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot serve metrics on " + address.getHostString() + ":" + address.getPort()
                            + ": choose another port, or stop the program that uses it",
                    e);
        }
    }

    /** The address of the port. */
    public InetSocketAddress address() {
        return http.getAddress();
    }

    /** The address in the form of a URL: address, colon and port. */
    public String authority() {
        var host = address().getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address().getPort();
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

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var response = response(exchange);
            var body = response.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", response.type());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(response.status(), head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private Response response(HttpExchange exchange) {
        if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
            return new Response(NOT_ALLOWED, TEXT, "");
        }
        return switch (exchange.getRequestURI().getPath()) {
            case "/metrics" -> new Response(OK, TEXT, registry.scrape());
            case "/health/live" -> new Response(OK, JSON, "{\"status\":\"live\"}");
            case "/health/ready" -> ready();
            default -> new Response(NOT_FOUND, TEXT, "There are /metrics, /health/live and /health/ready\n");
        };
    }

    private Response ready() {
        var running = server;
        var readiness =
                running == null ? new Readiness.NotReady(List.of("the server is starting")) : running.readiness();
        return switch (readiness) {
            case Readiness.Ready ready -> new Response(OK, JSON, "{\"status\":\"ready\"}");
            case Readiness.NotReady not -> new Response(UNAVAILABLE, JSON, refusal(not.reasons()));
        };
    }

    private static String refusal(List<String> reasons) {
        var out = new JsonWriter().beginObject().name("status").string("not ready");
        out.name("reasons").beginArray();
        reasons.forEach(out::string);
        return out.endArray().endObject().toJson().toString();
    }

    @Override
    public void close() {
        http.stop(0);
        threads.close();
        collector.close();
        registry.close();
    }
}
