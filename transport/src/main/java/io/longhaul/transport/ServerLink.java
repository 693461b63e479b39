// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A way from a {@link Relay} to the server of another process. Thread-safe. */
public final class ServerLink {

    /** What became of an attempt to connect. */
    public sealed interface Attempt {
        /** The server lets us in. */
        record Connected(ServerLink link) implements Attempt {}

        /**
         * There is a server, and it does not serve us.
         *
         * @param reason as the server gives it, for a person
         */
        record Refused(String reason) implements Attempt {}

        /** No server listens there, or not any more. */
        record Nobody() implements Attempt {}
    }

    private final SocketChannel channel;

    private ServerLink(SocketChannel channel) {
        this.channel = channel;
    }

    /**
     * Connects to the {@link LocalSocket} at {@code path}. Blocks until it has answered.
     *
     * @param card what the server judges us by, one line
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
            Greeting.write(Channels.newOutputStream(channel), card);
            String answer = Greeting.read(Channels.newInputStream(channel));
            if (answer.equals(Greeting.WELCOME)) {
                return new Attempt.Connected(new ServerLink(channel));
            }
            channel.close();
            return answer.startsWith(Greeting.REFUSED)
                    ? new Attempt.Refused(answer.substring(Greeting.REFUSED.length()))
                    : new Attempt.Nobody();
        } catch (IOException e) {
            close(channel);
            return new Attempt.Nobody();
        }
    }

    InputStream in() {
        return Channels.newInputStream(channel);
    }

    OutputStream out() {
        return Channels.newOutputStream(channel);
    }

    /** Tells the server that no more comes; it still sends the answers that it has. */
    void finish() {
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            close(channel);
        }
    }

    void close() {
        close(channel);
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no use any more either way.
        }
    }
}
