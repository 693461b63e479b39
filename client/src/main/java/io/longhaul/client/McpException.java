package io.longhaul.client;

import org.jspecify.annotations.Nullable;

/** What can go wrong between a client and its server. The message is one sentence for the user that says what to do. */
public abstract sealed class McpException extends RuntimeException
        permits ServerUnreachableException, UnsupportedByServerException, RefusedException, UnusableAnswerException {

    private static final long serialVersionUID = 1L;

    McpException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
