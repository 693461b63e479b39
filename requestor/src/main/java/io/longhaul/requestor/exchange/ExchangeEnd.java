package io.longhaul.requestor.exchange;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * How one exchange with a server ended. HTTP statuses and failures of a transport are read here and nowhere else.
 */
public sealed interface ExchangeEnd {

    record Result(Json result) implements ExchangeEnd {}

    record Failure(RpcError error) implements ExchangeEnd {}

    /** The server took a message that has no response. */
    record Accepted() implements ExchangeEnd {}

    /** The server does not know the session of the message any more; it may have added an error. */
    record UnknownSession(@Nullable RpcError error) implements ExchangeEnd {}

    /** The server cannot answer at the moment. */
    record Busy(int status) implements ExchangeEnd {

        /** Whether a gateway says so, behind which the server may have begun the call. */
        public boolean mayHaveBegun() {
            return status == 502 || status == 504;
        }
    }

    /** The server answered with an HTTP status that is no success, and without a JSON-RPC message. */
    record Rejected(int status) implements ExchangeEnd {

        /** Whether the server wants an authorization. */
        public boolean isUnauthorized() {
            return status == 401 || status == 403;
        }

        /** One sentence for the user. */
        public String reason() {
            return isUnauthorized()
                    ? "The server wants an authorization (HTTP " + status + "): log in there, or give a token."
                    : "The server answered HTTP " + status + "; check that the address is that of an MCP endpoint.";
        }
    }

    /** No answer came, or none that can be read. */
    record Broken(TransportException trouble) implements ExchangeEnd {}

    /** One exchange, or a part of it. Blocks. */
    interface Attempt<T> {
        T run() throws TransportException;
    }

    /** Runs an exchange to its end. */
    static ExchangeEnd of(Attempt<ExchangeEnd> attempt) {
        try {
            return attempt.run();
        } catch (TransportException e) {
            return new Broken(e);
        }
    }

    /** @param inSession whether the message named a session */
    static ExchangeEnd ofStatus(int status, boolean inSession) {
        return switch (status) {
            case 404 -> inSession ? new UnknownSession(null) : new Rejected(status);
            case 429, 502, 503, 504 -> new Busy(status);
            default -> status / 100 == 2 ? new Accepted() : new Rejected(status);
        };
    }

    /** @param inSession whether the message named a session */
    static ExchangeEnd ofError(RpcError error, int status, boolean inSession) {
        return status == 404 && inSession ? new UnknownSession(error) : new Failure(error);
    }
}
