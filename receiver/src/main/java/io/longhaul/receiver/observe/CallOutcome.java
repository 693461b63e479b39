// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

/** How a call of a tool ended. */
public enum CallOutcome {
    RESULT,
    /** A result in which the tool says that it failed. */
    TOOL_ERROR,
    /** A JSON-RPC error. */
    ERROR,
    /** Refused before the tool was called. */
    REFUSED,
    /** The round ended with questions; the client calls again with the answers. */
    ASKED,
    /** Cancelled, or given up by its client. */
    CANCELLED,
    /** The work of a task was interrupted and is not run again, ran for too long, or was not answered. */
    FAILED
}
