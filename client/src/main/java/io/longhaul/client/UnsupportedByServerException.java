package io.longhaul.client;

/** The server, in the generation it speaks, has nothing for what was asked of it. */
public final class UnsupportedByServerException extends McpException {

    private static final long serialVersionUID = 1L;

    UnsupportedByServerException(String message) {
        super(message, null);
    }
}
