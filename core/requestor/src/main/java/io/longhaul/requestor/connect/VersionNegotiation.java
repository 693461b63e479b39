// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.connect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.protocol.transport.client.TransportException.Kind;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.exchange.ExchangeResult;
import io.longhaul.requestor.exchange.RequestListener;
import io.longhaul.requestor.exchange.ServerConnection;
import io.longhaul.requestor.plan.ClientPlanner;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out which generation a server speaks, and agrees on a session in it. The client tries the newest generation
 * first, and the handshake of older generations where that fails.
 */
public record VersionNegotiation(Connector connector, RequestorSettings settings) {

    private static final Set<Integer> OLDER_TRANSPORT = Set.of(400, 404, 405);

    /** The codes of errors that only servers of the newest generation have. */
    private static final Set<Integer> ERRORS_OF_NEWEST =
            Set.of(RpcError.UNSUPPORTED_PROTOCOL_VERSION, RpcError.HEADER_MISMATCH, RpcError.MISSING_CLIENT_CAPABILITY);

    /** How the first request in a generation ended; a busy server counts as a server that rejects the request. */
    private record FirstExchange(
            ClientDialect dialect, ExchangeResult end, Optional<String> session, ServerConnection on) {}

    /** Agrees on a session with a server of which nothing is known. */
    public ServerSession detect() throws TransportException {
        if (settings.only().isPresent()) {
            return agree(ClientDialects.of(settings.only().get()));
        }
        boolean lasting = connector.connection().isLasting();
        var timeouts = settings.timeouts();
        var timeout = lasting ? timeouts.probe() : timeouts.request();
        var opening = open(ClientDialects.newest(), new Call.Discover(), Map.of(), timeout);
        return isOfOlderServer(opening, lasting) ? agree(ClientDialects.newestHandshake()) : begun(opening, Set.of());
    }

    /** Whether a server shows by its answer to the newest first request that it may speak only older generations. */
    private static boolean isOfOlderServer(FirstExchange opening, boolean lasting) {
        return switch (opening.end()) {
            case ExchangeResult.Result(var result) -> !namesVersions(opening.dialect(), result);
            case ExchangeResult.Failure(var error) -> !ERRORS_OF_NEWEST.contains(error.code());
            case ExchangeResult.Broken(var trouble) -> lasting && trouble.kind() == Kind.TIMEOUT;
            default -> isForOthers(opening.end());
        };
    }

    /** Whether a result is a discovery: some older servers answer each method that they do not know with a result. */
    private static boolean namesVersions(ClientDialect dialect, Json result) {
        try {
            return !dialect.hello(result).versions().isEmpty();
        } catch (UnusableMessageException e) {
            return false;
        }
    }

    /** Agrees on a session in a generation, or in another one that the server prefers or names. */
    ServerSession agree(ClientDialect dialect) throws TransportException {
        return agree(dialect, Set.of());
    }

    private ServerSession agree(ClientDialect dialect, Set<Generation> tried) throws TransportException {
        var call = ClientPlanner.opening(dialect, settings.profile(dialect));
        var opening = open(dialect, call, Map.of(), settings.timeouts().request());
        return ClientPlanner.inSession(dialect) && isOfOlderTransport(opening.end()) && connector.goOverToSse()
                ? agree(dialect, tried)
                : begun(opening, tried);
    }

    private ServerSession begun(FirstExchange opening, Set<Generation> tried) throws TransportException {
        var dialect = opening.dialect();
        boolean handshake = ClientPlanner.inSession(dialect);
        return switch (opening.end()) {
            case ExchangeResult.Result(var result) when handshake -> initialized(opening, result);
            case ExchangeResult.Result(var result)
            when namesVersions(dialect, result) -> discovered(opening, result, tried);
            case ExchangeResult.Result other -> throw notSpoken(dialect);
            case ExchangeResult.Failure(var error) -> instead(dialect, error, tried);
            default -> throw !handshake && isForOthers(opening.end()) ? notSpoken(dialect) : failed(opening.end());
        };
    }

    /**
     * A session that another process has opened; empty where the server no longer answers a ping in it.
     *
     * @param hello the server's description of itself from another session
     */
    public Optional<ServerSession> resume(ClientDialect dialect, ClientDialect.Hello hello, String id)
            throws TransportException {
        var session = new ServerSession(dialect, hello, Optional.of(id), connector.connection(), true);
        var ping = open(
                dialect, new Call.Ping(), session.headers(), settings.timeouts().request());
        return switch (ping.end()) {
            case ExchangeResult.Result pong -> Optional.of(session);
            case ExchangeResult.Failure refusal -> Optional.empty();
            case ExchangeResult.UnknownSession unknown -> Optional.empty();
            default -> {
                if (isForOthers(ping.end())) {
                    yield Optional.empty();
                }
                throw failed(ping.end());
            }
        };
    }

    private FirstExchange open(ClientDialect dialect, Call call, Map<String, String> more, Duration timeout)
            throws TransportException {
        var out = dialect.encode(call, settings.profile(dialect));
        var headers = new HashMap<>(out.headers());
        headers.putAll(more);
        var request = connector.request(out, headers, RequestListener.NONE);
        var late = new TransportException(
                Kind.TIMEOUT, "The server did not answer in time; check that it is an MCP server.");
        var connection = connector.connection();
        try (var alarm = request.limit(settings.time(), timeout, () -> request.drop(late))) {
            var end = ExchangeResult.of(() -> connection.exchange(request, false));
            return new FirstExchange(dialect, end, request.openedSession(), connection);
        }
    }

