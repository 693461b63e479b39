package io.longhaul.requestor;

import org.jspecify.annotations.Nullable;

/** No conversation with a server could be opened. The message is one sentence for the user. */
public final class RequestorException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Kind {
        UNREACHABLE,
        UNSUPPORTED,
        UNUSABLE
    }

    private final Kind kind;

    RequestorException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
