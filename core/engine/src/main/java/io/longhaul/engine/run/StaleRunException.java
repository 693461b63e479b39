// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

/**
 * This attempt has lost its right to the task: the task was cancelled, has timed out, is suspended, or runs at another
 * node now.
 */
public final class StaleRunException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StaleRunException(String message) {
        super(message, null, false, false);
    }
}
