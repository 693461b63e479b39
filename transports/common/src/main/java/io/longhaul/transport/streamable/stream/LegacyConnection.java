// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.stream;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.ConnectionExchange;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.StreamConnection;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of one client of the deprecated HTTP with SSE. All messages to the client go on its one stream.
 * Thread-safe.
 */
public final class LegacyConnection implements StreamConnection {

    private static final Logger LOG = LoggerFactory.getLogger(LegacyConnection.class);
    private static final int MOST_WAITING = 1_000;

    /** The outcome of a message. */
    public enum Taken {
        ACCEPTED,
        GONE,
        TOO_MANY
    }

    private final String id;
    private final Principal principal;
    private final Optional<String> address;
    private final SseStream stream;
    private final Semaphore free = new Semaphore(MOST_WAITING);
    private final Guard order = new Guard();
    private boolean ended;

    /** @param address the network address of the client */
    public LegacyConnection(String id, Principal principal, Optional<String> address, SseStream stream) {
        this.id = id;
        this.principal = principal;
        this.address = address;
        this.stream = stream;
    }

    public boolean belongsTo(Principal other) {
        return principal.equals(other);
    }

    /** Passes the message of a POST to the endpoint, in order of arrival. The answer goes on the stream. */
    public Taken accept(byte[] message, Exchange posted, Endpoint endpoint) {
        if (!free.tryAcquire()) {
            return Taken.TOO_MANY;
        }
        order.lock();
        try {
            if (ended) {
                free.release();
                return Taken.GONE;
            }
            var exchange = new ConnectionExchange(this, principal, posted.permit(), address, posted.callerHeaders());
            Runnable rest = endpoint.accept(message, exchange);
            Thread.ofVirtual().name("legacy-sse-request").start(() -> answer(rest));
            return Taken.ACCEPTED;
        } catch (RuntimeException e) {
            free.release();
            throw e;
        } finally {
            order.unlock();
        }
    }

    private void answer(Runnable rest) {
        try {
            rest.run();
        } catch (PeerGoneException e) {
            LOG.debug("A client left before its answer");
        } catch (RuntimeException e) {
            LOG.error("A message was not answered", e);
        } finally {
            free.release();
        }
    }

    /** Accepts no more messages. */
    public void end() {
        order.run(() -> ended = true);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public void send(@Nullable String eventId, Json message) {
        stream.sendAs("message", message.bytes());
    }

    @Override
    public boolean isOpen() {
        return stream.isOpen();
    }

    @Override
    public void onGone(Runnable action) {
        stream.onGone(action);
    }

    /** Does nothing: the stream belongs to all messages, and only ends with the connection. */
    @Override
    public void close() {}
}
