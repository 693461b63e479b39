// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import org.jspecify.annotations.Nullable;

/** Ends a call with a JSON-RPC error, for the calling program rather than for its model. */
public sealed class McpException extends RuntimeException permits ClientException {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient @Nullable Object data;

    public McpException(int code, String message) {
        this(code, message, null);
    }

    /**
     * @param code    the JSON-RPC error code
     * @param message one sentence for the caller
     * @param data    details of the error, written as JSON; null for none
     */
    public McpException(int code, String message, @Nullable Object data) {
        super(message);
        this.code = code;
        this.data = data;
    }

    public int code() {
        return code;
    }

    public @Nullable Object data() {
        return data;
    }
}
