package io.longhaul.transport.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.transport.http.Routes.Route;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks one request, reads its body, and hands both to the endpoint. */
final class RequestHandler implements Handler {

    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
    private static final Pattern HEADER_LIST = Pattern.compile("[A-Za-z0-9_, -]{1,1000}");

    /**
     * What it needs to know.
     *
     * @param endpoint     who answers
     * @param routes       what is served where
     * @param policy       whose requests are served
     * @param principals   on whose behalf
     * @param limits       of a body, and of streams
     * @param connections  who looks after the streams
     */
    record Settings(
            Endpoint endpoint,
            Routes routes,
            OriginPolicy policy,
            PrincipalResolver principals,
            WireLimits limits,
            Connections connections) {}

    private final Settings settings;
    private final LegacySse legacy;

    RequestHandler(Settings settings) {
        this.settings = settings;
        legacy = new LegacySse(settings.endpoint(), settings.limits().sessions());
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        var connection = HttpConnection.current();
        try {
            if (!isRefused(request, response)) {
                serve(request, response, connection);
            }
        } finally {
            connection.requestServed();
        }
    }

    /** Host and Origin come before all else, and nothing but the path is learnt before the principal is known. */
    private boolean isRefused(ServerRequest request, ServerResponse response) {
        var headers = request.headers();
        var refusal = RequestChecks.origin(headers, settings.policy());
        if (refusal == null) {
            allowOrigin(request, response);
            refusal = target(request, response);
        }
        if (refusal != null) {
            refuse(refusal, request, response);
        }
        return refusal != null;
    }

    private @Nullable Refusal target(ServerRequest request, ServerResponse response) {
        var route = route(request);
        if (route == null) {
            return new Refusal(
                    404,
                    "Nothing is served at this path: use " + settings.routes().path());
        }
        var method = request.prologue().method().text();
        boolean taken = route.takes(method)
                && (!method.equals("OPTIONS") || request.headers().contains(HeaderNames.ORIGIN));
        var use = method.equals("OPTIONS") && !taken ? "OPTIONS is for pages, with an Origin: use " : "Use one of ";
        return taken ? null : new Refusal(405, use + route.methods(), Map.of("Allow", route.methods()));
    }

    private @Nullable Route route(ServerRequest request) {
        return settings.routes().find(request.path().path());
    }

    private void serve(ServerRequest request, ServerResponse response, HttpConnection connection) {
        var method = request.prologue().method().text();
        if (method.equals("OPTIONS")) {
            preflight(request, response);
            return;
        }
        switch (settings.principals().resolve(name -> request.headers().first(HeaderNames.create(name)))) {
            case PrincipalResolver.Resolution.Refused refused ->
                refuse(
                        new Refusal(
                                refused.status(), refused.message(), Map.of("WWW-Authenticate", refused.challenge())),
                        request,
                        response);
            case PrincipalResolver.Resolution.Granted granted ->
                serve(granted.principal(), request, response, connection);
        }
    }

    private void serve(Principal principal, ServerRequest request, ServerResponse response, HttpConnection connection) {
        var exchange = new HttpExchange(principal, request, response, settings.connections());
        boolean old = route(request) != Route.STREAMABLE;
        switch (request.prologue().method().text()) {
            case "POST" -> post(exchange, request, response, old);
            case "GET" -> {
                var refusal = RequestChecks.acceptsEvents(request.headers());
                if (refusal != null) {
                    refuse(refusal, request, response);
                    return;
                }
                run(() -> listen(exchange, request, response, old), exchange, response, connection);
            }
            default -> run(() -> settings.endpoint().leave(exchange), exchange, response, connection);
        }
    }

    private void listen(HttpExchange exchange, ServerRequest request, ServerResponse response, boolean old)
            throws InterruptedException {
        if (!old) {
            settings.endpoint().listen(exchange);
            return;
        }
        var refusal = legacy.listen(exchange.principal(), exchange);
        if (refusal != null) {
            refuse(refusal, request, response);
        }
    }

    private void post(HttpExchange exchange, ServerRequest request, ServerResponse response, boolean old) {
        var refusal = RequestChecks.contentType(request.headers());
        if (refusal == null && !old) {
            refusal = RequestChecks.acceptsAnswer(request.headers());
        }
        var body = refusal == null ? body(request) : null;
        if (body == null) {
            var tooLarge = new Refusal(
                    413, "The body is larger than " + settings.limits().messageBytes() + " bytes: send less");
            refuse(refusal == null ? tooLarge : refusal, request, response);
            return;
        }
        Work work = old
                ? () -> postLegacy(body, exchange, request, response)
                : () -> settings.endpoint().accept(body, exchange).run();
        run(work, exchange, response, HttpConnection.current());
    }

    private void postLegacy(byte[] body, HttpExchange exchange, ServerRequest request, ServerResponse response) {
        var session = request.query().first("sessionId").orElse(null);
        var refusal = legacy.post(session, exchange.principal(), body);
        if (refusal == null) {
            Responses.accepted(response);
        } else {
            Responses.refuse(refusal, false, response);
        }
    }

    /** What answers a request. */
    @FunctionalInterface
    private interface Work {
        void run() throws InterruptedException;
    }

    /** The body, or null where it is over the limit. */
    private byte @Nullable [] body(ServerRequest request) {
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        var limit = settings.limits().messageBytes();
        var length = request.headers().contentLength().orElse(-1);
        if (length > limit) {
            return null;
        }
        try {
            // What is not there yet is not allocated on the mere word of a client: readNBytes grows as it reads.
            var body = request.content().inputStream().readNBytes(length >= 0 ? (int) length : limit + 1);
            if (body.length < length) {
                throw new CloseConnectionException("The body ended early");
            }
            return body.length > limit ? null : body;
        } catch (RequestException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new CloseConnectionException("The body broke off", e);
        }
    }

    private void run(Work work, HttpExchange exchange, ServerResponse response, HttpConnection connection) {
        connection.requestRead();
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
            response.headers().clear();
            Responses.internalError(response);
        }
    }

    private void refuse(Refusal refusal, ServerRequest request, ServerResponse response) {
        Responses.refuse(refusal, request.content().hasEntity(), response);
    }

    private static void allowOrigin(ServerRequest request, ServerResponse response) {
        var origin = RequestChecks.first(request.headers(), HeaderNames.ORIGIN);
        if (origin != null) {
            response.headers().set(HeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            response.headers().set(HeaderNames.VARY, "Origin");
            response.headers()
                    .set(HeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, "Mcp-Session-Id, WWW-Authenticate, Retry-After");
        }
    }

    private static void preflight(ServerRequest request, ServerResponse response) {
        var wanted = RequestChecks.first(request.headers(), HeaderNames.ACCESS_CONTROL_REQUEST_HEADERS);
        response.headers().set(HeaderNames.ACCESS_CONTROL_ALLOW_METHODS, Route.STREAMABLE.methods());
        if (wanted != null && HEADER_LIST.matcher(wanted).matches()) {
            response.headers().set(HeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, wanted);
        }
        response.header(HeaderValues.create(HeaderNames.ACCESS_CONTROL_MAX_AGE, "600"));
        response.status(Status.NO_CONTENT_204).send();
    }
}
