// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.protocol.transport.TransportLoad;
import io.longhaul.transport.Site;
import io.longhaul.transport.streamable.Access;
import io.longhaul.transport.streamable.CallerHeaders;
import io.longhaul.transport.streamable.OriginPolicy;
import io.longhaul.transport.streamable.Polling;
import io.longhaul.transport.streamable.Routes;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * MCP over Streamable HTTP in a servlet container, with the checks, answers and streams of the transport that has a
 * server of its own. Each request is read and served on a virtual thread; the container needs no thread meanwhile.
 * Register it with {@link #mappings} and with async support, and serve it:
 *
 * <pre>{@code
 * var servlet = McpServlet.at("/mcp");
 * var server = McpServer.builder("reports", "1.0").tool(...).store(...).serve(servlet);
 * var registered = context.addServlet("mcp", servlet);
 * registered.setAsyncSupported(true);
 * registered.addMapping(servlet.mappings());
 * }</pre>
 *
 * <p>Callers are those whom the container has authenticated, and anonymous ones else. A request that comes in at a
 * loopback address has to name this machine or an {@link #allowHosts allowed host}, also behind a proxy. Set it up,
 * then serve it; thread-safe from then on. Closing the server closes it, and then another server may serve it. The end
 * of the container closes it too, but not the server.
 */
public final class McpServlet implements Servlet, ServerTransport {

    private static final Duration GRACE = Duration.ofMillis(200);

    private final String path;
    private final Set<String> hosts = new LinkedHashSet<>();
    private final Set<String> origins = new LinkedHashSet<>();
    private Site site = Site.NONE;
    private CallerHeaders callerHeaders = CallerHeaders.NONE;
    private WireLimits limits = WireLimits.DEFAULT;
    private Duration keepAlive = Duration.ofSeconds(15);
    private Duration timeout = Duration.ofSeconds(30);
    private @Nullable Polling polling;
    private @Nullable PrincipalResolver principals;
    private @Nullable Function<HttpServletRequest, Resolution> callers;
    private @Nullable Function<HttpServletRequest, Set<String>> scopes;
    private boolean sameOrigin;
    private boolean authenticated;
    private boolean thisMachine;
    private @Nullable ServletConfig config;
    private volatile @Nullable Started started;
    private volatile CountDownLatch ended = new CountDownLatch(1);

    /**
     * What serves, from the start on.
     *
     * @param near  what may be asked for at a loopback address
     * @param far   what may be asked for at any other address
     * @param known finds a caller by what the container knows
     */
    private record Started(
            ServletCalls calls, OriginPolicy near, OriginPolicy far, Function<HttpServletRequest, Resolution> known) {}

    private McpServlet(String path) {
        this.path = path;
    }

    /**
     * Serves at a path below that of the application, such as {@code /mcp}.
     *
     * @throws IllegalArgumentException where it does not start with a slash, or is a pattern
     */
    public static McpServlet at(String path) {
        if (!path.startsWith("/") || path.indexOf('*') >= 0) {
            throw new IllegalArgumentException("A path starts with a slash and has no asterisk: " + path);
        }
        return new McpServlet(path);
    }

    /** Serves this too, beside the endpoint. */
    public McpServlet site(Site more) {
        site = more;
        return this;
    }

    /**
     * Lets pages of these origins call, such as {@code https://app.example.com}. There is no wildcard.
     *
     * @throws IllegalArgumentException where one is no origin, such as an address with a path
     */
    public McpServlet allowOrigins(String... allowed) {
        Stream.of(allowed).map(OriginPolicy::origin).forEach(origins::add);
        return this;
    }

    /**
     * Serves requests for these hosts, and pages of them, and for no others but, at a loopback address, this machine.
     * Without ports. Where none is named, any host is served that is asked for at another address.
     *
     * @throws IllegalArgumentException where one is no name or address of a host
     */
    public McpServlet allowHosts(String... allowed) {
        Stream.of(allowed).map(OriginPolicy::host).forEach(hosts::add);
        return this;
    }

    /**
     * Lets pages call that this server itself serves, by whatever name it was asked for. A page whose name an attacker
     * rebound to this server has its origin too: say this only where callers show a secret that such a page cannot
     * have, such as a token that pages keep by origin.
     */
    public McpServlet allowSameOrigin() {
        sameOrigin = true;
        return this;
    }

    /** Bounds the size of a body. */
    public McpServlet limits(WireLimits limits) {
        this.limits = limits;
        return this;
    }

    /** Finds out on whose behalf a request is, in place of the container. It runs on the thread of the request. */
    public McpServlet principals(PrincipalResolver resolver) {
        principals = resolver;
        return this;
    }

    /**
     * Finds out on whose behalf a request is by all that the container knows, in place of its principal alone. It runs
     * on the thread of the container, before others see the request, and must not wait for anything.
     */
    public McpServlet callers(Function<HttpServletRequest, Resolution> resolver) {
        callers = resolver;
        return this;
    }

    /**
     * Gives callers whom the container has authenticated these scopes alone; they have all where nothing is said. It
     * runs on the thread of the container.
     */
    public McpServlet scopes(Function<HttpServletRequest, Set<String>> granted) {
        scopes = granted;
        return this;
    }

    /** Refuses callers whom the container has not authenticated, with 401. */
    public McpServlet authenticated() {
        authenticated = true;
        return this;
    }

    /**
     * Serves programs and pages of this machine alone, all of them as the one local user where the container has not
     * authenticated them: for an application that listens on a loopback address. Callers behind a proxy on this machine
     * are callers of this machine.
     */
    public McpServlet thisMachineOnly() {
        thisMachine = true;
        return this;
    }

    /**
     * Lets handlers see these headers of their callers, see {@link io.longhaul.protocol.call.CallerInfo}. Those of a
     * call that becomes a task are stored with the task. A caller can send any header, unless a proxy sets it.
     *
     * @throws IllegalArgumentException where one is no name of a header, or carries a credential: the server passes no
     *     token on
     */
    public McpServlet callerHeaders(String... names) {
        callerHeaders = callerHeaders.and(names);
        return this;
    }

    /**
     * How often an idle stream gets a comment: 15 s by default. A client that has left is found to have left by one of
     * the next two, since containers do not look for that.
     */
    public McpServlet keepAlive(Duration interval) {
        keepAlive = positive("A time between comments", interval);
        return this;
    }

    /** How long a client may take to make room for more of an answer: 30 s by default. */
    public McpServlet timeout(Duration timeout) {
        this.timeout = positive("A timeout", timeout);
        return this;
    }

    /**
     * Holds no stream that its client can resume for longer than {@code open}: the client comes back after
     * {@code retry} for what has happened meanwhile (SEP-1699). Off by default; leave it off where clients of
     * 2025-11-25 are to be served that do not come back.
     */
    public McpServlet polled(Duration open, Duration retry) {
        polling = new Polling(open, retry);
        return this;
    }

    private static Duration positive(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " is longer than nothing, not " + time);
        }
        return time;
    }

    /**
     * The paths to which it has to be mapped: its own, those of the documents of its {@link PrincipalResolver}, and
     * those of its {@link #site}.
     */
    public String[] mappings() {
        var served = served();
        var beside = Stream.of(served.pages(), served.feeds()).flatMap(paths -> paths.keySet().stream());
        var below = Stream.of(served.hooks(), served.downloads()).flatMap(paths -> paths.keySet().stream());
        return Stream.of(
                        Stream.of(path),
                        beside.sorted(),
                        below.map(begin -> begin + "*").sorted())
                .flatMap(paths -> paths)
                .toArray(String[]::new);
    }

    private Site served() {
        return site.and(Routes.pages(documents()));
    }

    private Map<String, Json> documents() {
        return principals == null ? Map.of() : principals.documents();
    }

    @Override
    public synchronized void start(Endpoint endpoint) {
        var before = started;
        if (before != null && !before.calls().isClosed()) {
            throw new IllegalStateException("This transport has been started already");
        }
        ended = new CountDownLatch(1);
        var routes = new Routes(path, false, served());
        var calls = new ServletCalls(
                new ServletCalls.Settings(endpoint, routes, callerHeaders, limits),
                new ServletCalls.Times(keepAlive, polling, timeout));
        started = new Started(calls, policy(true), policy(false), known());
    }

    private OriginPolicy policy(boolean near) {
        return new OriginPolicy(near, hosts, origins, sameOrigin);
    }

    @Override
    public void service(ServletRequest sent, ServletResponse answered) throws IOException {
        if (!(sent instanceof HttpServletRequest request) || !(answered instanceof HttpServletResponse response)) {
            throw new IllegalArgumentException("Only HTTP is served");
        }
        var serving = started;
        if (serving == null) {
            ServletCalls.refuseUnserved(response);
        } else if (thisMachine && !ServletPeer.isLoopback(request.getRemoteAddr())) {
            ServletCalls.refuseForeign(response);
        } else {
            serving.calls().serve(request, response, access(serving, request));
        }
    }

    /** What the container knows is asked of it on its own thread, which alone may know it. */
    private Access access(Started serving, HttpServletRequest request) {
        boolean near = thisMachine || ServletPeer.isLoopback(request.getLocalAddr());
        var policy = near ? serving.near() : serving.far();
        if (principals != null) {
            return new Access(policy, principals);
        }
        var caller = serving.known().apply(request);
        return new Access(policy, header -> caller);
    }

    private Function<HttpServletRequest, Resolution> known() {
        return Objects.requireNonNullElseGet(
                callers,
                () -> new ContainerCallers(scopes, authenticated, thisMachine ? Principal.LOCAL : Principal.ANONYMOUS));
    }

    @Override
    public boolean isLocal() {
        return thisMachine;
    }

    @Override
    public boolean authorizes() {
        return principals != null || callers != null || authenticated;
    }

    @Override
    public TransportLoad load() {
        var serving = started;
        return serving == null ? TransportLoad.NONE : serving.calls().load();
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    @Override
    public void close() {
        var serving = started;
        if (serving != null) {
            serving.calls().close(GRACE);
        }
        ended.countDown();
    }

    @Override
    public void init(ServletConfig config) {
        this.config = config;
    }

    @Override
    public @Nullable ServletConfig getServletConfig() {
        return config;
    }

    @Override
    public String getServletInfo() {
        return "MCP over Streamable HTTP";
    }

    @Override
    public void destroy() {
        close();
    }

    @Override
    public String toString() {
        return "the servlet at " + path;
    }

    /** The path that is served, below that of the application. */
    public String path() {
        return path;
    }
}
