// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import io.longhaul.protocol.json.Json;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A way to send several messages. Thread-safe: messages of concurrent callers never mix and are never dropped.
 * Transports that need it keep an idle stream alive by themselves.
 */
public interface EventStream extends AutoCloseable {

    /**
     * Sends one message at once.
     *
     * @param id the event's id for a later resumption, or null for none; stdio has none
     * @throws PeerGoneException when the other side has left
     */
    void send(@Nullable String id, Json message);

    /**
     * Sends an event with an id and no data, and the time after which to reconnect where given; nothing on a stream
     * that cannot be resumed.
     */
    default void prime(String id, @Nullable Duration retry) {}

    /**
     * The client comes back for the rest when the connection is closed before the stream has ended: from the next
     * {@link #prime} on, a transport may do so, and then says that the other side has left.
     */
    default void clientComesBack() {}

    /**
     * Whether the transport itself has ended the stream, as where the authorization of its request has expired: the
     * client may come back, and nothing is cancelled by that.
     */
    default boolean isEndedHere() {
        return false;
    }

    /** Whether the other side is there as far as known. */
    boolean isOpen();

    /**
     * Runs {@code action} once, when the other side is found to have left; at once where it has. Not after {@link
     * #close}.
     */
    void onGone(Runnable action);

    /** Ends the stream. */
    @Override
    void close();
}
