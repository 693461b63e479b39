// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.ServerTransport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** A web server with one transport of MCP, at {@code /mcp} of a loopback address. */
interface Site extends AutoCloseable {

    /** What the tests bring with them, short enough to see it end. */
    Duration KEEP_ALIVE = Duration.ofMillis(100);

    Duration TIMEOUT = Duration.ofMillis(500);

    WireLimits LIMITS = new WireLimits(4_000, 64, 10, Duration.ofHours(1), 10);

    /** A download that breaks off. */
    io.longhaul.transport.Site PAGES = io.longhaul.transport.Site.NONE.downloaded(
            "/broken/",
            (rest, range) -> new io.longhaul.transport.Site.Content(
                    200,
                    Map.of(),
                    new SequenceInputStream(new ByteArrayInputStream(new byte[] {'a'}), new Breaking())));

    /** A source that cannot be read. */
    final class Breaking extends InputStream {
        @Override
        public int read() throws IOException {
            throw new IOException("broken off");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            throw new IOException("broken off");
        }
    }

    /** The transport, not started. */
    ServerTransport transport();

    /** Listens; after the start of the transport. */
    void open() throws Exception;

    URI url();

    /** Ends the web server. */
    @Override
    void close() throws Exception;
}
