// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.protocol.transport.TransportLoad;
import io.longhaul.transport.Site;
import io.longhaul.transport.streamable.Access;
import io.longhaul.transport.streamable.CallerHeaders;
import io.longhaul.transport.streamable.HttpRefusal;
import io.longhaul.transport.streamable.OriginPolicy;
import io.longhaul.transport.streamable.Polling;
import io.longhaul.transport.streamable.RequestHandler;
import io.longhaul.transport.streamable.Routes;
import io.longhaul.transport.streamable.Streams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * MCP over Streamable HTTP/1.1. Every request runs on a virtual thread. Unless told otherwise it serves
 * {@code /mcp} on 127.0.0.1 to programs and pages of this machine alone. Set it up, then start it once; thread-safe
 * from then on.
 */
public final class Http implements ServerTransport {

    private static final Duration GRACE = Duration.ofMillis(200);
    private static final int HEAP_SHARE = 8;
    private static final HttpRefusal FULL =
            new HttpRefusal(503, "Too many connections are open: try again later", Map.of("Retry-After", "1"));
    private static final int MOST_CONNECTIONS = 1_000_000;

    private final int port;
    private final Set<String> hosts = new LinkedHashSet<>();
    private final Set<String> origins = new LinkedHashSet<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private InetAddress address = InetAddress.getLoopbackAddress();
    private String path = "/mcp";
    private boolean sameOrigin;
    private boolean legacySse;
    private Site site = Site.NONE;
    private WireLimits limits = WireLimits.DEFAULT;
    private Duration keepAlive = Duration.ofSeconds(15);
    private Duration timeout = Duration.ofSeconds(30);
    private @Nullable Polling polling;
    private @Nullable PrincipalResolver principals;
    private CallerHeaders callerHeaders = CallerHeaders.NONE;
    private int openConnections = 10_000;
    private long unread = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    private Wiring wiring = Wire::of;
    private @Nullable Tls tls;
    private volatile @Nullable Connections connections;
    private @Nullable Listener listener;
    private int served;
    private boolean closed;
    private volatile @Nullable Throwable failure;

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

