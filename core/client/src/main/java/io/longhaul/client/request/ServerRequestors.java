// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.request;

import io.longhaul.client.McpClientException;
import io.longhaul.client.UnsupportedByServerException;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.Backoff;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.plan.ServerManner;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The requestors of one server: the client's own, and others for verbs that its generation lacks and for sessions of
 * earlier processes. Thread-safe.
 */
public final class ServerRequestors implements AutoCloseable {

    private final Requestor own;
    private final Requestor main;
    private final Map<Speaking, CompletableFuture<Requestor>> others;

    /** The generation of a requestor, and the session of an earlier process; empty for a session of its own. */
    private record Speaking(Generation generation, Optional<String> session) {}

    /** Opens a requestor, with a handshake where there is one. */
    private interface Opening {
        Requestor open() throws TransportException;
    }

    public ServerRequestors(Requestor own) {
        this(own, own, new ConcurrentHashMap<>());
    }

    private ServerRequestors(Requestor own, Requestor main, Map<Speaking, CompletableFuture<Requestor>> others) {
        this.own = own;
        this.main = main;
        this.others = others;
    }

    /** These requestors, with {@code other} in place of the client's own. */
    public ServerRequestors around(Requestor other) {
        return new ServerRequestors(own, other, others);
    }

    public Requestor main() {
        return main;
    }

    /**
     * The client's own requestor where its generation has a verb, else the requestor of the newest generation. This
     * holds also for a client that may speak one draft only, because no draft has all verbs.
     *
     * @param can whether a server has the verb; the newest generation has every verb
     * @throws UnsupportedByServerException where the server does not speak the newest generation
     */
    public Requestor that(Predicate<ServerManner> can) {
        return can.test(main.manner()) ? main : in(ClientDialects.newest().generation());
    }

    /**
     * The requestor of one generation.
     *
     * @throws UnsupportedByServerException where the server does not speak the generation, or the client was told to
     *     speak another revision only
     */
    public Requestor in(Generation generation) {
        if (main.dialect().generation() == generation) {
            return main;
        }
        if (own.dialect().generation() == generation) {
            return own;
        }
        var only = own.settings().only();
        if (only.isPresent() && only.get().isPublished()) {
            throw new UnsupportedByServerException("This needs the protocol " + generation
                    + ", and the client was told to speak " + only.get() + " only.");
        }
        return opened(new Speaking(generation, Optional.empty()), () -> own.in(generation));
    }

    /**
     * The requestor of one generation in the session that a task was made in; the usual one of that generation where
     * the server no longer knows that session.
     *
     * @param session empty where the task was made in none
     * @throws UnsupportedByServerException as {@link #in(Generation)}
     */
    public Requestor in(Generation generation, Optional<String> session) {
        var usual = in(generation);
        return session.isEmpty()
                        || usual.sessionId().equals(session)
                        || !usual.manner().inSession()
                ? usual
                : opened(
                        new Speaking(generation, session),
                        () -> usual.inSession(session.get(), UUID.randomUUID().toString()));
    }

    private Requestor opened(Speaking place, Opening how) {
        var opening = new CompletableFuture<Requestor>();
        var known = others.putIfAbsent(place, opening);
        if (known == null) {
            open(place, how, opening);
        }
        try {
            return (known == null ? opening : known).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof McpClientException problem ? problem : e;
        }
    }

    /** Opens a requestor. Other places, and the closing of the client, do not wait for its handshake. */
    private void open(Speaking place, Opening how, CompletableFuture<Requestor> opening) {
        try {
            opening.complete(opened(how));
        } catch (TransportException | RuntimeException e) {
            others.remove(place, opening);
            opening.completeExceptionally(e instanceof TransportException away ? ServerResponses.failed(away) : e);
        }
    }

    /** Waits for a server that is away, as a call does: the client has spoken with this server before. */
    private Requestor opened(Opening how) throws TransportException {
        var backoff = own.settings().backoff();
        while (true) {
            try {
                return how.open();
            } catch (TransportException e) {
                if (!e.kind().isPassing() || !isTriedAgain(backoff, e)) {
                    throw e;
                }
            }
        }
    }

    private boolean isTriedAgain(Backoff backoff, TransportException away) {
        try {
            own.trouble(String.valueOf(away.getMessage()));
            return !own.isClosed() && backoff.pause(away.retryAfter()) && !own.isClosed();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        others.values().forEach(opening -> opening.thenAccept(Requestor::close));
        own.close();
    }
}
