// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.tool;

import io.longhaul.protocol.rpc.RpcError;

/** Ends a call with a JSON-RPC error. */
public final class RpcException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient RpcError error;

    public RpcException(RpcError error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    public RpcError error() {
        return error;
    }
}
