// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the connections of clients. A shortage of file descriptors only delays the listener. It ends only where no
 * connection can ever be accepted again, and reports that.
 */
final class Listener implements AutoCloseable {

    static final int BACKLOG = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final long PAUSE_MILLIS = 100;
    private static final int MOST_FAILURES = 100;
    private static final Duration MOST_END = Duration.ofSeconds(5);
    private static final long MINUTE = 60_000_000_000L;

    private final ServerSocketChannel channel;
    private final Client client;
    private final Runnable shortage;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Seldom shortages = new Seldom(LOG, MINUTE, System::nanoTime);
    private volatile @Nullable Thread thread;

    /** Handles an accepted connection. */
    @FunctionalInterface
    interface Client {
        void accept(SocketChannel connection) throws IOException;
    }

    /**
     * @param client   handles a connection without blocking
     * @param shortage frees a file descriptor
     */
    Listener(ServerSocketChannel channel, Client client, Runnable shortage) {
        this.channel = channel;
        this.client = client;
        this.shortage = shortage;
    }

    /** Binds a channel for a listener. */
    static ServerSocketChannel bind(SocketAddress address) throws IOException {
        openPoller();
        var channel = ServerSocketChannel.open();
        try {
            return channel.bind(address, BACKLOG);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Opens the poller of virtual threads. The JDK opens it when the first virtual thread waits for a socket. Where no
     * file descriptor is free at that moment, no virtual thread of this process can ever wait for a socket.
     */
    private static void openPoller() throws IOException {
        var pipe = Pipe.open();
        try (var source = pipe.source();
                var sink = pipe.sink()) {
            var waiting = Thread.ofVirtual().start(() -> awaitEnd(source));
            while (waiting.getState() == Thread.State.NEW || waiting.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait();
            }
            sink.close();
        }
    }

    private static void awaitEnd(Pipe.SourceChannel source) {
        try {
            source.read(ByteBuffer.allocate(1));
        } catch (IOException e) {
            LOG.trace("The poller is open: {}", e.toString());
        }
    }

    /**
     * Starts to accept connections.
     *
     * @param failed gets the reason why no connection can be accepted any more
     */
    Thread start(Consumer<Throwable> failed) {
        var started = Thread.ofPlatform()
                .name("http-listener-" + channel.socket().getLocalPort())
                .unstarted(() -> {
                    try {
                        listen();
                    } catch (IOException | RuntimeException | Error e) {
                        if (closed.getCount() > 0) {
                            LOG.error("No connection can be taken any more: {}", e.toString());
                            failed.accept(e);
                        }
                    }
                });
        thread = started;
        started.start();
        return started;
    }

    private void listen() throws IOException {
        var failures = 0;
        while (closed.getCount() > 0) {
            try {
                var accepted = channel.accept();
                failures = 0;
                serve(accepted);
            } catch (ClosedChannelException e) {
                throw e;
            } catch (IOException e) {
                failures = isShort() ? 0 : failures + 1;
                if (failures == MOST_FAILURES) {
                    throw e;
                }
                shortages.warn("No connection can be taken for the moment: " + e.getMessage()
                        + ". Raise the limit of open files (ulimit -n) where that is what it is out of");
                shortage.run();
                pause();
            }
        }
    }

    /** Whether the process has no free file descriptor. Such a shortage ends when another file or socket is closed. */
    private static boolean isShort() {
        try (var probe = SocketChannel.open()) {
            return !probe.isOpen();
        } catch (IOException e) {
            return true;
        }
    }

    private void serve(SocketChannel accepted) throws IOException {
        try {
            client.accept(accepted);
        } catch (IOException e) {
            LOG.debug("A client left at once: {}", e.toString());
            accepted.close();
        } catch (RuntimeException | Error e) {
            LOG.error("A connection was not served", e);
            accepted.close();
        }
    }

    private void pause() {
        try {
            closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Accepts no more connections, and frees the port before this method returns. */
    @Override
    public void close() {
        closed.countDown();
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("The port was not closed in order", e);
        }
        awaitEnd();
    }

    /** Waits for the accepting thread, since the kernel keeps the port bound until the accept call has returned. */
    private void awaitEnd() {
        var listening = thread;
        if (listening == null || listening.equals(Thread.currentThread())) {
            return;
        }
        try {
            listening.join(MOST_END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
