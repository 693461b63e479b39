// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

/** Ends a call with an error result, {@code isError}. The message is for the model, which can try something else. */
public sealed class ToolException extends RuntimeException permits DeclinedException {

    private static final long serialVersionUID = 1L;

    public ToolException(String message) {
        super(message);
    }

    /** The cause goes to the log only. */
    public ToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
