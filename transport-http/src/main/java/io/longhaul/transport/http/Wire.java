// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The bytes of one connection. One thread may read while another one writes; any may close. */
interface Wire {

    /** Blocks until there are bytes; -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** Writes all of {@code bytes}; blocks while the client does not take them. */
    void write(ByteBuffer bytes) throws IOException;

    /** Tells the client that nothing follows. */
    void shutdownOutput() throws IOException;

    /** Ends the connection under whatever is going on. */
    void close();

    /** As {@link #close}, and what is on its way to the client is not kept for it. */
    void reset();

    /** The network address of the client. */
    InetAddress address();

    /** A connection that was accepted. */
    static Wire of(SocketChannel channel) throws IOException {
        // What is written goes out at once: a peer acknowledges late what it takes for the first half of something.
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (channel.getRemoteAddress() instanceof InetSocketAddress remote) {
            return new Socket(channel, remote.getAddress());
        }
        throw new IOException("The client has left");
    }

    /** The wire of a socket. */
    record Socket(SocketChannel channel, InetAddress address) implements Wire {

        private static final Logger LOG = LoggerFactory.getLogger(Wire.class);

        @Override
        public int read(ByteBuffer into) throws IOException {
            return channel.read(into);
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        @Override
        public void shutdownOutput() throws IOException {
            channel.shutdownOutput();
        }

        @Override
        public void reset() {
            try {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            } catch (IOException e) {
                LOG.debug("A connection was closed already: {}", e.toString());
            }
            close();
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.debug("A connection was not closed in order", e);
            }
        }
    }
}
