package io.longhaul.requestor;

import static io.longhaul.protocol.transport.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.TransportException.Kind.UNREACHABLE;

import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.TransportException;
import java.util.Optional;
import java.util.Set;

/** What keeps a response from being the answer to a call. */
sealed interface Hurdle {

    /** It is the answer. */
    record None() implements Hurdle {}

    /** The server wants to be asked later. */
    record Busy(TransportException trouble) implements Hurdle {}

    /** The session is over, or the server speaks another version: {@code next} is to be agreed on. */
    record Void(ClientDialect next, TransportException trouble) implements Hurdle {}

    /**
     * What is in the way of a response.
     *
     * @param agreedAnew whether a session was opened for this very call: an error that comes all the same is its answer
     */
    static Hurdle of(Session used, Response response, boolean agreedAnew, Greeting greeting) {
        if (isSessionGone(used, response) && !(agreedAnew && response instanceof Response.Failure)) {
            return new Void(
                    used.dialect(),
                    new TransportException(LOST, "The server knows no session that it has just opened (HTTP 404)."));
        }
        if (isBusy(response)) {
            return new Busy(new TransportException(UNREACHABLE, "The server cannot answer at the moment."));
        }
        return otherVersion(response, greeting)
                .<Hurdle>map(next -> new Void(
                        next,
                        new TransportException(
                                LOST, "The server refuses each protocol version that it says to speak.")))
                .orElseGet(None::new);
    }

    /** "The client SHOULD select a mutually supported version from the `supported` list and retry the request". */
    private static Optional<ClientDialect> otherVersion(Response response, Greeting greeting) {
        return response instanceof Response.Failure(var error, var status)
                        && error.code() == RpcError.UNSUPPORTED_PROTOCOL_VERSION
                ? greeting.shared(ClientDialects.versions(error), Set.of())
                : Optional.empty();
    }

    static boolean isBusy(Response response) {
        return response instanceof Response.Status(var status)
                && (status == 429 || status == 502 || status == 503 || status == 504);
    }

    static boolean isSessionGone(Session used, Response response) {
        var status = switch (response) {
            case Response.Result result -> 200;
            case Response.Failure(var error, var code) -> code;
            case Response.Status(var code) -> code;
        };
        return status == 404 && used.id().isPresent();
    }
}
