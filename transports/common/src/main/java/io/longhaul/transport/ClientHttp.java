// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.protocol.transport.client.TransportException.Kind;
import io.longhaul.transport.reply.HttpReply;
import io.longhaul.transport.reply.ReplyBody;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/**
 * The client's side of Streamable HTTP over HTTP/1.1, on an HTTP client of the JDK: its own client, or one of the host
 * program. Redirects are not followed, since a token is meant only for the server to which it was sent. Thread-safe.
 */
public final class ClientHttp implements ClientTransport {

    /**
     * The timeouts of requests. Zero means no timeout.
     *
     * @param connect  until the server accepts the connection
     * @param response until the head of an answer arrives
     * @param idle     between two pieces of a body, such as two events or keep-alive comments
     */
    public record HttpTimeouts(Duration connect, Duration response, Duration idle) {

        /** 10 s, 5 min, 5 min. */
        public static final HttpTimeouts DEFAULT =
                new HttpTimeouts(Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofMinutes(5));
    }

    private static final String ACCEPT = "application/json, text/event-stream";

    private final URI server;
    private final WireLimits limits;
    private final HttpTimeouts timeout;
    private final HttpClient client;
    private final boolean isOwn;
    private final Set<HttpReply> open = ConcurrentHashMap.newKeySet();
    private final Set<CompletableFuture<?>> awaited = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Creates a transport without connecting. All requests go to the address {@code server}, such as {@code
     * http://localhost:8080/mcp}.
     */
    public ClientHttp(URI server, WireLimits limits, HttpTimeouts timeout) {
        this(server, limits, timeout, ownClient(timeout.connect()), true);
    }

    /**
     * Creates a transport without connecting, on an HTTP client of the host program, with the proxy, certificates and
     * connect timeout of that client. Closing the transport leaves the client open.
     *
     * @throws IllegalArgumentException where the client follows redirects
     */
    public ClientHttp(URI server, WireLimits limits, HttpTimeouts timeout, HttpClient client) {
        this(server, limits, timeout, checked(client), false);
    }

    private ClientHttp(URI server, WireLimits limits, HttpTimeouts timeout, HttpClient client, boolean isOwn) {
        this.server = checked(server);
        this.limits = limits;
        this.timeout = timeout;
        this.client = client;
        this.isOwn = isOwn;
    }

    /**
     * The address, where it names a server.
     *
     * @throws IllegalArgumentException where it is no address of http or https with a host
     */
    public static URI checked(URI server) {
        if (!isHttp(server) || server.getAuthority() == null) {
            throw new IllegalArgumentException(server + " is no http or https address of a server");
        }
        if (!isOfServer(server)) {
            throw new IllegalArgumentException(server + " has no valid host name: a host name has letters, digits,"
                    + " hyphens and dots, and no underscores");
        }
        return server;
    }

    /** Whether an address is one of http or https, and has a valid host name. */
    public static boolean isOfServer(URI address) {
        return isHttp(address) && address.getHost() != null;
    }

    private static boolean isHttp(URI address) {
        return "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());
    }

    private static HttpClient ownClient(Duration connect) {
        var builder = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("http-client-", 0).factory()));
        if (!connect.isZero()) {
            builder.connectTimeout(connect);
        }
        return builder.build();
    }

    /**
     * Checks an HTTP client of the host program.
     *
     * @return the client
     * @throws IllegalArgumentException where the client follows redirects, and would send tokens to other servers
     */
    public static HttpClient checked(HttpClient client) {
        if (client.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException("The HTTP client follows redirects: give one that does not");
        }
        return client;
    }

    /** Creates a transport with the default limits and timeouts. */
    public static ClientHttp to(URI server) {
        return new ClientHttp(server, WireLimits.DEFAULT, HttpTimeouts.DEFAULT);
    }

    @Override
    public boolean isLasting() {
        return false;
    }

    @Override
    public Optional<ClientTransport> overSse() {
        return Optional.of(new ClientSse(this, server));
    }

    @Override
    public ServerReply send(Json message, Map<String, String> headers) throws TransportException {
        return send(server, message, headers);
    }

    /** Sends a message to another address of the same server. */
    ServerReply send(URI to, Json message, Map<String, String> headers) throws TransportException {
        return exchange(
                request(to, headers)
                        .setHeader("Content-Type", "application/json")
                        .setHeader("Accept", ACCEPT)
                        .POST(BodyPublishers.ofByteArray(message.bytes())),
                timeout.idle());
    }

    @Override
    public ServerReply listen(Map<String, String> headers) throws TransportException {
        return listen(headers, timeout.idle());
    }

    /** @param idle how long the stream may be silent; zero means no limit */
    HttpReply listen(Map<String, String> headers, Duration idle) throws TransportException {
        return exchange(
                request(server, headers)
                        .setHeader("Accept", "text/event-stream")
                        .GET(),
                idle);
    }

    @Override
    public ServerReply leave(Map<String, String> headers) throws TransportException {
        return exchange(request(server, headers).setHeader("Accept", ACCEPT).DELETE(), timeout.idle());
    }

    @Override
    public void close() {
        closed = true;
        awaited.forEach(answer -> answer.cancel(true));
        open.forEach(HttpReply::close);
        if (isOwn) {
            client.shutdownNow();
        }
    }

    /**
     * Builds a request. The server chooses the ids of sessions and events, and may choose text that no header can
     * carry.
     */
    private HttpRequest.Builder request(URI to, Map<String, String> headers) throws TransportException {
        try {
            var builder = HttpRequest.newBuilder(to).version(HttpClient.Version.HTTP_1_1);
            headers.forEach(builder::setHeader);
            return builder;
        } catch (IllegalArgumentException e) {
            throw new TransportException(
                    Kind.UNUSABLE, server + " gave an id that cannot be sent back in a header: " + e.getMessage(), e);
        }
    }

    private HttpReply exchange(HttpRequest.Builder request, Duration idle) throws TransportException {
        var answer = client.sendAsync(request.build(), info -> new ReplyBody(idle));
        awaited.add(answer);
        try {
            // Either close() sees this answer among the awaited ones, or this thread sees the close; likewise below.
            if (closed) {
                answer.cancel(true);
            }
            var reply = new HttpReply(server, response(answer), limits.messageBytes(), open::remove);
            open.add(reply);
            if (closed) {
                reply.close();
            }
            return reply;
        } finally {
            awaited.remove(answer);
        }
    }

    private HttpResponse<ReplyBody> response(CompletableFuture<HttpResponse<ReplyBody>> answer)
            throws TransportException {
        try {
            return timeout.response().isZero()
                    ? answer.get()
                    : answer.get(timeout.response().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new TransportException(
                    Kind.TIMEOUT,
                    server + " did not answer within " + timeout.response().toSeconds() + " s: try again later",
                    e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new TransportException(Kind.LOST, "Interrupted while waiting for " + server, e);
        } catch (CancellationException e) {
            throw new TransportException(Kind.LOST, "The connection to " + server + " was closed here", e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    private TransportException failure(Throwable cause) {
        for (var reason = cause; reason != null; reason = reason.getCause()) {
            if (reason instanceof SSLException) {
                // Only before the end of a handshake is it certain that the server has got nothing.
                return new TransportException(
                        reason instanceof SSLHandshakeException ? Kind.UNREACHABLE : Kind.LOST,
                        "No secure connection to " + server + " (" + reason.getMessage()
                                + "): check http or https, and that this Java trusts the certificate",
                        cause);
            }
            if (reason instanceof ConnectException
                    || reason instanceof HttpConnectTimeoutException
                    || reason instanceof UnresolvedAddressException) {
                return new TransportException(
                        Kind.UNREACHABLE,
                        "Cannot connect to " + server + ": check the address, and that the server runs",
                        cause);
            }
        }
        var text = cause instanceof IOException
                ? "The connection to " + server + " broke off"
                : "Asking " + server + " failed";
        return new TransportException(Kind.LOST, text + ": try again", cause);
    }
}
