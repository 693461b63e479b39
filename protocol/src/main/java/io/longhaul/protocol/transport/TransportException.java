// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import io.longhaul.protocol.rpc.RequestId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server could not be reached or understood. The message is one sentence for the user that says what to do. */
public final class TransportException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What is known of the message that was to be sent. */
    public enum Kind {
        /** The server has not seen it: it is safe to send it again. */
        UNREACHABLE,
        /** The connection broke; the server may have seen it. */
        LOST,
        /** Nothing came in time; the server may have seen it. */
        TIMEOUT,
        /** What came is no JSON-RPC or is over a limit: sending it again would not help. */
        UNUSABLE,
        /** The server can be understood, and speaks nothing that this client may speak. */
        UNSUPPORTED;

        /** Whether another try may succeed without a change at either end. */
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

    /** The server cannot answer now, and wants to be asked again after this time; zero where it does not say. */
    public static TransportException busy(Kind kind, String message, Duration retryAfter) {
        return new TransportException(kind, message, null, List.of(), retryAfter);
    }

    /** A message came on a lasting connection that cannot be used, and would have answered these requests. */
    public static TransportException unusable(String message, List<RequestId> answered) {
        return new TransportException(Kind.UNUSABLE, message, null, List.copyOf(answered), Duration.ZERO);
    }

    /** The same trouble for a message of which something else is known. */
    public TransportException as(Kind known) {
        return new TransportException(known, String.valueOf(getMessage()), this, answered, retryAfter);
    }

    /** The requests that get no answer any more because of this; none where they cannot be told. */
    public List<RequestId> answered() {
        return answered;
    }

    /** How long the server wants the client to wait before it asks again; zero where it does not say. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** What is known of the message. */
    public Kind kind() {
        return kind;
    }
}
