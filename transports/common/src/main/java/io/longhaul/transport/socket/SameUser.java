// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.socket;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes connections of this process's user from those of other users, by the credentials that the operating
 * system reports. The check holds even where the permissions of the socket's file are wrong.
 */
public final class SameUser {

    private final @Nullable UserPrincipal own;

    private SameUser(@Nullable UserPrincipal own) {
        this.own = own;
    }

    /**
     * Finds the user of this process by a connection to its own listener. The client's end shows the user of the
     * listener, while an accepted connection could already be of another user. The {@code listener} must not be
     * accepting yet.
     */
    public static SameUser of(ServerSocketChannel listener) throws IOException {
        try (var client = SocketChannel.open(listener.getLocalAddress());
                var accepted = listener.accept()) {
            return new SameUser(user(client));
        }
    }

    /** Whether a connection is of this user; always true where the system does not report users. */
    public boolean owns(SocketChannel connection) throws IOException {
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
