package io.longhaul.protocol.transport;

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
        UNUSABLE
    }

    private final Kind kind;

    public TransportException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public TransportException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** What is known of the message. */
    public Kind kind() {
        return kind;
    }
}
