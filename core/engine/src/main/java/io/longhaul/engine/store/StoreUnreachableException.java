// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

/** The storage cannot be reached at this moment; a later attempt may succeed. */
public final class StoreUnreachableException extends StoreException {

    private static final long serialVersionUID = 1L;

    public StoreUnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
