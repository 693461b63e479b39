// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.protocol.Require;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.protocol.transport.TransportLoad;
import io.longhaul.transport.Site;
import io.longhaul.transport.streamable.RequestHandler;
import io.longhaul.transport.streamable.Routes;
import io.longhaul.transport.streamable.request.AccessRules;
import io.longhaul.transport.streamable.request.CallerHeaders;
import io.longhaul.transport.streamable.request.HttpRefusal;
import io.longhaul.transport.streamable.request.OriginPolicy;
import io.longhaul.transport.streamable.stream.Polling;
import io.longhaul.transport.streamable.stream.Streams;
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
 * A server transport of MCP over Streamable HTTP, on HTTP/1.1. Every request runs on a virtual thread. By default the
 * transport serves {@code /mcp} on 127.0.0.1, only to programs and pages of this machine. Set it up, then start it
 * once; thread-safe from then on.
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
    private Duration keepAlive = Duration.ofSeconds(7);
    private Duration timeout = Duration.ofSeconds(30);
    private @Nullable Polling polling;
    private @Nullable PrincipalResolver principals;
    private CallerHeaders callerHeaders = CallerHeaders.NONE;
    private int openConnections = 10_000;
    private long held = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
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

    /** A transport on {@code port}, or on a free port where {@code port} is 0. */
    public static Http onPort(int port) {
        Require.that(port >= 0 && port <= 65_535, "A port is a number from 0 to 65535, not " + port);
        return new Http(port);
    }

    /**
     * Listens on this address instead of 127.0.0.1. On an address other than loopback, set the {@link #allowHosts
     * allowed hosts} too.
     *
     * @throws IllegalArgumentException where the address cannot be resolved
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
        Require.that(path.startsWith("/"), "A path starts with a slash: " + path);
        this.path = path;
        return this;
    }

    /**
     * Also serves the deprecated HTTP with SSE of 2024-11-05, for clients that know nothing newer. {@code GET /sse}
     * opens a stream, and {@code POST /messages} accepts messages that are answered on the stream. The same checks of
     * Host, Origin and principal apply. The session ends with its stream, which cannot be resumed; the tasks of the
     * session go on.
     */
    public Http legacySse() {
        legacySse = true;
        return this;
    }

    /** Also serves a site, beside the MCP endpoint. */
    public Http site(Site more) {
        site = site.and(more);
        return this;
    }

    /**
     * Lets pages of these origins call, such as {@code https://app.example.com}. Wildcards are not supported.
     *
     * @throws IllegalArgumentException where a value is not an origin, such as an address with a path
     */
    public Http allowOrigins(String... allowed) {
        for (var origin : allowed) {
            origins.add(OriginPolicy.origin(origin));
        }
        return this;
    }

    /**
     * Also accepts requests for these hosts, and pages of these hosts, beside the names of this machine. Give the hosts
     * without ports.
     *
     * @throws IllegalArgumentException where a value is not the name or address of a host
     */
    public Http allowHosts(String... allowed) {
        for (var host : allowed) {
            hosts.add(OriginPolicy.host(host));
        }
        return this;
    }

    /**
     * Lets pages call that this server itself serves, under any host name. That includes a page whose name an attacker
     * rebound to this server. Use this only where callers show a secret that such a page cannot have, such as a token
     * that pages keep by origin.
     */
    public Http allowSameOrigin() {
        sameOrigin = true;
        return this;
    }

    /** Sets the limits, such as the size of a body. */
    public Http limits(WireLimits limits) {
        this.limits = limits;
        return this;
    }

    /**
     * Sets how the principal of a request is found. By default the principal is the local user on a loopback address,
     * and an anonymous caller elsewhere.
     */
    public Http principals(PrincipalResolver resolver) {
        this.principals = resolver;
        return this;
    }

    /**
     * Lets handlers see these headers of their callers, see {@link io.longhaul.protocol.call.CallerInfo}. The headers
     * of a call that becomes a task are stored with the task. A caller can send any header, unless a proxy sets it.
     *
     * @throws IllegalArgumentException where a value is not the name of a header, or names a header with a credential:
     *     the server passes no tokens on
     */
    public Http callerHeaders(String... names) {
        callerHeaders = callerHeaders.and(names);
        return this;
    }

    /** Serves only https, with the certificate of {@code own}. */
    public Http tls(Tls own) {
        wiring = own::wire;
        tls = own;
        return this;
    }

    /** Sets how often an idle stream gets a comment, so that no proxy closes it: 7 s by default. */
    public Http keepAlive(Duration interval) {
        this.keepAlive = positive("A time between comments", interval);
        return this;
    }

    /**
     * Sets the most connections that are open at once: 10,000 by default. The limit is also half of the file
     * descriptors that are free at the start. At the limit, an idle connection is closed for a new one; where no
     * connection is idle, the new one gets 503. Except on loopback addresses, one network address has at most three
     * quarters of the connections. Behind a proxy all callers share that part, since they have the address of the
     * proxy.
     */
    public Http openConnections(int most) {
        if (most < 1 || most > MOST_CONNECTIONS) {
            throw new IllegalArgumentException("Connections are a number from 1 to 1,000,000, not " + most);
        }
        openConnections = most;
        return this;
    }

    /** Sets how many bytes of answers and requests may wait for slow clients before these are cut early. */
    Http held(long most) {
        held = most;
        return this;
    }

    /** Wraps the sockets of a server, such as for TLS. */
    @FunctionalInterface
    interface Wiring {
        Wire wire(SocketChannel channel) throws IOException;
    }

    Http wiring(Wiring between) {
        wiring = between;
        return this;
    }

    /** Sets the time for a request to arrive, and for a client to read 64 KiB of an answer: 30 s by default. */
    public Http timeout(Duration timeout) {
        this.timeout = positive("A timeout", timeout);
        return this;
    }

    /**
     * Limits how long a resumable stream is held (SEP-1699). After {@code open} the connection is closed, and the
     * client reconnects after {@code retry} for the messages that it has missed. The close loses and cancels nothing.
     * It saves connections where calls take long, at the price of some delay; off by default. Only clients of
     * 2025-11-25 support it; the streams of other clients are held.
     *
     * <p>Several clients on the JVM speak 2025-11-25, but never reconnect to a closed stream: their calls fail or never
     * end. Leave this off for such clients.
     */
    public Http polled(Duration open, Duration retry) {
        polling = new Polling(open, retry);
        return this;
    }

    private static Duration positive(String what, Duration time) {
        Require.that(time.isPositive(), what + " is longer than nothing, not " + time);
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
        var open = new Connections(timeout, streams, places(), held);
        var handler = new RequestHandler(new RequestHandler.Settings(endpoint, routes, callerHeaders, limits, streams));
        var access = new AccessRules(policy(), resolver());
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

    private ConnectionLimit places() {
        var most = ConnectionLimit.within(openConnections);
        return new ConnectionLimit(most, isLocal() ? most : Math.max(1, most - most / 4));
    }

    private static void connect(HttpConnection connection, ConnectionLimit places) {
        if (places.take(connection)) {
            Thread.ofVirtual().name("http-connection").start(connection);
        } else {
            connection.refuse(FULL);
        }
    }

    /** Handles a listener that cannot accept connections any more. */
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

    /** The resolver of principals; empty where none was set. */
    public Optional<PrincipalResolver> principals() {
        return Optional.ofNullable(principals);
    }

    /** The hosts that {@link #allowHosts} has set. */
    public Set<String> hosts() {
        return Set.copyOf(hosts);
    }

    /** The origins that {@link #allowOrigins} has set. */
    public Set<String> origins() {
        return Set.copyOf(origins);
    }

    /** The certificate for https; empty where the transport serves http. */
    public Optional<Tls> tls() {
        return Optional.ofNullable(tls);
    }

    /** The port of the server; before the start, the port that was set. */
    public synchronized int port() {
        return listener == null ? port : served;
    }

    /** The address of the endpoint for clients on this machine. */
    public URI url() {
        var host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        var scheme = tls == null ? "http" : "https";
        return URI.create(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + path);
    }

    /** The address for clients of the deprecated HTTP with SSE; empty where that is not served. */
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
