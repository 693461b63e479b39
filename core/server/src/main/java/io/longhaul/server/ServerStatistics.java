// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.TaskStatistics;
import io.longhaul.protocol.transport.TransportLoad;
import java.time.Instant;
import java.util.List;

/**
 * Counts of the tasks, sessions and connections of a server at one moment, counted in memory.
 *
 * @param at       the time of the counts, on the server's clock
 * @param tasks    the tasks by tool and state
 * @param sessions the sessions of lasting connections, and the sessions over HTTP that are in memory
 * @param open     the connections and streams of the transports that count them: HTTP, and the socket of other windows
 * @param upstreams the servers behind this one, in their order; none where it is no gateway
 */
public record ServerStatistics(
        Instant at, TaskStatistics tasks, int sessions, TransportLoad open, List<UpstreamStatistics> upstreams) {
    public ServerStatistics {
        upstreams = List.copyOf(upstreams);
    }
}
