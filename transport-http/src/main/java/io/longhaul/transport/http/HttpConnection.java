package io.longhaul.transport.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a client. It stands between Helidon's connection and its socket, to know when a request began to
 * arrive and to notice a client that leaves while it is answered. Requests of one connection run one after the other on
 * its thread.
 */
final class HttpConnection implements ServerConnection, InterruptableTask<Void>, ConnectionContext {

    private static final ThreadLocal<@Nullable HttpConnection> CURRENT = new ThreadLocal<>();

    private static final long LINGER = 1_000_000_000L;
    private static final int LINGER_BYTES = 16 << 20;

    private final ConnectionContext context;
    private final Connections all;
    private final ReadAhead bytes;
    private final DataReader reader;
    private final ServerConnection http;

    /** The time when the request that is being read began, or 0 while none is read. */
    private volatile long readingSince;

    private volatile boolean serving;
    private volatile boolean lingering;

    HttpConnection(ConnectionContext context, ServerConnectionSelector selector, Connections all) {
        this.context = context;
        this.all = all;
        this.bytes = new ReadAhead(context.serverSocket());
        this.reader = DataReader.create(this::read);
        this.http = selector.connection(this);
    }

    /** The connection whose request the calling thread serves. */
    static HttpConnection current() {
        var current = CURRENT.get();
        if (current == null) {
            throw new IllegalStateException("Not on a connection's thread");
        }
        return current;
    }

    private byte @Nullable [] read() {
        var read = bytes.get();
        if (!serving && readingSince == 0) {
            readingSince = Math.max(1, System.nanoTime());
        }
        return read;
    }

    /** The whole request has been read, and is now served for as long as it takes. */
    void requestRead() {
        serving = true;
        readingSince = 0;
    }

    /** The request has been answered: the next bytes are a new one's. */
    void requestServed() {
        serving = false;
        readingSince = 0;
    }

    /** Runs {@code gone} when the client leaves. Only while a request is served. */
    void watch(Runnable gone) {
        bytes.watch(gone);
    }

    /**
     * The request is refused with a part of it unread: closing at once would reset the connection before the client has
     * read why.
     */
    void refusedUnread() {
        lingering = true;
    }

    /** Whether a request has been arriving for longer than {@code patience}, or what nobody wants for too long. */
    boolean isTooSlow(long now, long patience) {
        var since = readingSince;
        return since != 0 && now - since > (lingering ? Math.min(patience, LINGER) : patience);
    }

    private void linger() {
        readingSince = Math.max(1, System.nanoTime());
        try {
            var left = LINGER_BYTES;
            for (var read = bytes.get(); read != null && left > 0; read = bytes.get()) {
                left -= read.length;
            }
        } catch (ServerConnectionException e) {
            // The client is gone, or was given up.
            return;
        }
    }

    /** Closes the socket under whatever is going on. */
    void cut() {
        try {
            context.serverSocket().close();
        } catch (UncheckedIOException e) {
            // It was closed already.
            return;
        }
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
        CURRENT.set(this);
        all.add(this);
        try {
            http.handle(limit);
        } finally {
            if (lingering) {
                linger();
            }
            all.remove(this);
            CURRENT.remove();
        }
    }

    @Override
    public Duration idleTime() {
        return serving ? Duration.ZERO : http.idleTime();
    }

    @Override
    public void close(boolean interrupt) {
        http.close(interrupt);
    }

    @Override
    public boolean canInterrupt() {
        return http instanceof InterruptableTask<?> task && task.canInterrupt();
    }

    @Override
    public void run() {
        throw new UnsupportedOperationException(
                "Helidon runs the handler of a connection, and asks this one only whether it may");
    }

    @Override
    public ListenerContext listenerContext() {
        return context.listenerContext();
    }

    @Override
    public ExecutorService executor() {
        return context.executor();
    }

    @Override
    public DataWriter dataWriter() {
        return context.dataWriter();
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }

    @Override
    public Router router() {
        return context.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return context.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
        return context.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
        return context.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return context.localPeer();
    }

    @Override
    public boolean isSecure() {
        return context.isSecure();
    }

    @Override
    public String socketId() {
        return context.socketId();
    }

    @Override
    public String childSocketId() {
        return context.childSocketId();
    }
}
