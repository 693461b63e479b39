// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.ServerTransport;
import java.net.URI;
import java.time.Duration;

/** A web server with one transport of MCP, at {@code /mcp} of a loopback address. */
interface Site extends AutoCloseable {

    /** What the tests bring with them, short enough to see it end. */
    Duration KEEP_ALIVE = Duration.ofMillis(100);

    Duration TIMEOUT = Duration.ofMillis(500);

    WireLimits LIMITS = new WireLimits(4_000, 64, 10, Duration.ofHours(1), 10);

    /** The transport, not started. */
    ServerTransport transport();

    /** Listens; after the start of the transport. */
    void open() throws Exception;

    URI url();

    /** Ends the web server. */
    @Override
    void close() throws Exception;
}
