// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * Tells connections of this process's user from those of others, as the system says whose they are. That holds also
 * where the rights to the socket's file are not what they should be.
 */
final class SameUser {

    private final @Nullable UserPrincipal own;

    private SameUser(@Nullable UserPrincipal own) {
        this.own = own;
    }

    /**
     * Asks the system by a connection of its own, whose other end is whoever listens: what is accepted could already be
     * of somebody else. {@code listener} must not be accepting yet.
     */
    static SameUser of(ServerSocketChannel listener) throws IOException {
        try (var client = SocketChannel.open(listener.getLocalAddress());
                var accepted = listener.accept()) {
            return new SameUser(user(client));
        }
    }

    /** Whether a connection is of this user; always where the system does not say. */
    boolean owns(SocketChannel connection) throws IOException {
        return is(user(connection));
    }

    boolean is(@Nullable UserPrincipal other) {
        return own == null || own.equals(other);
    }

    private static @Nullable UserPrincipal user(SocketChannel channel) throws IOException {
        return channel.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)
                ? channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user()
                : null;
    }
}
