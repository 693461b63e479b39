// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

/**
 * What a call means that is made again with the same arguments by a host that knows no tasks, while no client has
 * received the result of the first call, which the host has given up or which was handed over to the model.
 */
public enum WhenRepeated {
    /** The task of the first call. */
    JOIN,
    /** A new run. */
    RUN
}
