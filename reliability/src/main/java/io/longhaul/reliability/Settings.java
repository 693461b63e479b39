// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * How long servers and clients are tortured.
 *
 * @param time  after which no further fault begins
 * @param kills after which no further fault begins, be they of servers or of clients
 * @param calls after which no further fault begins
 * @param crowd how many clients come back at once
 * @param seed  of the order of faults: the moments at which they fall are chance all the same
 * @param nodes the servers over a database; empty for one over a file
 */
public record Settings(Duration time, int kills, int calls, int crowd, long seed, Optional<Nodes> nodes) {

    /**
     * Several servers over one database, which has no tasks yet.
     *
     * @param count    of the servers, two at least
     * @param database its address, as the JDBC driver of PostgreSQL takes it; the password is in
     *                 {@link Stored#PASSWORD}
     * @param restart  of the database, once, in the middle; empty where nobody can
     */
    public record Nodes(int count, String database, Optional<Restart> restart) {}

    /** Restarts a database, and returns when it has begun to start. */
    @FunctionalInterface
    public interface Restart {
        void run() throws IOException, InterruptedException;
    }
}
