// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import org.jspecify.annotations.Nullable;

/**
 * The client could not answer a question: it answered with an error, or did not declare that it supports such
 * questions.
 */
public final class ClientException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient @Nullable Object data;

    /**
     * @param code the JSON-RPC error code
     * @param data details of the error, written as JSON; null for none
     */
    public ClientException(int code, String message, @Nullable Object data) {
        super(message);
        this.code = code;
        this.data = data;
    }

    /** The JSON-RPC error code. */
    public int code() {
        return code;
    }

    public @Nullable Object data() {
        return data;
    }
}
