// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import java.util.Map;
import java.util.Optional;

/**
 * One message from outside, and the way back for its answer. The endpoint calls exactly one of {@link #answer} and
 * {@link #stream}, once; on a lasting connection it also calls {@link #answer} after {@link #stream}. For one thread at
 * a time.
 */
public interface Exchange {

    /** The principal on whose behalf the message was sent, as the transport established it for this message. */
    Principal principal();

    /** The permissions of this message. */
    default Permit permit() {
        return Permit.of(principal());
    }

    /** The network address of the sender, or empty where there is none; behind a proxy the address of the proxy. */
    default Optional<String> remoteAddress() {
        return Optional.empty();
    }

    /** The share of each limit against which the message counts. */
    default Share share() {
        return Share.of(principal(), remoteAddress(), connection());
    }

    /** An HTTP header by its name, without regard to case; always empty on stdio. */
    default Optional<String> header(String name) {
        return Optional.empty();
    }

    /**
     * The name of a header that was sent on more than one line; empty where there is none, and on stdio.
     *
     * @param prefix of the names to look at, without regard to case
     */
    default Optional<String> repeatedHeader(String prefix) {
        return Optional.empty();
    }

    /** Whether the sender takes an event stream as the answer. */
    default boolean takesStream() {
        return true;
    }

    /** The headers that handlers see, by the names that the deployer configured; none on stdio. */
    default Map<String, String> callerHeaders() {
        return Map.of();
    }

    /** The lasting connection of the message, or empty where every message stands alone (HTTP). */
    default Optional<Connection> connection() {
        return Optional.empty();
    }

    /**
     * Answers with a status and at most one JSON body. A lasting connection has no status, and writes only the body.
     */
    void answer(WholeResponse answer);

    /**
     * Answers as {@link #answer(WholeResponse)}, where the answer may be written after this method has returned.
     *
     * @param lost runs, once, where the answer was taken and could not be written later
     */
    default void answer(WholeResponse answer, Runnable lost) {
        answer(answer);
    }

    /**
     * Answers with an event stream, open until it is closed. On a lasting connection the stream is the outlet of the
     * connection, and closing the stream does nothing.
     *
     * @param headers as of {@link WholeResponse}
     */
    EventStream stream(Map<String, String> headers);

    /**
     * The action that keeps the answering thread for its work: the transport then continues on another thread. The
     * action runs once, after the answer. Empty where the answering thread must return to the transport.
     */
    default Optional<Runnable> detaching() {
        return Optional.empty();
    }
}
