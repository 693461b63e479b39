// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.LocalTransport;
import io.longhaul.protocol.transport.TransportLoad;
import io.longhaul.transport.socket.SameUser;
import io.longhaul.transport.socket.SocketPlace;
import io.longhaul.transport.socket.SocketProtocol;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MCP over a Unix-domain socket, for other processes of this user. Each connection is a client of its own, like a
 * client over stdio. A {@code Relay} connects to the socket. Where the socket cannot be created, the server runs
 * without it, and the log says why. Thread-safe.
 */
public final class LocalSocket implements LocalTransport {

    private static final Logger LOG = LoggerFactory.getLogger(LocalSocket.class);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(2);
    private static final long PAUSE_MILLIS = 100;
    private static final Json LEAVING = Json.raw("{\"jsonrpc\":\"2.0\",\"method\":\"" + SocketProtocol.LEAVING + "\"}");

    private final SocketPlace place;
    private final Function<String, @Nullable String> refusal;
    private final WireLimits limits;
    private final Set<Stdio> clients = ConcurrentHashMap.newKeySet();
    private final Semaphore connections = new Semaphore(Integer.MAX_VALUE);
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable ServerSocketChannel listener;

    private LocalSocket(Path path, Function<String, @Nullable String> refusal, WireLimits limits) {
        this.place = new SocketPlace(path);
        this.refusal = refusal;
        this.limits = limits;
    }

    /**
     * A socket at {@code path}. Where the path is too long for a socket, a link at the path names the socket. The
     * process must have the sole right to the path: an existing socket counts as that of a dead process.
     *
     * @param refusal returns why the client with this card is not served, or null where it is served
     */
    public static LocalSocket at(Path path, Function<String, @Nullable String> refusal, WireLimits limits) {
        return new LocalSocket(path, refusal, limits);
    }

    @Override
    public void start(Endpoint endpoint) {
        try {
            var bound = place.bind();
            listener = bound;
            var user = SameUser.of(bound);
            Thread.ofPlatform().daemon().name("socket-listener").start(() -> listen(bound, user, endpoint));
        } catch (IOException | UnsupportedOperationException e) {
            LOG.warn("Other windows cannot share this server, since there can be no socket for them: {}", e.toString());
        }
    }

    @Override
    public TransportLoad load() {
        return new TransportLoad(clients.size(), 0);
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Accepts no new clients, gives connected clients a moment to leave, and ends the remaining connections. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        var bound = listener;
        if (bound != null) {
            remove(bound);
        }
        clients.forEach(client -> client.tell(LEAVING));
        awaitClients();
        clients.forEach(Stdio::close);
        ended.countDown();
    }

    @Override
    public String toString() {
        return "a local socket";
    }

    private void remove(ServerSocketChannel bound) {
        try {
            place.clear();
            bound.close();
        } catch (IOException e) {
            LOG.warn("The socket for other windows was not removed: {}", e.toString());
        }
    }

    private void awaitClients() {
        try {
            if (!connections.tryAcquire(Integer.MAX_VALUE, LAST_ANSWERS.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.info("Other windows still waited for answers when the server stopped");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen(ServerSocketChannel bound, SameUser user, Endpoint endpoint) {
        var told = false;
        while (bound.isOpen()) {
            try {
                var channel = bound.accept();
                connections.acquireUninterruptibly();
                Thread.ofVirtual().name("socket-client").start(() -> serve(channel, user, endpoint));
                told = false;
            } catch (IOException e) {
                if (!closing.get() && !told) {
                    LOG.warn("No more windows can share this server for the moment: {}", e.toString());
                    told = true;
                }
                pause();
            }
        }
    }

    /** Pauses: a resource that the process lacks may be free again in a moment. */
    private void pause() {
        try {
            ended.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(SocketChannel channel, SameUser user, Endpoint endpoint) {
        try (channel) {
            if (!user.owns(channel)) {
                LOG.warn("A connection of another user to the socket for windows was refused");
                return;
            }
            var in = Channels.newInputStream(channel);
            var out = Channels.newOutputStream(channel);
            String problem = refusal.apply(SocketProtocol.read(in));
            if (problem != null) {
                SocketProtocol.write(out, SocketProtocol.REFUSED + problem);
                return;
            }
            SocketProtocol.write(out, SocketProtocol.WELCOME);
            serve(Stdio.acknowledging(in, out, limits), endpoint);
        } catch (IOException e) {
            LOG.debug("A window was lost", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.release();
        }
    }

    private void serve(Stdio client, Endpoint endpoint) throws InterruptedException {
        clients.add(client);
        try {
            client.start(endpoint);
            if (closing.get()) {
                client.close();
            }
            client.awaitEnd();
        } finally {
            clients.remove(client);
        }
    }
}
