// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.rpc.RpcError;

/** The server answered with a JSON-RPC error. */
public final class RefusedException extends McpClientException {

    private static final long serialVersionUID = 1L;

    private final transient RpcError error;

    public RefusedException(RpcError error) {
        super("The server refused: " + error.message() + " (" + error.code() + ")", null);
        this.error = error;
    }

    /** The error as the server sent it. */
    public RpcError error() {
        return error;
    }
}
