// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.connect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.Registration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Holds the session in use, and renews it where the server has forgotten it, has restarted, or speaks another version.
 * Requests that need a new session wait for one handshake; reading the session in use never waits. Thread-safe.
 */
public final class CurrentSession {

    private final Connector connector;
    private final VersionNegotiation negotiation;
    private final Consumer<ServerSession> agreed;

    /** Held during a handshake; only threads that need its session wait for this lock. */
    private final ReentrantLock renewing = new ReentrantLock();

    private final List<Runnable> renewals = new CopyOnWriteArrayList<>();
    private volatile ServerSession session;

    /** @param agreed takes each session before its first use, the first session by {@link #begin} */
    public CurrentSession(
            Connector connector, VersionNegotiation negotiation, ServerSession first, Consumer<ServerSession> agreed) {
        this.connector = connector;
        this.negotiation = negotiation;
        this.session = first;
        this.agreed = agreed;
    }

    /** The session in use, which the server may have forgotten. */
    public ServerSession get() {
        return session;
    }

    /** Begins the first session. Call this when requests of the server can be answered. */
    public void begin() throws TransportException {
        settle(session);
    }

    /**
     * "The server SHOULD NOT send requests other than pings and logging before receiving the initialized notification":
     * so this method prepares for the server's requests before it tells the server.
     */
    private void settle(ServerSession next) throws TransportException {
        agreed.accept(next);
        session = next;
        if (next.manner().inSession() && !next.isOthers()) {
            next.tell(new Call.Initialized(), negotiation.settings());
        }
    }

    /** Runs an action after each renewal, on a thread of its own, until closed. */
    public Registration onRenewal(Runnable action) {
        renewals.add(action);
        return () -> renewals.remove(action);
    }

    /** A session on the open connection. */
    public ServerSession ready() throws TransportException {
        var used = session;
        return connector.connection().equals(used.connection()) ? used : renew(used, used.dialect());
    }

    /** Replaces a void session, unless another thread has done so meanwhile. */
    public ServerSession renew(ServerSession old, ClientDialect dialect) throws TransportException {
        lock();
        try {
            if (session.equals(old)) {
                settle(negotiation.agree(dialect));
                renewals.forEach(action ->
                        Thread.ofVirtual().name("longhaul-client-renewed").start(action));
            }
            return session;
        } finally {
            renewing.unlock();
        }
    }

    private void lock() throws TransportException {
        try {
            renewing.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(TransportException.Kind.LOST, "The call was interrupted.", e);
        }
    }
}
