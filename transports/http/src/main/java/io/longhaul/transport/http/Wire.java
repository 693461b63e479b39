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

/** The bytes of one connection. One thread may read while another thread writes; any thread may close. */
interface Wire {

    /** Blocks until bytes arrive; -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** Writes all {@code bytes}; blocks while the client does not read. */
    void write(ByteBuffer bytes) throws IOException;

    /** Ends the output. */
    void shutdownOutput() throws IOException;

    /** Whether a response can be written before the client has sent anything. */
    default boolean canWriteFirst() {
        return true;
    }

    /** Closes the connection at once, whatever is being read or written. */
    void close();

    /** Closes like {@link #close}, and drops bytes that the client has not received yet. */
    void reset();

    /** The network address of the client. */
    InetAddress address();

    /** The wire of an accepted connection. */
    static Wire of(SocketChannel channel) throws IOException {
        // Sends writes at once: with Nagle's algorithm a write would wait for a delayed acknowledgement of the one
        // before.
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
