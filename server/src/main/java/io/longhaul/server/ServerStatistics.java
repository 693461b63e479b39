// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.TaskStatistics;
import io.longhaul.protocol.transport.TransportLoad;
import java.time.Instant;

/**
 * What a server has to do at one moment, counted in memory.
 *
 * @param at       this moment, on the server's clock
 * @param tasks    by tool and state
 * @param sessions those of lasting connections, and those over HTTP that are in memory
 * @param open     connections and streams of the transports that count theirs: HTTP, and the socket of other windows
 */
public record ServerStatistics(Instant at, TaskStatistics tasks, int sessions, TransportLoad open) {}