    /** Whether the server refuses requests of this kind, so that it may speak only generations of another era. */
    private static boolean isForOthers(ExchangeResult end) {
        return end instanceof ExchangeResult.Rejected rejected
                && rejected.status() / 100 == 4
                && !rejected.isUnauthorized();
    }

    /** "If it fails with HTTP status code 400 Bad Request, 404 Not Found, or 405 Method Not Allowed". */
    private static boolean isOfOlderTransport(ExchangeResult end) {
        return end instanceof ExchangeResult.Rejected(var status) && OLDER_TRANSPORT.contains(status);
    }

    /** The exception for a request that gave no session. */
    private static TransportException failed(ExchangeResult end) {
        return switch (end) {
            case ExchangeResult.Broken(var trouble) -> trouble;
            case ExchangeResult.Busy busy -> busy.trouble().as(Kind.UNREACHABLE);
            case ExchangeResult.Rejected rejected when rejected.isUnauthorized() -> unsupported(rejected.reason());
            case ExchangeResult.Rejected rejected ->
                new TransportException(
                        rejected.status() / 100 == 5 ? Kind.UNREACHABLE : Kind.UNUSABLE, rejected.reason());
            default -> new TransportException(Kind.UNUSABLE, "The server answered without a response.");
        };
    }

    /**
     * Agrees on a version that an error names, unless that version was tried before. Where the error names only the
     * version that it refuses, that version is tried once more. An internal error of a server refuses no version.
     */
    private ServerSession instead(ClientDialect refused, RpcError error, Set<Generation> tried)
            throws TransportException {
        var all = EnumSet.of(refused.generation());
        all.addAll(tried);
        var named = ClientDialects.versions(error);
        if (error.code() == RpcError.INTERNAL_ERROR && named.isEmpty()) {
            throw new TransportException(
                    Kind.UNREACHABLE, "The server cannot begin a session at the moment: " + error.message());
        }
        var next = shared(named, all)
                .or(() -> shared(named, tried))
                .orElseThrow(() -> named.isEmpty() ? unsupported(refused, error) : noneShared(named));
        return agree(next, all);
    }

    private ServerSession discovered(FirstExchange opening, Json result, Set<Generation> tried)
            throws TransportException {
        var hello = hello(opening.dialect(), result);
        return hello.versions().contains(opening.dialect().generation().version())
                ? new ServerSession(opening.dialect(), hello, Optional.empty(), opening.on(), false)
                : agree(shared(hello.versions(), tried).orElseThrow(() -> noneShared(hello.versions())), tried);
    }

    private ServerSession initialized(FirstExchange opening, Json result) throws TransportException {
        var asked = opening.dialect();
        var version = hello(asked, result).versions().getFirst();
        var dialect = asked.generation().version().equals(version)
                ? asked
                : Generation.of(version)
                        .map(ClientDialects::of)
                        .filter(ClientPlanner::inSession)
                        .orElseThrow(() -> noneShared(List.of(version)));
        if (settings.only().isPresent()
                && dialect.generation() != settings.only().get()) {
            throw noneShared(List.of(version));
        }
        return new ServerSession(dialect, hello(dialect, result), opening.session(), opening.on(), false);
    }

    /**
     * The version to go on with after an error that refuses the one in use: "The client SHOULD select a mutually
     * supported version from the `supported` list and retry the request".
     */
    public Optional<ClientDialect> another(RpcError error) {
        return error.code() == RpcError.UNSUPPORTED_PROTOCOL_VERSION
                ? shared(ClientDialects.versions(error), Set.of())
                : Optional.empty();
    }

    /** The newest of these versions that the client may speak and has not tried. */
    private Optional<ClientDialect> shared(List<String> versions, Set<Generation> tried) {
        return Generation.versions().stream()
                .filter(Generation::isPublished)
                .filter(generation -> !tried.contains(generation))
                .filter(generation -> versions.contains(generation.version()))
                .filter(generation ->
                        settings.only().isEmpty() || settings.only().get() == generation)
                .findFirst()
                .map(ClientDialects::of);
    }

    private static ClientDialect.Hello hello(ClientDialect dialect, Json result) throws TransportException {
        try {
            return dialect.hello(result);
        } catch (UnusableMessageException e) {
            throw new TransportException(Kind.UNUSABLE, String.valueOf(e.getMessage()), e);
        }
    }

    private static TransportException noneShared(List<String> versions) {
        return unsupported("The server and this client agree on none of the protocol versions that the server names: "
                + String.join(", ", versions) + ".");
    }

    private static TransportException notSpoken(ClientDialect dialect) {
        return unsupported("The server does not speak the protocol " + dialect.generation() + ".");
    }

    private static TransportException unsupported(ClientDialect dialect, RpcError error) {
        return unsupported("The server refuses a session of the protocol " + dialect.generation() + ": "
                + error.message() + " (" + error.code() + ").");
    }

    private static TransportException unsupported(String reason) {
        return new TransportException(Kind.UNSUPPORTED, reason);
    }
}
