package io.longhaul.requestor;

import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.TransportException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to a server that all generations spoken on it share: its ids, which are never used twice, its line, which is
 * opened again when a lasting one has ended, and what comes in. Thread-safe.
 */
final class Channel implements Incoming, AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(Channel.class);

    /** How many messages of a server that make no sense are written to the log. */
    static final int LOGGED = 20;

    private final Opener opener;
    private final RequestorTime time;
    private final Patience patience;
    private final Notices notices = new Notices();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicInteger senseless = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Line line;
    private int epoch;
    private boolean closed;
    private volatile @Nullable ClientDialect reader;
    private volatile @Nullable ServerQuestions questions;

    Channel(Opener opener, RequestorTime time, Patience patience) {
        this.opener = opener;
        this.time = time;
        this.patience = patience;
    }

    /** Another way to the same server. */
    Channel another() {
        return new Channel(opener, time, patience);
    }

    boolean isLasting() {
        lock.lock();
        try {
            return line != null && line.isLasting();
        } finally {
            lock.unlock();
        }
    }

    RequestId nextId() {
        return new RequestId.Number(ids.incrementAndGet());
    }

    Notices notices() {
        return notices;
    }

    /** Who reads notifications, and answers the server's requests, from now on. */
    void settle(ClientDialect dialect, @Nullable ServerQuestions asked) {
        if (asked != null) {
            questions = asked;
            reader = dialect;
        } else if (reader == null) {
            reader = dialect;
        }
    }

    /** The line, and how many times it was opened: what was agreed on an earlier one is void. */
    Opened line() throws TransportException {
        lock.lock();
        try {
            if (closed) {
                throw new TransportException(TransportException.Kind.UNUSABLE, "The client is closed.");
            }
            if (line == null || line.isDead()) {
                if (line != null) {
                    line.close();
                }
                var transport = opener.open();
                line = transport.isLasting()
                        ? new LastingLine(transport, this)
                        : new HttpLine(transport, this, time, patience);
                epoch++;
            }
            return new Opened(line, epoch);
        } finally {
            lock.unlock();
        }
    }

    record Opened(Line line, int epoch) {}

    @Override
    public void notification(JsonRpcMessage.Notification notification, @Nullable Sent on) {
        var dialect = reader;
        if (dialect == null || isWithdrawn(notification)) {
            return;
        }
        try {
            var notice = dialect.notice(notification).orElse(null);
            if (notice == null) {
                return;
            }
            notices.tell(notice);
            if (on != null && on.ask() != null) {
                on.ask().notice(notice);
            }
        } catch (UnusableMessageException | RuntimeException e) {
            ignored("a notification of the server: " + e.getMessage());
        }
    }

    private void ignored(String what) {
        int count = senseless.incrementAndGet();
        if (count <= LOGGED) {
            logger.warn("ignored {}{}", what, count == LOGGED ? "; what else is ignored is not logged" : "");
        }
    }

    /** Whether it takes a question of the server back; else it may be about a call of ours. */
    private boolean isWithdrawn(JsonRpcMessage.Notification notification) {
        var asked = questions;
        return asked != null
                && notification.method().equals("notifications/cancelled")
                && Wire.withdrawn(notification).filter(asked::withdrawn).isPresent();
    }

    @Override
    public void request(JsonRpcMessage.Request request) {
        var asked = questions;
        if (asked == null) {
            ignored("a request of a server that may send none");
        } else {
            asked.take(request);
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (line != null) {
                line.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
