// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution.Granted;
import io.longhaul.protocol.transport.TurnedAway;
import io.longhaul.transport.Site.Page;
import io.longhaul.transport.streamable.Routes.Route;
import io.longhaul.transport.streamable.request.AccessRules;
import io.longhaul.transport.streamable.request.CallerHeaders;
import io.longhaul.transport.streamable.request.HttpPeer;
import io.longhaul.transport.streamable.request.HttpRefusal;
import io.longhaul.transport.streamable.request.OriginPolicy;
import io.longhaul.transport.streamable.request.RepeatedFieldException;
import io.longhaul.transport.streamable.request.RequestChecks;
import io.longhaul.transport.streamable.request.RequestHead;
import io.longhaul.transport.streamable.stream.Responder;
import io.longhaul.transport.streamable.stream.Streams;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks a request, reads its body, and passes it to the endpoint. */
public final class RequestHandler {

    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
    private static final int NO_CONTENT = 204;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int SERVER_ERROR = 500;
    private static final Pattern HEADER_LIST = Pattern.compile("[A-Za-z0-9_, -]{1,1000}");

    /**
     * The settings of a handler.
     *
     * @param endpoint answers the messages
     * @param routes   the served paths
     * @param headers  the headers of a request that handlers see
     * @param limits   the limits of bodies and streams
     * @param streams  the open streams
     */
    public record Settings(
            Endpoint endpoint, Routes routes, CallerHeaders headers, WireLimits limits, Streams streams) {}

    private final Settings settings;
    private final LegacySse legacy;

    /** What decides of a message, whether or not this server asks who sends it. */
    private static final List<String> SINGLE = List.of("Authorization", "Mcp-Session-Id", "Last-Event-ID");

    /** Creates a handler with these settings. */
    public RequestHandler(Settings settings) {
        this.settings = settings;
        legacy = new LegacySse(settings.endpoint(), settings.limits().sessions());
    }

    /**
     * Serves one request, and returns when it is answered and the work after the answer has ended.
     *
     * @param access   decides whether the request is served, and on whose behalf
     * @param request  the request without its body, which is read from {@code peer}
     * @throws IOException where the client has left
     */
    public void handle(AccessRules access, RequestHead request, Responder response, HttpPeer peer) throws IOException {
        settings.routes().site().headers().forEach(response::header);
        try {
            if (!isRefused(access.policy(), request, response)) {
                serve(access.principals(), request, response, peer);
            }
        } catch (RepeatedFieldException e) {
            refuse(e.refusal(), request, response);
        }
    }

    /** Refuses a request in the form of its path: what calls a hook or reads a download may know no JSON-RPC. */
    private void refuse(HttpRefusal refusal, RequestHead request, Responder response) throws IOException {
        var route = route(request);
        if (route == Route.HOOK || route == Route.VISIT || route == Route.DOWNLOAD) {
            refusal.headers().forEach(response::header);
            Responses.page(Page.refused(refusal.status(), refusal.message() + "."), response);
        } else {
            Responses.refuse(refusal, response);
        }
    }

    /**
     * Checks Host and Origin before everything else, except for open paths. Before the principal is known, a caller
     * learns only whether the path exists.
     */
    private boolean isRefused(OriginPolicy policy, RequestHead request, Responder response) throws IOException {
        boolean isOpen = settings.routes().site().open().contains(request.path());
        var refusal = isOpen ? null : RequestChecks.origin(request.fields(), policy);
        if (refusal == null) {
            if (!isOpen) {
                allowOrigin(request, response);
            }
            refusal = target(request);
        }
        if (refusal != null) {
            refuse(refusal, request, response);
        }
        return refusal != null;
    }

    private @Nullable HttpRefusal target(RequestHead request) {
        var route = route(request);
        if (route == null) {
            return new HttpRefusal(
                    404,
                    "Nothing is served at this path: use " + settings.routes().path());
        }
        var method = request.method();
        boolean taken = route.takes(method)
                && (!method.equals("OPTIONS") || request.fields().contains("Origin"));
        var use = method.equals("OPTIONS") && !taken ? "OPTIONS is for pages, with an Origin: use " : "Use ";
        return taken ? null : new HttpRefusal(405, use + route.methods(), Map.of("Allow", route.methods()));
    }

