package io.longhaul.transport.http;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.TurnedAway;
import io.longhaul.transport.http.PrincipalResolver.Resolution.Granted;
import io.longhaul.transport.http.Routes.Route;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks one request, reads its body, and hands both to the endpoint. */
final class RequestHandler {

    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
    private static final int NO_CONTENT = 204;
    private static final int SERVER_ERROR = 500;
    private static final Pattern HEADER_LIST = Pattern.compile("[A-Za-z0-9_, -]{1,1000}");

    /**
     * What it needs to know.
     *
     * @param endpoint     answers
     * @param routes       what is served where
     * @param policy       whose requests are served
     * @param callers      on whose behalf
     * @param limits       of a body, and of streams
     * @param connections  look after the streams
     */
    record Settings(
            Endpoint endpoint,
            Routes routes,
            OriginPolicy policy,
            Callers callers,
            WireLimits limits,
            Connections connections) {}

    /**
     * What becomes known of a caller.
     *
     * @param principals on whose behalf a request is
     * @param headers    of the request that handlers see
     */
    record Callers(PrincipalResolver principals, Set<String> headers) {
        Callers {
            headers = Set.copyOf(headers);
        }
    }

    private final Settings settings;
    private final LegacySse legacy;

    RequestHandler(Settings settings) {
        this.settings = settings;
        legacy = new LegacySse(settings.endpoint(), settings.limits().sessions());
    }

    void handle(RequestHead request, Response response, HttpConnection connection) throws IOException {
        if (!isRefused(request, response)) {
            serve(request, response, connection);
        }
    }

    /** Host and Origin come before all else, and nothing but the path is learnt before the principal is known. */
    private boolean isRefused(RequestHead request, Response response) throws IOException {
        var refusal = RequestChecks.origin(request.fields(), settings.policy());
        if (refusal == null) {
            allowOrigin(request, response);
            refusal = target(request);
        }
        if (refusal != null) {
            Responses.refuse(refusal, response);
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
        var use = method.equals("OPTIONS") && !taken ? "OPTIONS is for pages, with an Origin: use " : "Use one of ";
        return taken ? null : new HttpRefusal(405, use + route.methods(), Map.of("Allow", route.methods()));
    }

    private @Nullable Route route(RequestHead request) {
        return settings.routes().find(request.path());
    }

    private void serve(RequestHead request, Response response, HttpConnection connection) throws IOException {
        var method = request.method();
        if (method.equals("OPTIONS")) {
            preflight(request, response);
            return;
        }
        var document = settings.routes().documents().get(request.path());
        if (document != null) {
            Responses.document(document, response);
            return;
        }
        switch (settings.callers()
                .principals()
                .resolve(name -> Optional.ofNullable(request.fields().first(name)))) {
            case PrincipalResolver.Resolution.Refused refused -> {
                turnedAway(refused, connection);
                Responses.refuse(new HttpRefusal(refused.status(), refused.message(), refused.headers()), response);
            }
            case PrincipalResolver.Resolution.Granted granted -> serve(granted, request, response, connection);
        }
    }

    /** An authorization that cannot be checked now says nothing of its sender. */
    private void turnedAway(PrincipalResolver.Resolution.Refused refused, HttpConnection connection) {
        if (refused.status() < SERVER_ERROR) {
            settings.endpoint()
                    .turnedAway(new TurnedAway(
                            refused.status(), null, connection.address().getHostAddress()));
        }
    }

    private void serve(Granted granted, RequestHead request, Response response, HttpConnection connection)
            throws IOException {
        var shown = settings.callers().headers();
        var exchange = new HttpExchange(granted, request, response, connection, settings.connections(), shown);
        boolean old = route(request) != Route.STREAMABLE;
        switch (request.method()) {
            case "POST" -> {
                var work = post(exchange, request, response, connection);
                if (work != null) {
                    run(work, exchange, response, connection);
                }
            }
            case "GET" -> {
                var refusal = RequestChecks.acceptsEvents(request.fields());
                if (refusal != null) {
                    Responses.refuse(refusal, response);
                    return;
                }
                run(() -> listen(exchange, response, old), exchange, response, connection);
            }
            default -> run(() -> settings.endpoint().leave(exchange), exchange, response, connection);
        }
    }

    private void listen(HttpExchange exchange, Response response, boolean old)
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

    /** Reads a message; gives what answers it, or null where it is refused. */
    private @Nullable Work post(
            HttpExchange exchange, RequestHead request, Response response, HttpConnection connection)
            throws IOException {
        boolean old = route(request) != Route.STREAMABLE;
        var refusal = RequestChecks.contentType(request.fields());
        if (refusal == null && !old) {
            refusal = RequestChecks.acceptsAnswer(request.fields());
        }
        var most = settings.limits().messageBytes();
        var body = refusal == null ? connection.body(request, most) : null;
        if (body == null) {
            var tooLarge = new HttpRefusal(413, "The body is larger than " + most + " bytes: send less");
            Responses.refuse(refusal == null ? tooLarge : refusal, response);
            return null;
        }
        return old
                ? () -> postLegacy(body, exchange, request, response)
                : () -> settings.endpoint().accept(body, exchange).run();
    }

    private void postLegacy(byte[] body, HttpExchange exchange, RequestHead request, Response response)
            throws IOException {
        var session = request.parameter("sessionId").orElse(null);
        var refusal = legacy.post(session, exchange, body);
        if (refusal == null) {
            Responses.accepted(response);
        } else {
            Responses.refuse(refusal, response);
        }
    }

    /** What answers a request. */
    @FunctionalInterface
    private interface Work {
        void run() throws InterruptedException, IOException;
    }

    private void run(Work work, HttpExchange exchange, Response response, HttpConnection connection)
            throws IOException {
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
            response.clear();
            Responses.internalError(response);
        }
    }

    private static void allowOrigin(RequestHead request, Response response) {
        var origin = request.fields().first("Origin");
        if (origin != null) {
            response.header("Access-Control-Allow-Origin", origin)
                    .header("Vary", "Origin")
                    .header("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate, Retry-After");
        }
    }

    private static void preflight(RequestHead request, Response response) throws IOException {
        var wanted = request.fields().first("Access-Control-Request-Headers");
        response.header("Access-Control-Allow-Methods", Route.STREAMABLE.methods());
        if (wanted != null && HEADER_LIST.matcher(wanted).matches()) {
            response.header("Access-Control-Allow-Headers", wanted);
        }
        response.header("Access-Control-Max-Age", "600").send(NO_CONTENT);
    }
}
