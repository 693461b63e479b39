// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a client gets to one HTTP request: one body, or a stream of events. */
public interface ClientReply {

    /**
     * One event of a stream, or the body of a response that is none.
     *
     * @param type  {@code message} where it names none
     * @param id    null for an event without an id
     * @param data  empty for an event that only primes a stream
     * @param retry the time after which the client shall reconnect, or null
     */
    record Event(
            String type,
            @Nullable String id,
            String data,
            @Nullable Duration retry) {

        /** An event that names no type. */
        public static Event message(@Nullable String id, String data, @Nullable Duration retry) {
            return new Event("message", id, data, retry);
        }
    }

    /** The HTTP status; waits for the head. */
    int status();

    /** A header of the response; waits for the head. */
    Optional<String> header(String name);

    /** The next event; waits for it. Empty at the end of the stream. */
    Optional<Event> next();

    /** Closes the connection, as a client does. */
    void leave();

    /** The next message. */
    default String nextMessage() {
        return nextMessageEvent().data();
    }

    /** The next event that carries a message. */
    default Event nextMessageEvent() {
        for (var event = next(); event.isPresent(); event = next()) {
            if (!event.get().data().isEmpty()) {
                return event.get();
            }
        }
        throw new AssertionError("the stream has ended");
    }

    /** The next event whose message contains {@code text}. */
    default Event nextContaining(String text) {
        for (var event = nextMessageEvent(); ; event = nextMessageEvent()) {
            if (event.data().contains(text)) {
                return event;
            }
        }
    }

    /** All messages up to the end of the stream, or the body. */
    default List<String> messages() {
        List<String> all = new ArrayList<>();
        for (var event = next(); event.isPresent(); event = next()) {
            if (!event.get().data().isEmpty()) {
                all.add(event.get().data());
            }
        }
        return all;
    }

    /** The last message: the response to the request. */
    default String response() {
        return messages().getLast();
    }
}
