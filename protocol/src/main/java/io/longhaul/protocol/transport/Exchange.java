// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import java.util.Map;
import java.util.Optional;

/**
 * One message from outside and the way its answer goes back: exactly one of {@link #answer} and {@link #stream} is
 * called, once; but on a lasting connection {@link #answer} is also called after {@link #stream}. Safe for use by one
 * thread at a time.
 */
public interface Exchange {

    /** On whose behalf the message was sent, as the transport has established it for this very message. */
    Principal principal();

    /** What this very message may do. */
    default Permit permit() {
        return Permit.of(principal());
    }

    /** The network address it came from, or empty where there is none; behind a proxy it is that of the proxy. */
    default Optional<String> remoteAddress() {
        return Optional.empty();
    }

    /** Whose part of each limit the message counts against. */
    default Share share() {
        return Share.of(principal(), remoteAddress(), connection());
    }

    /** An HTTP header by its name, without regard to case; always empty on stdio. */
    default Optional<String> header(String name) {
        return Optional.empty();
    }

    /** The headers that handlers see, by the names that the deployer lets through; none on stdio. */
    default Map<String, String> callerHeaders() {
        return Map.of();
    }

    /** The lasting connection it came over, or empty where every message stands alone (HTTP). */
    default Optional<Connection> connection() {
        return Optional.empty();
    }

    /**
     * Answers with a status and one JSON body or none. A lasting connection has no status: it writes the body, if any.
     */
    void answer(HttpAnswer answer);

    /**
     * Answers with an event stream, open until it is closed. On a lasting connection this is the connection's outlet,
     * and closing it does nothing.
     *
     * @param headers as of {@link HttpAnswer}
     */
    EventStream stream(Map<String, String> headers);

    /**
     * The action by which a thread that has answered stays with its work: the transport then goes on with another
     * thread. The action is run once, after the answer. Empty where the thread that answers must return to the
     * transport.
     */
    default Optional<Runnable> detaching() {
        return Optional.empty();
    }
}
