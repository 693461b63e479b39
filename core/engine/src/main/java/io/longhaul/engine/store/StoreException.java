// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

/** The storage itself failed. The message is for the operator, never for a peer. */
public sealed class StoreException extends RuntimeException
        permits StoreInUseException, StoreFullException, StoreUnreachableException {

    private static final long serialVersionUID = 1L;

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