    private boolean isLegacy(RequestHead request) {
        var route = route(request);
        return route == Route.LEGACY_STREAM || route == Route.LEGACY_MESSAGES;
    }

    private @Nullable Route route(RequestHead request) {
        return settings.routes().find(request.path());
    }

    private void serve(PrincipalResolver principals, RequestHead request, Responder response, HttpPeer peer)
            throws IOException {
        var method = request.method();
        if (method.equals("OPTIONS")) {
            preflight(request, response);
            return;
        }
        var page = page(request);
        if (page != null) {
            Responses.page(page, response);
            return;
        }
        if (route(request) == Route.HOOK || route(request) == Route.VISIT) {
            hook(request, response, peer);
            return;
        }
        if (route(request) == Route.DOWNLOAD) {
            download(request, response, peer);
            return;
        }
        switch (principals.resolve(name -> Optional.ofNullable(request.fields().single(name)))) {
            case PrincipalResolver.Resolution.Refused refused -> {
                turnedAway(refused, peer);
                Responses.refuse(new HttpRefusal(refused.status(), refused.message(), refused.headers()), response);
            }
            case PrincipalResolver.Resolution.Granted granted -> serve(granted, request, response, peer);
        }
    }

    /** The page of a path; for a browser at the endpoint, where no MCP client asks for HTML, the first page. */
    private @Nullable Page page(RequestHead request) {
        var accepted = request.fields().first("Accept");
        boolean isBrowser = accepted != null
                && accepted.contains("text/html")
                && !accepted.contains("text/event-stream")
                && request.method().equals("GET")
                && route(request) == Route.STREAMABLE;
        return settings.routes().site().pages().get(isBrowser ? Routes.FIRST : request.path());
    }

    /** Serves a hook, which decides itself which callers it accepts. */
    private void hook(RequestHead request, Responder response, HttpPeer peer) throws IOException {
        Page answer;
        try {
            answer = settings.routes().take(request, peer, settings.limits().messageBytes());
        } catch (RepeatedFieldException e) {
            refuse(e.refusal(), request, response);
            return;
        } catch (RuntimeException e) {
            failed(e, request, response, peer);
            return;
        }
        if (answer.status() == UNAUTHORIZED || answer.status() == FORBIDDEN) {
            settings.endpoint().turnedAway(new TurnedAway(answer.status(), null, peer.address()));
        }
        Responses.page(answer, response);
    }

    /** Serves a download, whose address is its authorization. */
    private void download(RequestHead request, Responder response, HttpPeer peer) throws IOException {
        peer.requestRead();
        try {
            var content =
                    settings.routes().open(request.path(), request.fields().first("Range"));
            if (content.status() == NOT_FOUND) {
                settings.endpoint().turnedAway(new TurnedAway(NOT_FOUND, null, peer.address()));
            }
            if (!Responses.content(content, request.method().equals("HEAD"), response)) {
                peer.breakOff();
            }
        } catch (RuntimeException e) {
            failed(e, request, response, peer);
        } catch (InterruptedException e) {
            peer.breakOff();
            Thread.currentThread().interrupt();
        }
    }

    /** Reports that a hook or download has failed. A response that has begun cannot say so, and is cut. */
    private void failed(RuntimeException why, RequestHead request, Responder response, HttpPeer peer)
            throws IOException {
        LOG.error("A request was not answered", why);
        if (response.isSent()) {
            peer.breakOff();
        } else {
            refuse(new HttpRefusal(SERVER_ERROR, Responses.FAILURE), request, response);
        }
    }

    /**
     * Reports a refused message. An authorization that cannot be checked now is not reported, since it says nothing
     * about the sender.
     */
    private void turnedAway(PrincipalResolver.Resolution.Refused refused, HttpPeer peer) {
        if (refused.status() < SERVER_ERROR) {
            settings.endpoint().turnedAway(new TurnedAway(refused.status(), null, peer.address()));
        }
    }

