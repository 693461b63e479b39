// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

/** Ends a call with a result that says it is an error: its message is for the model, which can try something else. */
public final class ToolException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ToolException(String message) {
        super(message);
    }

    /** The cause goes nowhere but to the log. */
    public ToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
