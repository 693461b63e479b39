// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

/**
 * What a repeated call means: a host that knows no tasks calls again with the same arguments, and no client has
 * received the result of the first call, because the host gave the call up or the call was handed over to the model.
 */
public enum WhenRepeated {
    /** The repeated call joins the task of the first call. */
    JOIN,
    /** The repeated call creates a new task. */
    RUN
}
