package io.longhaul.requestor.connect;

import io.longhaul.protocol.transport.TransportException;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.exchange.ExchangeEnd;
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
 * Keeps the stream open on which a server of the handshake era sends what belongs to no request. The stream is resumed
 * where it breaks, and begins anew with each session. A lasting connection has no such stream.
 */
public final class StandaloneStream implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(StandaloneStream.class);
    private static final Duration LONGEST_OPENING = Duration.ofSeconds(1);

    private final Connector connector;
    private final CurrentSession session;
    private final RequestorSettings settings;
    private final Thread thread;
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile @Nullable PendingRequest listening;

    public StandaloneStream(Connector connector, CurrentSession session, RequestorSettings settings) {
        this.connector = connector;
        this.session = session;
        this.settings = settings;
        thread = Thread.ofVirtual().name("longhaul-client-listen").start(this::run);
    }

    /** Waits for a while until the server has opened the stream, or has shown that it opens none. */
    public void awaitOpen() {
        try {
            if (!open.await(LONGEST_OPENING.toMillis(), TimeUnit.MILLISECONDS)) {
                log.debug("the server's own stream is not open yet");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        var backoff = settings.endlessBackoff();
        var used = session.get();
        var position = new StreamPosition();
        try {
            do {
                if (!session.get().equals(used)) {
                    used = session.get();
                    position = new StreamPosition();
                }
                var begun = settings.time().now();
                var events = position.events();
                if (!listen(used, position)) {
                    return;
                }
                backoff.held(begun);
                if (position.events() > events) {
                    backoff.reset();
                }
            } while (!connector.isClosed() && backoff.pause(position.retry()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.countDown();
        }
    }

    /** Listens until the stream ends; false where the server has no such stream. */
    private boolean listen(ServerSession used, StreamPosition position) {
        if (!(used.connection() instanceof HttpClientConnection connection)) {
            return false;
        }
        var request = PendingRequest.withoutMessage(used.headers());
        listening = request;
        var end = ExchangeEnd.of(() -> connection.listen(request, position, open::countDown));
        open.countDown();
        return switch (end) {
            case ExchangeEnd.Rejected(var status) -> status / 100 == 5 || status == 404;
            case ExchangeEnd.Broken(var trouble) -> {
                log.debug("the server's own stream broke: {}", trouble.getMessage());
                yield true;
            }
            default -> true;
        };
    }

    @Override
    public void close() {
        var request = listening;
        if (request != null) {
            request.drop(new TransportException(TransportException.Kind.LOST, "The client is closed."));
        }
        thread.interrupt();
    }
}
