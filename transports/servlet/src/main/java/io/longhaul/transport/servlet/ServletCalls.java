// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.TransportLoad;
import io.longhaul.transport.streamable.RequestHandler;
import io.longhaul.transport.streamable.Responses;
import io.longhaul.transport.streamable.Routes;
import io.longhaul.transport.streamable.request.AccessRules;
import io.longhaul.transport.streamable.request.CallerHeaders;
import io.longhaul.transport.streamable.request.HttpRefusal;
import io.longhaul.transport.streamable.request.RequestHead;
import io.longhaul.transport.streamable.stream.Polling;
import io.longhaul.transport.streamable.stream.Responder;
import io.longhaul.transport.streamable.stream.Streams;
import io.longhaul.transport.streamable.stream.Ticker;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests that a servlet serves at this moment. Thread-safe. */
final class ServletCalls {

    private static final Logger LOG = LoggerFactory.getLogger(McpServlet.class);

    private final RequestHandler handler;
    private final Streams streams;
    private final Duration timeout;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Ticker timer;
    private volatile boolean closed;

    /** The settings of the {@link RequestHandler}. */
    record Settings(Endpoint endpoint, Routes routes, CallerHeaders headers, WireLimits limits) {}

    /**
     * The times of requests and streams.
     *
     * @param keepAlive how often an idle stream gets a comment
     * @param polling   how long a resumable stream is held, or null for no limit
     * @param timeout   how long a write may wait for the client to read
     */
    record Times(Duration keepAlive, @Nullable Polling polling, Duration timeout) {}

    ServletCalls(Settings settings, Times times) {
        streams = new Streams(times.keepAlive(), times.polling());
        timeout = times.timeout();
        handler = new RequestHandler(new RequestHandler.Settings(
                settings.endpoint(), settings.routes(), settings.headers(), settings.limits(), streams));
        timer = Ticker.every(streams.tickMillis(), "mcp-servlet-timer", () -> streams.look(System.nanoTime()));
    }

    /** Takes over a request from the thread of the container. */
    void serve(HttpServletRequest request, HttpServletResponse response, AccessRules access) throws IOException {
        if (!request.isAsyncSupported()) {
            LOG.error("The servlet, or a filter before it, is not registered with async support: set asyncSupported");
            Responses.internalError(direct(response));
            return;
        }
        if (closed) {
            refuseUnserved(response);
            return;
        }
        var head = ServletPeer.head(request);
        var async = request.startAsync(request, response);
        // No timeout of the container: streams are open without a limit, and a call takes as long as its tool.
        async.setTimeout(0);
        var output = AsyncOutput.of(async, timeout);
        var peer = new ServletPeer(request.getRemoteAddr(), request, output);
        var responder = new ServletResponder(response, output);
        Thread.ofVirtual().name("mcp-request").start(() -> run(access, head, responder, peer));
    }

    private void run(AccessRules access, RequestHead head, Responder responder, ServletPeer peer) {
        var thread = Thread.currentThread();
        threads.add(thread);
        try {
            handler.handle(access, head, responder, peer);
        } catch (IOException e) {
            LOG.debug("A client left before its answer: {}", e.toString());
        } catch (RuntimeException | Error e) {
            LOG.error("A request was not answered", e);
        } finally {
            threads.remove(thread);
            peer.cut();
        }
    }

    boolean isClosed() {
        return closed;
    }

    TransportLoad load() {
        return new TransportLoad(threads.size(), streams.count());
    }

    /** Ends the streams, and interrupts requests that are not answered within {@code grace}. */
    void close(Duration grace) {
        closed = true;
        timer.close();
        streams.close();
        var end = System.nanoTime() + grace.toNanos();
        try {
            for (var thread : threads) {
                var left = end - System.nanoTime();
                if (left <= 0 || !thread.join(Duration.ofNanos(left))) {
                    thread.interrupt();
                }
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    /** Refuses a request, since the server has not been started or has been closed. */
    static void refuseUnserved(HttpServletResponse response) throws IOException {
        refuse(503, "The server does not serve at the moment: try again later", Map.of("Retry-After", "1"), response);
    }

    static void refuseForeign(HttpServletResponse response) throws IOException {
        refuse(403, "Only programs of this machine are served: call from there", Map.of(), response);
    }

    /** Refuses a request on the thread of the container, before the request is read. */
    private static void refuse(int status, String message, Map<String, String> headers, HttpServletResponse response)
            throws IOException {
        Responses.refuse(new HttpRefusal(status, message, headers), direct(response));
    }

    private static ServletResponder direct(HttpServletResponse response) {
        return new ServletResponder(response, BodyOutput.ofContainer(response));
    }
}
