// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import org.jspecify.annotations.Nullable;

/** The server cannot be reached or started, or was away for longer than the client's timeout. */
public final class ServerUnreachableException extends McpClientException {

    private static final long serialVersionUID = 1L;

    public ServerUnreachableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
