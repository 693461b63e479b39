package io.longhaul.requestor;

import static io.longhaul.protocol.transport.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.ServerReply;
import io.longhaul.protocol.transport.TransportException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One request on its way, which any thread can give up. */
final class Sent {

    private final RequestId id;
    private final Json message;
    private final Map<String, String> headers;
    private final @Nullable Ask ask;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ServerReply reply;
    private @Nullable Runnable onDropped;
    private @Nullable TransportException dropped;
    private volatile @Nullable String session;
    private volatile boolean over;

    Sent(RequestId id, Json message, Map<String, String> headers, @Nullable Ask ask) {
        this.id = id;
        this.message = message;
        this.headers = headers;
        this.ask = ask;
    }

    RequestId id() {
        return id;
    }

    Json message() {
        return message;
    }

    Map<String, String> headers() {
        return headers;
    }

    @Nullable
    Ask ask() {
        return ask;
    }

    /** The session that the answer opened. */
    Optional<String> session() {
        return Optional.ofNullable(session);
    }

    void opened(Optional<String> sessionId) {
        session = sessionId.orElse(null);
    }

    /** What brings a reply, and blocks until its head is there. */
    interface Exchange {
        ServerReply run() throws TransportException;
    }

    /**
     * A reply whose head is there, and on which the answer is read now. It is given up when the request is dropped,
     * also while its head is waited for.
     */
    ServerReply reply(Exchange exchange) throws TransportException {
        var head = new CompletableFuture<ServerReply>();
        var sender = Thread.ofVirtual().name("longhaul-client-send").start(() -> {
            try {
                var given = exchange.run();
                if (!head.complete(given)) {
                    given.close();
                }
            } catch (TransportException | RuntimeException e) {
                head.completeExceptionally(e);
            }
        });
        onDropped(() -> {
            head.cancel(false);
            sender.interrupt();
        });
        try {
            var given = head.get();
            reading(given);
            return given;
        } catch (InterruptedException e) {
            head.thenAccept(ServerReply::close);
            sender.interrupt();
            Thread.currentThread().interrupt();
            throw new TransportException(LOST, "The call was interrupted.", e);
        } catch (CancellationException e) {
            check();
            throw new TransportException(LOST, "The call was given up.", e);
        } catch (ExecutionException e) {
            check();
            throw e.getCause() instanceof TransportException why
                    ? why
                    : new TransportException(UNUSABLE, "The request could not be sent.", e);
        }
    }

    /** The stream on which the answer is read now: closed when the request is dropped, at once where it was. */
    private void reading(ServerReply current) throws TransportException {
        lock.lock();
        try {
            reply = current;
            if (dropped != null) {
                current.close();
            }
        } finally {
            lock.unlock();
        }
        check();
    }

    /** What else stops whoever waits for the answer. */
    void onDropped(Runnable action) {
        lock.lock();
        try {
            onDropped = action;
            if (dropped != null) {
                action.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the answer no longer; whoever waits gets {@code why}. */
    void drop(TransportException why) {
        lock.lock();
        try {
            if (dropped != null) {
                return;
            }
            dropped = why;
            if (reply != null) {
                reply.close();
            }
            if (onDropped != null) {
                onDropped.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Nobody waits for the answer any more. */
    void over() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    void check() throws TransportException {
        lock.lock();
        try {
            if (dropped != null) {
                throw dropped;
            }
        } finally {
            lock.unlock();
        }
    }
}
