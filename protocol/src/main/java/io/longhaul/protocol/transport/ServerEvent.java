// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One message that a server sent. Immutable. */
public final class ServerEvent {

    private final @Nullable String id;
    private final @Nullable Duration retry;
    private final byte[] data;

    /**
     * Takes an event as it came.
     *
     * @param id    null where the event set none
     * @param retry null where the event set none
     * @param data  given away by the caller; empty for an event that only sets an id or a time
     */
    public ServerEvent(@Nullable String id, @Nullable Duration retry, byte[] data) {
        this.id = id;
        this.retry = retry;
        this.data = data;
    }

    /** What to resume after, as {@code Last-Event-ID}. */
    public Optional<String> id() {
        return Optional.ofNullable(id);
    }

    /** How long the server asks to wait before a reconnection. */
    public Optional<Duration> retry() {
        return Optional.ofNullable(retry);
    }

    /** The message as unchecked bytes, not to be changed. Empty for an event without a message. */
    public byte[] data() {
        return data;
    }
}
