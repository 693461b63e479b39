// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

/**
 * Another process, or another store of this process, has opened storage that allows one holder. The message names the
 * holder.
 */
public final class StoreInUseException extends StoreException {

    private static final long serialVersionUID = 1L;

    public StoreInUseException(String message) {
        super(message);
    }
}