    /** Serves this too, beside the endpoint. */
    public Http site(Site more) {
        site = more;
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

    /**
     * Lets pages call that this server itself serves, by whatever name it was asked for. A page whose name an attacker
     * rebound to this server has its origin too: say this only where callers show a secret that such a page cannot
     * have, such as a token that pages keep by origin.
     */
    public Http allowSameOrigin() {
        sameOrigin = true;
        return this;
    }

    /** Bounds the size of a body. */
    public Http limits(WireLimits limits) {
        this.limits = limits;
        return this;
    }

    /**
     * Finds out on whose behalf a request is; by default the local user on a loopback address, else an anonymous
     * caller.
     */
    public Http principals(PrincipalResolver resolver) {
        this.principals = resolver;
        return this;
    }

    /**
     * Lets handlers see these headers of their callers, see {@link io.longhaul.protocol.call.CallerInfo}. Those of a
     * call that becomes a task are stored with the task. A caller can send any header, unless a proxy sets it.
     *
     * @throws IllegalArgumentException where one is no name of a header, or carries a credential: the server passes no
     *     token on
     */
    public Http callerHeaders(String... names) {
        callerHeaders = callerHeaders.and(names);
        return this;
    }

    /** Serves https, and nothing else, by the TLS of {@code own}. */
    public Http tls(Tls own) {
        wiring = own::wire;
        tls = own;
        return this;
    }

    /** How often an idle stream gets a comment, so that no proxy takes it for dead: 15 s by default. */
    public Http keepAlive(Duration interval) {
        this.keepAlive = positive("A time between comments", interval);
        return this;
    }

    /**
     * Keeps so many connections open at once, or half of the descriptors that the process has free when it starts where
     * those are fewer: 10,000 by default. Where places run short, a connection that is idle gives up its own; where
     * none is, the newcomer gets 503. Off loopback addresses, one network address holds three quarters at most; behind
     * a proxy, where all callers have its address, that is what there is.
     */
    public Http openConnections(int most) {
        if (most < 1 || most > MOST_CONNECTIONS) {
            throw new IllegalArgumentException("Connections are a number from 1 to 1,000,000, not " + most);
        }
        openConnections = most;
        return this;
    }

    /** How many bytes of answers may wait for slow clients before those are cut early. */
    Http unread(long most) {
        unread = most;
        return this;
    }

    /** What stands between the server and its sockets. */
    @FunctionalInterface
    interface Wiring {
        Wire wire(SocketChannel channel) throws IOException;
    }

    Http wiring(Wiring between) {
        wiring = between;
        return this;
    }

    /** How long a request may take to arrive, and 64 KiB of an answer to be taken: 30 s by default. */
    public Http timeout(Duration timeout) {
        this.timeout = positive("A timeout", timeout);
        return this;
    }

    /**
     * Holds no stream that its client can resume for longer than {@code open}: then the connection is closed, and the
     * client comes back after {@code retry} for what has happened meanwhile (SEP-1699). Nothing is lost or cancelled by
     * that. It spares connections where calls take long, at the price of some delay; off by default. Only clients of
     * 2025-11-25 know of it; the streams of others are held.
     *
     * <p>Several clients on the JVM speak 2025-11-25 and do not come back to a stream that was closed: their calls fail
     * or never end. Leave this off where such clients are to be served.
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
        if (listener != null) {
            throw new IllegalStateException("This transport has been started already");
        }
        var routes =
                new Routes(path, legacySse, site.and(Routes.pages(resolver().documents())));
        var channel = bind();
        var streams = new Streams(keepAlive, polling);
        var open = new Connections(timeout, streams, places(), unread);
        var handler = new RequestHandler(new RequestHandler.Settings(endpoint, routes, callerHeaders, limits, streams));
        var access = new Access(policy(), resolver());
        var made = new Listener(
                channel,
                client -> connect(new HttpConnection(wiring.wire(client), handler, access, open), open.places()),
                open.places()::relieve);
        connections = open;
        listener = made;
        made.start(this::failed);
    }

    private ServerSocketChannel bind() {
        try {
            var channel = Listener.bind(new InetSocketAddress(address, port));
            served = channel.socket().getLocalPort();
            return channel;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot listen on " + address.getHostAddress() + ":" + port + ": " + remedy(), e);
        }
    }

    private Places places() {
        var most = Places.within(openConnections);
        return new Places(most, isLocal() ? most : Math.max(1, most - most / 4));
    }

    private static void connect(HttpConnection connection, Places places) {
        if (places.take(connection)) {
            Thread.ofVirtual().name("http-connection").start(connection);
        } else {
            connection.refuse(FULL);
        }
    }

    /** No connection can be taken any more. */
    void failed(Throwable reason) {
        failure = reason;
        ended.countDown();
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

    private OriginPolicy policy() {
        return new OriginPolicy(isLocal(), hosts, origins, sameOrigin);
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

    @Override
    public TransportLoad load() {
        var open = connections;
        return open == null ? TransportLoad.NONE : open.load();
    }

    /** What finds out on whose behalf a request is; empty where nothing was said. */
    public Optional<PrincipalResolver> principals() {
        return Optional.ofNullable(principals);
    }

    /** The further hosts that are served. */
    public Set<String> hosts() {
        return Set.copyOf(hosts);
    }

    /** The further origins whose pages may call. */
    public Set<String> origins() {
        return Set.copyOf(origins);
    }

    /** What it serves https by; empty where it serves http. */
    public Optional<Tls> tls() {
        return Optional.ofNullable(tls);
    }

    /** The port that is served; the one that was given until the start. */
    public synchronized int port() {
        return listener == null ? port : served;
    }

    /** Where clients of this machine reach it. */
    public URI url() {
        var host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        var scheme = tls == null ? "http" : "https";
        return URI.create(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + path);
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
        var reason = failure;
        if (reason != null) {
            var words = "No connection can be taken any more at " + this + " (" + reason + "): start the server again";
            throw new UncheckedIOException(words, new IOException(reason));
        }
    }

    @Override
    public synchronized void close() {
        var open = connections;
        if (listener != null && open != null && !closed) {
            closed = true;
            listener.close();
            open.close();
            open.finish(GRACE);
        }
        ended.countDown();
    }
}
