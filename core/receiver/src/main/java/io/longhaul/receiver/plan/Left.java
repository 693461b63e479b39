// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

/** How a request ended before its response. */
public enum Left {
    /** The client gave it up, and the task of a call ends with it. */
    CANCELLED,
    /** The client gave it up because of a timeout, and its task goes on. */
    TIMED_OUT,
    /** Its connection is gone, and its task goes on: the client may come back. */
    STOPPED,
    /** Its session or the server ends, and its task goes on: the client waits for the response. */
    CLOSED
}
