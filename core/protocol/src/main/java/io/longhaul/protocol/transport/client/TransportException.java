// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport.client;

import io.longhaul.protocol.rpc.RequestId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server could not be reached or understood. The message is one sentence for the user that says what to do. */
public final class TransportException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What is known about the message that the client tried to send. */
    public enum Kind {
        /** The server has not seen the message: sending it again is safe. */
        UNREACHABLE,
        /** The connection broke; the server may have seen the message. */
        LOST,
        /** No answer came in time; the server may have seen the message. */
        TIMEOUT,
        /** The answer is not JSON-RPC, or exceeds a limit: sending the message again would not help. */
        UNUSABLE,
        /** The server and this client share no protocol version that the client may use. */
        UNSUPPORTED;

        /** Whether another attempt may succeed without a change at either end. */
        public boolean isPassing() {
            return this == UNREACHABLE || this == LOST || this == TIMEOUT;
        }
    }

    private final Kind kind;
    private final transient List<RequestId> answered;
    private final Duration retryAfter;

    public TransportException(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, cause, List.of(), Duration.ZERO);
    }

    public TransportException(Kind kind, String message) {
        this(kind, message, null);
    }

    private TransportException(
            Kind kind, String message, @Nullable Throwable cause, List<RequestId> answered, Duration retryAfter) {
        super(message, cause);
        this.kind = kind;
        this.answered = answered;
        this.retryAfter = retryAfter;
    }

    /**
     * The server cannot answer now, and asks the client to retry after this time; zero where the server names no time.
     */
    public static TransportException busy(Kind kind, String message, Duration retryAfter) {
        return new TransportException(kind, message, null, List.of(), retryAfter);
    }

    /** An unusable message came on a lasting connection, as the answer to these requests. */
    public static TransportException unusable(String message, List<RequestId> answered) {
        return new TransportException(Kind.UNUSABLE, message, null, List.copyOf(answered), Duration.ZERO);
    }

    /** The same failure with another kind. */
    public TransportException as(Kind known) {
        return new TransportException(known, String.valueOf(getMessage()), this, answered, retryAfter);
    }

    /** The requests that get no answer because of this failure; empty where they are not known. */
    public List<RequestId> answered() {
        return answered;
    }

    /** The time after which the server asks the client to retry; zero where the server names no time. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** What is known about the message. */
    public Kind kind() {
        return kind;
    }
}
