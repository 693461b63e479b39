package io.longhaul.requestor;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.TransportException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the stream open on which a server of the handshake era says what belongs to no request. */
final class Hearing implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Hearing.class);
    private static final Duration LONGEST_OPENING = Duration.ofSeconds(1);
    private static final Duration FOREVER = Duration.ofDays(10_000);

    private final Channel channel;
    private final Supplier<Session> session;
    private final Settings settings;
    private final Thread thread =
            Thread.ofVirtual().name("longhaul-client-hearing").unstarted(this::run);
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile @Nullable Sent holder;

    Hearing(Channel channel, Supplier<Session> session, Settings settings) {
        this.channel = channel;
        this.session = session;
        this.settings = settings;
    }

    void start() {
        thread.start();
    }

    /** Waits for a while until the server listens to us on the stream, or has shown that there will be none. */
    void awaitOpen() {
        try {
            if (!open.await(LONGEST_OPENING.toMillis(), TimeUnit.MILLISECONDS)) {
                log.debug("the server's own stream is not open yet");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        var backoff = new Backoff(settings.time(), FOREVER);
        var heard = session.get();
        var cursor = new HttpLine.Cursor();
        while (!channel.isClosed() && !thread.isInterrupted()) {
            var now = session.get();
            if (!now.equals(heard)) {
                heard = now;
                cursor = new HttpLine.Cursor();
            }
            var begun = settings.time().now();
            var before = cursor.moves;
            try {
                if (!(channel.line().line() instanceof HttpLine line)) {
                    open.countDown();
                    return;
                }
                var current = new Sent(new RequestId.Number(0), Json.EMPTY_OBJECT, heard.headers(), null);
                holder = current;
                if (!line.hear(heard.headers(), cursor, current, open::countDown)) {
                    return;
                }
            } catch (TransportException e) {
                log.debug("the server's own stream broke: {}", e.getMessage());
            }
            backoff.held(begun);
            if (cursor.moves > before) {
                backoff.reset();
            }
            open.countDown();
            if (!pause(backoff, cursor)) {
                return;
            }
        }
    }

    private boolean pause(Backoff backoff, HttpLine.Cursor cursor) {
        try {
            var wait = backoff.next(cursor.retry);
            settings.time().pause(wait == null ? FOREVER : wait);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        var current = holder;
        if (current != null) {
            current.drop(new TransportException(TransportException.Kind.LOST, "The client is closed."));
        }
        thread.interrupt();
    }
}
