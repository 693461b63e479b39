package io.longhaul.requestor;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.TransportException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out what a server speaks, and agrees on it: the newest first, and the handshake of older ones where that
 * fails.
 */
final class Greeting {

    private final Channel channel;
    private final Settings settings;

    Greeting(Channel channel, Settings settings) {
        this.channel = channel;
        this.settings = settings;
    }

    /** Agrees with a server of which nothing is known. */
    Session detect() throws RequestorException, TransportException {
        if (settings.only().isPresent()) {
            return agree(ClientDialects.of(settings.only().get()));
        }
        var newest = ClientDialects.newest();
        Answered answered;
        try {
            answered = ask(newest, new Call.Discover(), channel.line().line().isLasting() ? probe() : quick());
        } catch (TransportException e) {
            if (e.kind() == TransportException.Kind.TIMEOUT
                    && channel.line().line().isLasting()) {
                return agree(ClientDialects.newestHandshake());
            }
            throw e;
        }
        return switch (answered.response()) {
            case Response.Result(var result) -> discovered(newest, result, answered);
            case Response.Failure(var error, var status) -> afterError(newest, error);
            case Response.Status(var status)
            when status / 100 == 4 && status != 401 && status != 403 -> agree(ClientDialects.newestHandshake());
            case Response.Status(var status) -> throw refused(status);
        };
    }

    /** Agrees on one generation, or on another one that the server prefers, or names as one that it speaks. */
    Session agree(ClientDialect dialect) throws RequestorException, TransportException {
        return agree(dialect, Set.of());
    }

    private Session agree(ClientDialect dialect, Set<Generation> tried) throws RequestorException, TransportException {
        if (!dialect.traits().sessions()) {
            var answered = ask(dialect, new Call.Discover(), quick());
            return switch (answered.response()) {
                case Response.Result(var result) -> discovered(dialect, result, answered);
                case Response.Failure(var error, var status) -> instead(dialect, error, tried);
                case Response.Status(var status)
                when status / 100 == 4 && status != 401 && status != 403 ->
                    throw new RequestorException(
                            RequestorException.Kind.UNSUPPORTED,
                            "The server does not speak the protocol " + dialect.generation() + ".",
                            null);
                case Response.Status(var status) -> throw refused(status);
            };
        }
        var call = new Call.Initialize(dialect.generation().version(), me(dialect));
        var answered = ask(dialect, call, quick());
        return switch (answered.response()) {
            case Response.Result(var result) -> initialized(dialect, result, answered);
            case Response.Failure(var error, var status) -> instead(dialect, error, tried);
            case Response.Status(var status) -> throw refused(status);
        };
    }

    /** Agrees on a version that an error names, unless it was tried before. */
    private Session instead(ClientDialect refused, RpcError error, Set<Generation> tried)
            throws RequestorException, TransportException {
        var all = EnumSet.of(refused.generation());
        all.addAll(tried);
        var next = shared(ClientDialects.versions(error), all).orElseThrow(() -> unsupported(refused, error));
        return agree(next, all);
    }

    private Session discovered(ClientDialect dialect, Json result, Answered answered)
            throws RequestorException, TransportException {
        var hello = hello(dialect, result);
        if (!hello.versions().contains(dialect.generation().version())) {
            return choose(hello.versions());
        }
        return new Session(dialect, hello, Optional.empty(), answered.epoch());
    }

    private Session initialized(ClientDialect asked, Json result, Answered answered)
            throws RequestorException, TransportException {
        var hello = hello(asked, result);
        var version = hello.versions().getFirst();
        var dialect = asked.generation().version().equals(version)
                ? asked
                : Generation.of(version)
                        .map(ClientDialects::of)
                        .filter(other -> other.traits().sessions())
                        .orElseThrow(() -> noneShared(List.of(version)));
        if (settings.only().isPresent()
                && dialect.generation() != settings.only().get()) {
            throw noneShared(List.of(version));
        }
        var session =
                new Session(dialect, hello(dialect, result), answered.sent().session(), answered.epoch());
        var ready = dialect.encode(new Call.Initialized(), me(dialect));
        channel.line()
                .line()
                .tell(
                        Wire.encode(new JsonRpcMessage.Notification(ready.method(), ready.params())),
                        session.with(ready.headers()));
        return session;
    }

