// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.connect;

import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.exchange.ExchangeResult;
import io.longhaul.requestor.exchange.HttpClientConnection;
import io.longhaul.requestor.exchange.PendingRequest;
import io.longhaul.requestor.exchange.StreamPosition;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps open the stream on which a server of the handshake era sends messages that belong to no request. A broken
 * stream is resumed, and each session begins a new stream. A lasting connection has no such stream.
 */
public final class StandaloneStream implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(StandaloneStream.class);

    /** The status of a server that allows one such stream for each session, and has not noticed the end of the last. */
    private static final int CONFLICT = 409;

    private static final Duration LONGEST_OPENING = Duration.ofSeconds(1);

    private final Connector connector;
    private final CurrentSession session;
    private final RequestorSettings settings;
    private final Thread thread;
    private final CountDownLatch shown = new CountDownLatch(1);
    private volatile @Nullable Listening listening;
    private volatile @Nullable ServerSession openedIn;

    private record Listening(ServerSession session, PendingRequest request) {
        void drop(String why) {
            request.drop(new TransportException(TransportException.Kind.LOST, why));
        }
    }

    public StandaloneStream(Connector connector, CurrentSession session, RequestorSettings settings) {
        this.connector = connector;
        this.session = session;
        this.settings = settings;
        thread = Thread.ofVirtual().name("longhaul-client-listen").start(this::run);
    }

    /** Waits, for a limited time, until the server has opened the stream, or has shown that it opens none. */
    public void awaitOpen() {
        try {
            if (!shown.await(LONGEST_OPENING.toMillis(), TimeUnit.MILLISECONDS)) {
                log.debug("the server's own stream is not open yet");
                shown.countDown();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        var backoff = settings.endlessBackoff();
        var used = session.get();
        var position = new StreamPosition();
        try (var renewals = session.onRenewal(this::dropOver)) {
            do {
                if (isOver(used)) {
                    used = session.get();
                    position = new StreamPosition();
                }
                var begun = settings.time().elapsed();
                var events = position.events();
                if (!listen(used, position)) {
                    return;
                }
                backoff.held(begun);
                if (position.events() > events) {
                    backoff.reset();
                }
            } while (!connector.isClosed() && (isOver(used) || backoff.pause(position.retry())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            shown.countDown();
        }
    }

    private boolean isOver(ServerSession used) {
        return !session.get().equals(used);
    }

    /** Listens until the stream ends; false where the server has no such stream. */
    private boolean listen(ServerSession used, StreamPosition position) {
        if (!(used.connection() instanceof HttpClientConnection connection)) {
            return false;
        }
        var request = PendingRequest.withoutMessage(used.headers());
        listening = new Listening(used, request);
        if (isOver(used)) {
            return true;
        }
        var end = ExchangeResult.of(() -> connection.listen(request, position, () -> opened(used)));
        shown.countDown();
        return switch (end) {
            case ExchangeResult.Rejected(var status) -> status == 404 || status == CONFLICT;
            case ExchangeResult.UnknownSession unknown -> {
                renew(used);
                yield true;
            }
            case ExchangeResult.Broken(var trouble) -> {
                log.debug("the server's own stream broke: {}", trouble.getMessage());
                yield true;
            }
            default -> true;
        };
    }

    private void opened(ServerSession used) {
        openedIn = used;
        shown.countDown();
    }

    /**
     * "When a client receives HTTP 404 in response to a request containing an MCP-Session-Id, it MUST start a new
     * session". A server that has never opened the stream in this session may simply lack such streams.
     */
    private void renew(ServerSession used) {
        if (!used.equals(openedIn)) {
            return;
        }
        try {
            session.renew(used, used.dialect());
        } catch (TransportException e) {
            log.debug("no session for the server's own stream: {}", e.getMessage());
        }
    }

    /** Ends the stream of a replaced session. The stream of the new session may be open already. */
    private void dropOver() {
        var current = listening;
        if (current != null && isOver(current.session())) {
            current.drop("The session is over.");
        }
    }

    @Override
    public void close() {
        var current = listening;
        if (current != null) {
            current.drop("The client is closed.");
        }
        thread.interrupt();
    }
}
