package io.longhaul.transport.http;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.ServerTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * MCP over Streamable HTTP, on Helidon. Every request runs on a virtual thread. Unless told otherwise it serves
 * {@code /mcp} on 127.0.0.1 to programs and pages of this machine alone. Set it up, then start it once; thread-safe
 * from then on.
 */
public final class Http implements ServerTransport {

    private static final java.util.logging.Logger HELIDON_LOG = java.util.logging.Logger.getLogger("io.helidon");
    private static final Duration GRACE = Duration.ofMillis(200);
    private static final int HEADER_BYTES = 16 * 1024;

    private final int port;
    private final Set<String> hosts = new LinkedHashSet<>();
    private final Set<String> origins = new LinkedHashSet<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private InetAddress address = InetAddress.getLoopbackAddress();
    private String path = "/mcp";
    private boolean legacySse;
    private WireLimits limits = WireLimits.DEFAULT;
    private Duration keepAlive = Duration.ofSeconds(15);
    private Duration patience = Duration.ofSeconds(30);
    private @Nullable Polling polling;
    private int rate;
    private @Nullable PrincipalResolver principals;
    private @Nullable Connections connections;
    private @Nullable WebServer server;

    private Http(int port) {
        this.port = port;
    }

    /** Serves on {@code port}, or on a free one where it is 0. */
    public static Http onPort(int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("A port is a number from 0 to 65535, not " + port);
        }
        return new Http(port);
    }

    /**
     * Listens on this address instead of 127.0.0.1. On any but a loopback address name the {@link #allowHosts hosts}
     * too.
     *
     * @throws IllegalArgumentException where there is no such address
     */
    public Http bindAddress(String host) {
        try {
            address = InetAddress.getByName(host);
            return this;
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("There is no address of the name " + host, e);
        }
    }

    /** The path of all requests, {@code /mcp} by default. */
    public Http path(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("A path starts with a slash: " + path);
        }
        this.path = path;
        return this;
    }

    /**
     * Serves the deprecated HTTP with SSE of 2024-11-05 too, for clients that know nothing newer: {@code GET /sse}
     * opens a stream, {@code POST /messages} takes what is answered on it. The same checks of Host, Origin and
     * principal hold there. Such a stream is its session and cannot be resumed; the tasks that it created go on.
     */
    public Http legacySse() {
        legacySse = true;
        return this;
    }

    /**
     * Lets pages of these origins call, such as {@code https://app.example.com}. There is no wildcard.
     *
     * @throws IllegalArgumentException where one is no origin, such as an address with a path
     */
    public Http allowOrigins(String... allowed) {
        for (var origin : allowed) {
            origins.add(OriginPolicy.origin(origin));
        }
        return this;
    }

    /**
     * Serves requests for these hosts, and pages of them, beside the names of this machine. Without ports.
     *
     * @throws IllegalArgumentException where one is no name or address of a host
     */
    public Http allowHosts(String... allowed) {
        for (var host : allowed) {
            hosts.add(OriginPolicy.host(host));
        }
        return this;
    }

    /** Bounds the size of a body. */
    public Http limits(WireLimits limits) {
        this.limits = limits;
        return this;
    }

    /** Finds out on whose behalf a request is; by default the local user on a loopback address, else nobody known. */
    public Http principals(PrincipalResolver resolver) {
        this.principals = resolver;
        return this;
    }

    /**
     * Takes so many messages of one caller in a second, and answers those beyond with 429 and {@code Retry-After}. A
     * caller is who is authorized, or else a network address: behind a proxy, let the proxy count instead. Off by
     * default.
     *
     * @param perSecond from 1 to 1,000,000; as many may come at once
     */
    public Http requestsPerSecond(int perSecond) {
        if (perSecond < 1 || perSecond > 1_000_000) {
            throw new IllegalArgumentException("A rate is a number from 1 to 1,000,000, not " + perSecond);
        }
        rate = perSecond;
        return this;
    }

    /** How often an idle stream gets a comment, so that nobody between takes it for dead: 15 s by default. */
    public Http keepAlive(Duration interval) {
        this.keepAlive = positive("A time between comments", interval);
        return this;
    }

    /** How long a request may take to arrive, and one event to be taken: 30 s by default. */
    public Http patience(Duration patience) {
        this.patience = positive("A patience", patience);
        return this;
    }

    /**
     * Holds no stream that its client can resume for longer than {@code open}: then the connection is closed, and the
     * client comes back after {@code retry} for what has happened meanwhile (SEP-1699). Nothing is lost or cancelled by
     * that. It spares connections where calls take long, at the price of some delay; off by default. Only clients of
     * 2025-11-25 know of it; the streams of others are held.
     */
    public Http polled(Duration open, Duration retry) {
        polling = new Polling(open, retry);
        return this;
    }

    private static Duration positive(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " is longer than nothing, not " + time);
        }
        return time;
    }

    @Override
    public synchronized void start(Endpoint endpoint) {
        if (server != null) {
            throw new IllegalStateException("This transport has been started already");
        }
        var routes = new Routes(path, legacySse);
        // Its greeting and every start and stop of a listener. Where slf4j takes the log, its configuration says so.
        HELIDON_LOG.setLevel(java.util.logging.Level.WARNING);
        var open = new Connections(keepAlive, patience, polling);
        var limited = rate == 0 ? endpoint : new RateLimited(endpoint, rate, System::nanoTime);
        var handler =
                new RequestHandler(new RequestHandler.Settings(limited, routes, policy(), resolver(), limits, open));
        var web = build(handler, open);
        try {
            requireFree();
            web.start();
            if (!web.isRunning()) {
                throw new IOException("The web server did not start");
            }
        } catch (IOException e) {
            open.close();
            throw new UncheckedIOException(
                    "Cannot listen on " + address.getHostAddress() + ":" + port + ": " + remedy(), e);
        }
        connections = open;
        server = web;
    }

    private String remedy() {
        try {
            return address.isAnyLocalAddress() || NetworkInterface.getByInetAddress(address) != null
                    ? "choose another port, or stop the program that uses it"
                    : "this machine has no such address, choose one that it has";
        } catch (SocketException e) {
            return "choose another address or port";
        }
    }

    /** Helidon says only in its log that a port is taken, and at length. */
    private void requireFree() throws IOException {
        try (var probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(address, port));
        }
    }

    private WebServer build(RequestHandler handler, Connections open) {
        var config = Http1Config.builder()
                .maxHeadersSize(HEADER_BYTES)
                .sendKeepAliveHeader(false)
                .validateResponseHeaders(true)
                .build();
        var selector = Http1ConnectionSelector.builder().config(config).build();
        return WebServer.builder()
                .address(address)
                .port(port)
                .shutdownHook(false)
                .shutdownGracePeriod(GRACE)
                .featuresDiscoverServices(false)
                .protocolsDiscoverServices(false)
                .maxPayloadSize(limits.messageBytes())
                .directHandlers(Responses.direct())
                .connectionSelectors(List.of(new HttpConnectionSelector(selector, open)))
                .routing(HttpRouting.builder().any(handler))
                .build();
    }

    private OriginPolicy policy() {
        return new OriginPolicy(isLocal(), hosts, origins);
    }

    private PrincipalResolver resolver() {
        return principals == null
                ? PrincipalResolver.always(isLocal() ? Principal.LOCAL : Principal.ANONYMOUS)
                : principals;
    }

    @Override
    public boolean isLocal() {
        return address.isLoopbackAddress();
    }

    @Override
    public boolean authorizes() {
        return principals != null;
    }

    /** The port that is served; the one that was given until the start. */
    public synchronized int port() {
        return server == null ? port : server.port();
    }

    /** Where clients of this machine reach it. */
    public URI url() {
        var host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + path);
    }

    /** Where clients of the deprecated HTTP with SSE reach it; empty where it is not served. */
    public Optional<URI> legacySseUrl() {
        return legacySse ? Optional.of(url().resolve(Routes.SSE)) : Optional.empty();
    }

    @Override
    public String toString() {
        return url().toString();
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    @Override
    public synchronized void close() {
        if (server != null && connections != null && ended.getCount() > 0) {
            connections.close();
            server.stop();
            connections.cut();
        }
        ended.countDown();
    }
}
