// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import org.jspecify.annotations.Nullable;

/**
 * The client could not answer a question: it answered with an error, or did not declare that it supports such
 * questions.
 */
public final class ClientException extends McpException {

    private static final long serialVersionUID = 1L;

    /**
     * @param code the JSON-RPC error code
     * @param data details of the error, written as JSON; null for none
     */
    public ClientException(int code, String message, @Nullable Object data) {
        super(code, message, data);
    }
}
