// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One message that a server sent. Immutable. */
public final class StreamEvent {

    private final @Nullable String id;
    private final @Nullable Duration retry;
    private final byte[] data;

    /**
     * Creates an event as it arrived.
     *
     * @param id    null where the event set none
     * @param retry null where the event set none
     * @param data  bytes that the caller must not change afterwards; empty for an event that only sets an id or a time
     */
    public StreamEvent(@Nullable String id, @Nullable Duration retry, byte[] data) {
        this.id = id;
        this.retry = retry;
        this.data = data;
    }

    /** The id of the event, with which a stream is resumed ({@code Last-Event-ID}). */
    public Optional<String> id() {
        return Optional.ofNullable(id);
    }

    /** The pause before a reconnection that the server asks for. */
    public Optional<Duration> retry() {
        return Optional.ofNullable(retry);
    }

    /** The message as unchecked bytes, which the caller must not change. Empty for an event without a message. */
    public byte[] data() {
        return data;
    }
}
