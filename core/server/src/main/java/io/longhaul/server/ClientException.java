// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.tool.RpcException;

/**
 * The client could not answer a question: it answered with an error, or did not declare that it supports such
 * questions.
 */
public final class ClientException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient RpcError error;

    ClientException(RpcError error) {
        super(error.message());
        this.error = error;
    }

    /** The JSON-RPC error code. */
    public int code() {
        return error.code();
    }

    RpcException asEnd() {
        return new RpcException(error);
    }

    RpcError error() {
        return error;
    }
}
