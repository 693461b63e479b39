// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.rpc.RpcError;

/** A request that a generation does not have, or not for this request; a notification of that kind is ignored. */
public final class UnreadableCallException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient RpcError error;
    private final int httpStatus;

    public UnreadableCallException(RpcError error, int httpStatus) {
        super(error.message(), null, false, false);
        this.error = error;
        this.httpStatus = httpStatus;
    }

    /** The error for the sender. */
    public RpcError error() {
        return error;
    }

    public int httpStatus() {
        return httpStatus;
    }
}
