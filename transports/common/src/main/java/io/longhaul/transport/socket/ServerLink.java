// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.socket;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** The connection of a {@code Relay} to the server of another process. Thread-safe. */
public final class ServerLink {

    /** The outcome of an attempt to connect. */
    public sealed interface Attempt {
        /** The server serves this process. */
        record Connected(ServerLink link) implements Attempt {}

        /**
         * A server listens, and refuses to serve this process.
         *
         * @param reason the reason that the server gives, for a person
         */
        record Refused(String reason) implements Attempt {}

        /** No server listens at the path. */
        record Nobody() implements Attempt {}
    }

    private final SocketChannel channel;

    private ServerLink(SocketChannel channel) {
        this.channel = channel;
    }

    /**
     * Connects to the {@code LocalSocket} at {@code path}. Blocks until the server has answered.
     *
     * @param card one line by which the server decides whether it serves this process
     */
    public static Attempt connect(Path path, String card) {
        SocketChannel channel;
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        } catch (IOException | UnsupportedOperationException e) {
            return new Attempt.Nobody();
        }
        try {
            channel.connect(UnixDomainSocketAddress.of(new SocketPlace(path).real()));
            SocketProtocol.write(Channels.newOutputStream(channel), card);
            String answer = SocketProtocol.read(Channels.newInputStream(channel));
            if (answer.equals(SocketProtocol.WELCOME)) {
                return new Attempt.Connected(new ServerLink(channel));
            }
            channel.close();
            return answer.startsWith(SocketProtocol.REFUSED)
                    ? new Attempt.Refused(answer.substring(SocketProtocol.REFUSED.length()))
                    : new Attempt.Nobody();
        } catch (IOException e) {
            close(channel);
            return new Attempt.Nobody();
        }
    }

    public InputStream in() {
        return Channels.newInputStream(channel);
    }

    public OutputStream out() {
        return Channels.newOutputStream(channel);
    }

    /** Tells the server that no more messages follow. The server still sends its open answers. */
    public void finish() {
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            close(channel);
        }
    }

    public void close() {
        close(channel);
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The link is of no use any more either way.
        }
    }
}
