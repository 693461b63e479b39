// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * How long servers and clients are tortured.
 *
 * @param time  after which no further fault begins
 * @param kills of servers and clients, after which no further fault begins
 * @param load  what the clients do meanwhile
 * @param seed  of the order of faults; the moments of the faults are random in any case
 * @param nodes the servers over a database; empty for one server over a file
 */
public record Settings(Duration time, int kills, Load load, long seed, Optional<Nodes> nodes) {

    /**
     * What clients do to the servers.
     *
     * @param calls after which no further fault begins
     * @param crowd the number of clients that come back at once
     * @param pause between two calls of one client, which leaves some of the processors to others
     */
    public record Load(int calls, int crowd, Duration pause) {}

    /**
     * Several servers over one database, which has no tasks yet.
     *
     * @param count    the number of servers, at least two
     * @param database the address for the JDBC driver of PostgreSQL; the password is in {@link Stored#PASSWORD}
     * @param restart  restarts the database, once, in the middle; empty where that is not possible
     */
    public record Nodes(int count, String database, Optional<Restart> restart) {}

    /** Restarts a database, and returns when the database has begun to start. */
    @FunctionalInterface
    public interface Restart {
        void run() throws IOException, InterruptedException;
    }
}
