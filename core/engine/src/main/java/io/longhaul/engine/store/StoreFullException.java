// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

/**
 * The disk has no room for a write: nothing of that write was stored, and reads go on. The store itself tells the
 * operator, so that its callers need not log each write that fails.
 */
public final class StoreFullException extends StoreException {

    private static final long serialVersionUID = 1L;

    public StoreFullException(String message) {
        super(message);
    }

    public StoreFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
