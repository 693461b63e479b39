// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A port of this machine that leads to a server's, and fails as a test says: connections are torn in the middle of a
 * message, go on while nothing comes through, carry few bytes at a time, and a request comes to the server twice. It
 * knows bytes only, so that any client and any server over TCP may be at its ends. Thread-safe.
 */
public final class FaultyNetwork implements AutoCloseable {

    private final int server;
    private final ServerSocket entrance;
    private final Set<FaultyLink> links = ConcurrentHashMap.newKeySet();
    private volatile int piece = 8_192;
    private volatile boolean vanishing;
    private @Nullable String toTear;
    private @Nullable String toDouble;
    private long tearAfter = Long.MAX_VALUE;
    private CountDownLatch torn = new CountDownLatch(1);
    private CountDownLatch vanished = new CountDownLatch(1);
    private volatile CountDownLatch released = new CountDownLatch(0);
    private final BlockingQueue<String> twins = new LinkedBlockingQueue<>();

    /** @param server the port on this machine that a server listens on, now or later */
    public FaultyNetwork(int server) {
        this.server = server;
        try {
            entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("faulty-network").start(this::accept);
    }

    /** Where clients connect to. */
    public int port() {
        return entrance.getLocalPort();
    }

    /** The next connection on which the server sends {@code text} is torn in the middle of it. */
    public synchronized void tearNext(String text) {
        toTear = text;
        torn = new CountDownLatch(1);
    }

    /** The next connection on which the server sends anything is torn after {@code bytes} of it. */
    public synchronized void tearNextAfter(long bytes) {
        tearAfter = bytes;
        torn = new CountDownLatch(1);
    }

    /** Blocks until the connection is torn that is to be torn next. */
    public void awaitTorn() {
        CountDownLatch latch;
        synchronized (this) {
            latch = torn;
        }
        Blocking.await(latch);
    }

    /** The next request with {@code text} in it comes to the server once more, on a connection of its own. */
    public synchronized void deliverTwice(String text) {
        toDouble = text;
    }

    /** Waits for the first bytes of the answer to the request that came the second time. */
    public String awaitTwin() {
        return Blocking.take(twins);
    }

    /** From now on what either end writes vanishes, on every connection, and no end learns of it. */
    public synchronized void vanish() {
        vanished = new CountDownLatch(1);
        vanishing = true;
    }

    /** Blocks until something has vanished. */
    public void awaitVanished() {
        CountDownLatch latch;
        synchronized (this) {
            latch = vanished;
        }
        Blocking.await(latch);
    }

    synchronized void hasVanished() {
        vanished.countDown();
    }

    /** From now on what the server sends waits here, on every connection, until {@link #release}. */
    public void hold() {
        released = new CountDownLatch(1);
    }

    /** Lets through what has waited, and all that comes. */
    public void release() {
        released.countDown();
    }

    void awaitRelease() {
        Blocking.await(released);
    }

    void answeredTwin(String start) {
        twins.add(start);
    }

    /** The network is well again; connections on which something has vanished are torn. */
    public void heal() {
        vanishing = false;
        links.stream().filter(FaultyLink::hasLost).forEach(FaultyLink::tear);
    }

    /** From now on each end reads at most {@code bytes} at a time. */
    public void carry(int bytes) {
        piece = bytes;
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                var client = entrance.accept();
                FaultyLink.open(this, client);
            } catch (IOException e) {
                // Closed, or the client has left already.
            }
        }
    }

    Socket dial() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server);
    }

    void add(FaultyLink link) {
        links.add(link);
    }

    void remove(FaultyLink link) {
        links.remove(link);
    }

    int piece() {
        return piece;
    }

    boolean isVanishing() {
        return vanishing;
    }

    /** Whether a request is the one that comes twice; only one is. */
    synchronized boolean isDoubled(String request) {
        boolean is = toDouble != null && request.contains(toDouble);
        if (is) {
            toDouble = null;
        }
        return is;
    }

    /**
     * How many of the last {@code size} bytes that a server has sent come through before the connection is torn; all
     * of them where it is not.
     *
     * @param sent what was sent on the connection, up to and with these bytes
     */
    synchronized int carried(String sent, int size) {
        long after = tearAfter;
        String text = toTear;
        int at = text == null ? -1 : sent.indexOf(text, Math.max(0, sent.length() - size - text.length() + 1));
        if (text != null && at >= 0) {
            after = at + text.length() / 2L;
        } else if (sent.length() < after) {
            return size;
        }
        toTear = null;
        tearAfter = Long.MAX_VALUE;
        torn.countDown();
        return (int) Math.max(0, after - (sent.length() - size));
    }

    /** Tears all connections; the port is free again. */
    @Override
    public void close() {
        release();
        try {
            entrance.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        links.forEach(FaultyLink::tear);
    }
}