    private Session afterError(ClientDialect newest, RpcError error) throws RequestorException, TransportException {
        var supported = newest.supported(error);
        if (supported.isEmpty()) {
            return agree(ClientDialects.newestHandshake());
        }
        if (supported.get().isEmpty()) {
            throw unsupported(newest, error);
        }
        return choose(supported.get());
    }

    /** An older version is preferred to the newest, which has failed, unless it alone is named. */
    private Session choose(List<String> versions) throws RequestorException, TransportException {
        var newest = ClientDialects.newest();
        var older = shared(versions, Set.of(newest.generation()));
        return agree(older.or(() -> shared(versions, Set.of())).orElseThrow(() -> noneShared(versions)));
    }

    /** The newest of these versions that we speak and may speak, and that was not tried. */
    Optional<ClientDialect> shared(List<String> versions, Set<Generation> tried) {
        return Generation.versions().stream()
                .filter(Generation::isPublished)
                .filter(generation -> !tried.contains(generation))
                .filter(generation -> versions.contains(generation.version()))
                .filter(generation ->
                        settings.only().isEmpty() || settings.only().get() == generation)
                .findFirst()
                .map(ClientDialects::of);
    }

    ClientProfile me(ClientDialect dialect) {
        return new ClientProfile(
                dialect.generation().version(), settings.answerer().capabilities(), settings.info());
    }

    private record Answered(Response response, Sent sent, int epoch) {}

    private Answered ask(ClientDialect dialect, Call call, Duration patience) throws TransportException {
        var out = dialect.encode(call, me(dialect));
        var id = channel.nextId();
        var sent = new Sent(
                id, Wire.encode(new JsonRpcMessage.Request(id, out.method(), out.params())), out.headers(), null);
        var opened = channel.line();
        try (var alarm = settings.time().after(patience, () -> sent.drop(timeout()))) {
            return new Answered(opened.line().ask(sent, false), sent, opened.epoch());
        }
    }

    private static TransportException timeout() {
        return new TransportException(
                TransportException.Kind.TIMEOUT, "The server did not answer in time; check that it is an MCP server.");
    }

    private Duration probe() {
        return settings.patience().probe();
    }

    private Duration quick() {
        return settings.patience().request();
    }

    private static ClientDialect.Hello hello(ClientDialect dialect, Json result) throws RequestorException {
        try {
            return dialect.hello(result);
        } catch (UnusableMessageException e) {
            throw new RequestorException(RequestorException.Kind.UNUSABLE, String.valueOf(e.getMessage()), e);
        }
    }

    private static RequestorException noneShared(List<String> versions) {
        return new RequestorException(
                RequestorException.Kind.UNSUPPORTED,
                "The server speaks none of the protocol versions that this client may speak, but "
                        + String.join(", ", versions) + ".",
                null);
    }

    private static RequestorException unsupported(ClientDialect dialect, RpcError error) {
        return new RequestorException(
                RequestorException.Kind.UNSUPPORTED,
                "The server does not speak the protocol " + dialect.generation() + " with us: " + error.message() + " ("
                        + error.code() + ").",
                null);
    }

    private static RequestorException refused(int status) {
        return status == 401 || status == 403
                ? new RequestorException(
                        RequestorException.Kind.UNSUPPORTED,
                        "The server wants an authorization (HTTP " + status + "), which this client cannot give.",
                        null)
                : new RequestorException(
                        status / 100 == 5 ? RequestorException.Kind.UNREACHABLE : RequestorException.Kind.UNUSABLE,
                        "The server answered HTTP " + status + "; check that the address is that of an MCP endpoint.",
                        null);
    }
}
