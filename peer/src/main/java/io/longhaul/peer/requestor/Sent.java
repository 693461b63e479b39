package io.longhaul.peer.requestor;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.ServerReply;
import io.longhaul.protocol.transport.TransportException;
import java.util.Map;
import java.util.Optional;
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

    /** The stream on which the answer is read now: closed when the request is dropped, at once where it was. */
    void reading(ServerReply current) throws TransportException {
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
