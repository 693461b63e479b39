// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import io.longhaul.protocol.json.Json;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A stream of messages to the other side. Thread-safe: messages of concurrent callers never mix and are never dropped.
 * A transport whose idle streams could be cut keeps them alive by itself.
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
     * Waits until the messages so far are written, where {@link #send} only queues them.
     *
     * @throws PeerGoneException when they cannot be
     */
    default void flush() {}

    /**
     * Sends an event with an id and no data, and with the reconnection time where given. Does nothing on a stream that
     * cannot be resumed.
     */
    default void prime(String id, @Nullable Duration retry) {}

    /**
     * Tells the transport that the client reconnects when the connection is closed before the end of the stream. From
     * the next {@link #prime} on, the transport may close the connection; the other side then counts as gone.
     */
    default void clientComesBack() {}

    /**
     * Whether the transport itself has ended the stream, such as after the authorization of its request has expired.
     * The client may reconnect, and the end of the stream cancels nothing.
     */
    default boolean isEndedHere() {
        return false;
    }

    /**
     * Whether the other side left some time before the stream noticed it, such as by a write that failed. The moment at
     * which {@link #onGone} ran says nothing then.
     */
    default boolean isLeftUnnoticed() {
        return false;
    }

    /** Whether the other side is still connected, as far as known. */
    boolean isOpen();

    /**
     * Runs {@code action} once, when the stream notices that the other side has left; at once where it has left
     * already. The action does not run after {@link #close}.
     */
    void onGone(Runnable action);

    /** Ends the stream. */
    @Override
    void close();
}
