package io.longhaul.requestor.connect;

import org.jspecify.annotations.Nullable;

/** No session with a server could be agreed on. The message is one sentence for the user. */
public final class ConnectException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Kind {
        UNREACHABLE,
        UNSUPPORTED,
        UNUSABLE
    }

    private final Kind kind;

    public ConnectException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
