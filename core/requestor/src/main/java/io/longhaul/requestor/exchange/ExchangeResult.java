// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import static io.longhaul.protocol.transport.client.TransportException.Kind.TIMEOUT;
import static io.longhaul.protocol.transport.client.TransportException.Kind.UNREACHABLE;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.client.TransportException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How one exchange with a server ended. Only this class interprets HTTP statuses and failures of a transport. */
public sealed interface ExchangeResult {

    int REQUEST_TIMEOUT = 408;
    int TOO_MANY_REQUESTS = 429;
    int NOT_IMPLEMENTED = 501;
    int UNAVAILABLE = 503;
    int VERSION_NOT_SUPPORTED = 505;

    record Result(Json result) implements ExchangeResult {}

    record Failure(RpcError error) implements ExchangeResult {}

    /** The server took a message that has no response. */
    record Accepted() implements ExchangeResult {}

    /** The server no longer knows the session of the message; it may have added an error. */
    record UnknownSession(@Nullable RpcError error) implements ExchangeResult {}

    /**
     * The server cannot answer at the moment, or it or a gateway before it has failed.
     *
     * @param retryAfter how long the server wants the client to wait; null where the server does not say
     */
    record Busy(int status, @Nullable Duration retryAfter) implements ExchangeResult {

        /** The trouble to report to the call. */
        public TransportException trouble() {
            var when = retryAfter == null ? "." : ", and wants to be asked again in " + retryAfter.toSeconds() + " s.";
            return TransportException.busy(
                    mayHaveBegun() ? TIMEOUT : UNREACHABLE,
                    "The server cannot answer at the moment (HTTP " + status + ")" + when,
                    Objects.requireNonNullElse(retryAfter, Duration.ZERO));
        }

        /**
         * Whether the server may have begun the call. A server that limits rates or says when to come back has not; any
         * other status may come from a gateway that lost the server.
         */
        private boolean mayHaveBegun() {
            return status != TOO_MANY_REQUESTS && !(status == UNAVAILABLE && retryAfter != null);
        }
    }

    /** The server answered with an HTTP status that is no success, and without a JSON-RPC message. */
    record Rejected(int status) implements ExchangeResult {

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

    /** No answer came, or the answer cannot be read. */
    record Broken(TransportException trouble) implements ExchangeResult {}

    /** One exchange, or a part of it. Blocks. */
    interface Attempt<T> {
        T run() throws TransportException;
    }

    static ExchangeResult of(Attempt<ExchangeResult> attempt) {
        try {
            return attempt.run();
        } catch (TransportException e) {
            return new Broken(e);
        }
    }

    /**
     * @param inSession  whether the message named a session
     * @param retryAfter how long the server wants the client to wait; null where the server does not say
     */
    static ExchangeResult ofStatus(int status, boolean inSession, @Nullable Duration retryAfter) {
        return switch (status) {
            case 404 -> inSession ? new UnknownSession(null) : new Rejected(status);
            case REQUEST_TIMEOUT, TOO_MANY_REQUESTS -> new Busy(status, retryAfter);
            case NOT_IMPLEMENTED, VERSION_NOT_SUPPORTED -> new Rejected(status);
            default ->
                switch (status / 100) {
                    case 2 -> new Accepted();
                    case 5 -> new Busy(status, retryAfter);
                    default -> new Rejected(status);
                };
        };
    }

    /**
     * Whether a status takes precedence over an error in the body: the same request may succeed with a token, later, or
     * at another address.
     */
    static boolean isOfHttp(int status) {
        return status == 401 || status == 405 || status == TOO_MANY_REQUESTS || status == UNAVAILABLE;
    }

    /** @param inSession whether the message named a session */
    static ExchangeResult ofError(RpcError error, int status, boolean inSession) {
        return status == 404 && inSession ? new UnknownSession(error) : new Failure(error);
    }
}
