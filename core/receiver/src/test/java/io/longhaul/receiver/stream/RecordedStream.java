// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection that keeps what is written to it, up to the message at which its client has left. */
final class RecordedStream implements EventStream {

    private final List<String> ids = new ArrayList<>();
    private final List<String> messages = new ArrayList<>();
    private final List<Duration> retries = new ArrayList<>();
    private int room = Integer.MAX_VALUE;
    private boolean closed;
    private Runnable onGone = () -> {};

    /** What happens when the client has read a message, while the write goes on. */
    Runnable whileWriting = () -> {};

    /** The client leaves after so many messages from now on. */
    RecordedStream leavesAfter(int more) {
        room = messages.size() + more;
        return this;
    }

    /** The numbers of the events in their stream. */
    List<Long> numbers() {
        return ids.stream().map(id -> EventId.of(id).orElseThrow().number()).toList();
    }

    /** All messages; a prime is an empty one. */
    List<String> messages() {
        return messages;
    }

    boolean isClosed() {
        return closed;
    }

    /** The times after which the client was told to resume. */
    List<Duration> retries() {
        return retries;
    }

    @Override
    public void send(@Nullable String id, Json message) {
        put(id, message.toString());
    }

    @Override
    public void prime(String id, @Nullable Duration retry) {
        put(id, "");
        if (retry != null) {
            retries.add(retry);
        }
    }

    private void put(@Nullable String id, String message) {
        if (messages.size() >= room) {
            onGone.run();
            throw new PeerGoneException("the client has left");
        }
        ids.add(id);
        messages.add(message);
        whileWriting.run();
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void onGone(Runnable action) {
        onGone = action;
    }

    @Override
    public void close() {
        closed = true;
    }
}
