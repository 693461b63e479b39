// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.protocol.Require;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.protocol.transport.TransportLoad;
import io.longhaul.transport.Site;
import io.longhaul.transport.streamable.Routes;
import io.longhaul.transport.streamable.request.AccessRules;
import io.longhaul.transport.streamable.request.CallerHeaders;
import io.longhaul.transport.streamable.request.OriginPolicy;
import io.longhaul.transport.streamable.stream.Polling;
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
 * A server transport of MCP over Streamable HTTP in a servlet container, with the same checks, answers and streams as
 * Longhaul's own HTTP server. Each request is read and served on a virtual thread; the container needs no thread
 * meanwhile. Register the servlet with {@link #mappings} and with async support, and serve it:
 *
 * <pre>{@code
 * var servlet = McpServlet.at("/mcp");
 * var server = McpServer.builder("reports", "1.0").tool(...).store(...).serve(servlet);
 * var registered = context.addServlet("mcp", servlet);
 * registered.setAsyncSupported(true);
 * registered.addMapping(servlet.mappings());
 * }</pre>
 *
 * <p>A caller is authenticated by the container, or else anonymous. A request to a loopback address must name this
 * machine or an {@link #allowHosts allowed host}, also behind a proxy. Set the servlet up, then serve it; thread-safe
 * from then on. Closing the server closes the servlet, and then another server may use it. The end of the container
 * closes the servlet too, but not the server.
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
     * The state from the start on.
     *
     * @param near  the policy for requests to a loopback address
     * @param far   the policy for requests to any other address
     * @param known resolves a caller from the request of the container
     */
    private record Started(
            ServletCalls calls, OriginPolicy near, OriginPolicy far, Function<HttpServletRequest, Resolution> known) {}

    private McpServlet(String path) {
        this.path = path;
    }

    /**
     * A servlet at a path below that of the application, such as {@code /mcp}.
     *
     * @throws IllegalArgumentException where the path does not start with a slash, or is a pattern
     */
    public static McpServlet at(String path) {
        if (!path.startsWith("/") || path.indexOf('*') >= 0) {
            throw new IllegalArgumentException("A path starts with a slash and has no asterisk: " + path);
        }
        return new McpServlet(path);
    }

    /** Also serves a site, beside the MCP endpoint. */
    public McpServlet site(Site more) {
        site = site.and(more);
        return this;
    }

    /**
     * Lets pages of these origins call, such as {@code https://app.example.com}. Wildcards are not supported.
     *
     * @throws IllegalArgumentException where a value is not an origin, such as an address with a path
     */
    public McpServlet allowOrigins(String... allowed) {
        Stream.of(allowed).map(OriginPolicy::origin).forEach(origins::add);
        return this;
    }

    /**
     * Accepts requests only for these hosts, and pages of these hosts; at a loopback address also for the names of this
     * machine. Give the hosts without ports. Without allowed hosts, requests to an address other than loopback may name
     * any host.
     *
     * @throws IllegalArgumentException where a value is not the name or address of a host
     */
    public McpServlet allowHosts(String... allowed) {
        Stream.of(allowed).map(OriginPolicy::host).forEach(hosts::add);
        return this;
    }

    /**
     * Lets pages call that this server itself serves, under any host name. That includes a page whose name an attacker
     * rebound to this server. Use this only where callers show a secret that such a page cannot have, such as a token
     * that pages keep by origin.
     */
    public McpServlet allowSameOrigin() {
        sameOrigin = true;
        return this;
    }

    /** Sets the limits, such as the size of a body. */
    public McpServlet limits(WireLimits limits) {
        this.limits = limits;
        return this;
    }

    /**
     * Sets how the principal of a request is found, in place of the container. The resolver runs on the thread of the
     * request.
     */
    public McpServlet principals(PrincipalResolver resolver) {
        principals = resolver;
        return this;
    }

    /**
     * Sets how the principal is found from the whole request of the container, in place of the container's principal
     * alone. The resolver runs on the thread of the container, before other code sees the request, and must not block.
     */
    public McpServlet callers(Function<HttpServletRequest, Resolution> resolver) {
        callers = resolver;
        return this;
    }

    /**
     * Limits callers that the container has authenticated to these scopes; by default they have all scopes. The
     * function runs on the thread of the container.
     */
    public McpServlet scopes(Function<HttpServletRequest, Set<String>> granted) {
        scopes = granted;
        return this;
    }

    /** Refuses callers that the container has not authenticated, with 401. */
    public McpServlet authenticated() {
        authenticated = true;
        return this;
    }

    /**
     * Serves only programs and pages of this machine, for an application that listens on a loopback address. Callers
     * that the container has not authenticated are the local user. Callers behind a proxy on this machine count as
     * callers of this machine.
     */
    public McpServlet thisMachineOnly() {
        thisMachine = true;
        return this;
    }

    /**
     * Lets handlers see these headers of their callers, see {@link io.longhaul.protocol.call.CallerInfo}. The headers
     * of a call that becomes a task are stored with the task. A caller can send any header, unless a proxy sets it.
     *
     * @throws IllegalArgumentException where a value is not the name of a header, or names a header with a credential:
     *     the server passes no tokens on
     */
    public McpServlet callerHeaders(String... names) {
        callerHeaders = callerHeaders.and(names);
        return this;
    }

    /**
     * Sets how often an idle stream gets a comment: 15 s by default. A disconnect is noticed at one of the next two
     * comments, since containers do not watch for it.
     */
    public McpServlet keepAlive(Duration interval) {
        keepAlive = positive("A time between comments", interval);
        return this;
    }

    /** Sets how long a write of an answer may wait for the client to read: 30 s by default. */
    public McpServlet timeout(Duration timeout) {
        this.timeout = positive("A timeout", timeout);
        return this;
    }

    /**
     * Limits how long a resumable stream is held (SEP-1699): after {@code open} the response ends, and the client
     * reconnects after {@code retry} for the messages that it has missed. Off by default; leave it off for clients of
     * 2025-11-25 that never reconnect.
     */
    public McpServlet polled(Duration open, Duration retry) {
        polling = new Polling(open, retry);
        return this;
    }

    private static Duration positive(String what, Duration time) {
        Require.that(time.isPositive(), what + " is longer than nothing, not " + time);
        return time;
    }

    /**
     * The paths to which the servlet must be mapped: its own path, the paths of documents of its {@link
     * PrincipalResolver}, and those of its {@link #site}.
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
        AsyncOutput.refuseBroken(request);
        var serving = started;
        if (serving == null) {
            ServletCalls.refuseUnserved(response);
        } else if (thisMachine && !ServletPeer.isLoopback(request.getRemoteAddr())) {
            ServletCalls.refuseForeign(response);
        } else {
            serving.calls().serve(request, response, access(serving, request));
        }
    }

    /**
     * The access rules of a request. The container's data are read on its own thread, since other threads may not read
     * them.
     */
    private AccessRules access(Started serving, HttpServletRequest request) {
        boolean near = thisMachine || ServletPeer.isLoopback(request.getLocalAddr());
        var policy = near ? serving.near() : serving.far();
        if (principals != null) {
            return new AccessRules(policy, principals);
        }
        var caller = serving.known().apply(request);
        return new AccessRules(policy, header -> caller);
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

    /** The path of the endpoint, below that of the application. */
    public String path() {
        return path;
    }
}