    private void serve(Granted granted, RequestHead request, Responder response, HttpPeer peer) throws IOException {
        SINGLE.forEach(request.fields()::single);
        if (!request.method().equals("POST")) {
            // The error for a message is that of its dialect.
            request.fields().single("MCP-Protocol-Version");
        }
        settings.headers().names().forEach(request.fields()::single);
        var exchange = new HttpExchange(granted, request, response, peer, settings.streams(), settings.headers());
        boolean old = isLegacy(request);
        switch (request.method()) {
            case "POST" -> {
                var work = post(exchange, request, response, peer);
                if (work != null) {
                    run(work, exchange, response, peer);
                }
            }
            case "GET" -> {
                var refusal = RequestChecks.acceptsEvents(request.fields());
                if (refusal != null) {
                    Responses.refuse(refusal, response);
                    return;
                }
                var feed = settings.routes().site().feeds().get(request.path());
                Work work = feed == null ? () -> listen(exchange, response, old) : () -> feed.serve(exchange);
                run(work, exchange, response, peer);
            }
            default -> run(() -> settings.endpoint().leave(exchange), exchange, response, peer);
        }
    }

    private void listen(HttpExchange exchange, Responder response, boolean old)
            throws InterruptedException, IOException {
        if (!old) {
            settings.endpoint().listen(exchange);
            return;
        }
        var refusal = legacy.listen(exchange);
        if (refusal != null) {
            Responses.refuse(refusal, response);
        }
    }

    /** Reads a message; returns the work that answers it, or null where the message is refused. */
    private @Nullable Work post(HttpExchange exchange, RequestHead request, Responder response, HttpPeer peer)
            throws IOException {
        boolean old = isLegacy(request);
        var refusal = RequestChecks.contentType(request.fields());
        if (refusal == null && !old) {
            refusal = RequestChecks.acceptsAnswer(request.fields());
        }
        var most = settings.limits().messageBytes();
        var body = refusal == null ? peer.body(request, most) : null;
        if (body == null) {
            var tooLarge = new HttpRefusal(413, "The body is larger than " + most + " bytes: send less");
            Responses.refuse(refusal == null ? tooLarge : refusal, response);
            return null;
        }
        return old
                ? () -> postLegacy(body, exchange, request, response)
                : () -> settings.endpoint().accept(body, exchange).run();
    }

    private void postLegacy(byte[] body, HttpExchange exchange, RequestHead request, Responder response)
            throws IOException {
        var session = request.parameter("sessionId").orElse(null);
        var refusal = legacy.post(session, exchange, body);
        if (refusal == null) {
            Responses.accepted(response);
        } else {
            Responses.refuse(refusal, response);
        }
    }

    /** The work that answers a request. */
    @FunctionalInterface
    private interface Work {
        void run() throws InterruptedException, IOException;
    }

    private void run(Work work, HttpExchange exchange, Responder response, HttpPeer peer) throws IOException {
        peer.requestRead();
        try {
            work.run();
            exchange.awaitEnd();
        } catch (PeerGoneException e) {
            exchange.abort();
        } catch (RuntimeException e) {
            LOG.error("A request was not answered", e);
            exchange.abort();
        } catch (InterruptedException e) {
            exchange.abort();
            Thread.currentThread().interrupt();
        }
        if (!exchange.isAnswered()) {
            response.clear();
            settings.routes().site().headers().forEach(response::header);
            Responses.internalError(response);
        }
    }

    private static void allowOrigin(RequestHead request, Responder response) {
        var origin = request.fields().first("Origin");
        if (origin != null) {
            response.header("Access-Control-Allow-Origin", origin)
                    .header("Vary", "Origin")
                    .header("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate, Retry-After");
        }
    }

    private static void preflight(RequestHead request, Responder response) throws IOException {
        var wanted = request.fields().first("Access-Control-Request-Headers");
        response.header("Access-Control-Allow-Methods", Route.STREAMABLE.methods());
        if (wanted != null && HEADER_LIST.matcher(wanted).matches()) {
            response.header("Access-Control-Allow-Headers", wanted);
        }
        response.header("Access-Control-Max-Age", "600").send(NO_CONTENT, new byte[0]);
    }
}
