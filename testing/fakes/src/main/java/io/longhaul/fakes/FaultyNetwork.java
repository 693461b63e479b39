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
 * A TCP proxy on a port of this machine that fails as a test says: it tears connections in the middle of a message,
 * drops bytes on open connections, carries few bytes at a time, and delivers a request to the server twice. The proxy
 * knows bytes only, so that it works for any client and any server over TCP. Thread-safe.
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

    /** The port that clients connect to. */
    public int port() {
        return entrance.getLocalPort();
    }

    /** Tears the next connection on which the server sends {@code text}, in the middle of that text. */
    public synchronized void tearNext(String text) {
        toTear = text;
        torn = new CountDownLatch(1);
    }

    /** Tears the next connection on which the server sends anything, after {@code bytes} bytes. */
    public synchronized void tearNextAfter(long bytes) {
        tearAfter = bytes;
        torn = new CountDownLatch(1);
    }

    /** Blocks until {@link #tearNext} or {@link #tearNextAfter} has torn a connection. */
    public void awaitTorn() {
        CountDownLatch latch;
        synchronized (this) {
            latch = torn;
        }
        Blocking.await(latch);
    }

    /** Delivers the next request that contains {@code text} to the server a second time, on its own connection. */
    public synchronized void deliverTwice(String text) {
        toDouble = text;
    }

    /** Waits for the first bytes of the answer to the second delivery. */
    public String awaitTwin() {
        return Blocking.take(twins);
    }

    /** Drops all bytes from now on, of both ends of every connection, without either end noticing. */
    public synchronized void vanish() {
        vanished = new CountDownLatch(1);
        vanishing = true;
    }

    /** Blocks until bytes were dropped. */
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

    /** Holds back all bytes from the server from now on, on every connection, until {@link #release}. */
    public void hold() {
        released = new CountDownLatch(1);
    }

    /** Passes on the bytes that were held back, and all later ones. */
    public void release() {
        released.countDown();
    }

    void awaitRelease() {
        Blocking.await(released);
    }

    void answeredTwin(String start) {
        twins.add(start);
    }

    /** Ends the faults; tears the connections on which bytes were dropped. */
    public void heal() {
        vanishing = false;
        links.stream().filter(FaultyLink::hasLost).forEach(FaultyLink::tear);
    }

    /** Lets each end receive at most {@code bytes} bytes at a time from now on. */
    public void carry(int bytes) {
        piece = bytes;
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                var client = entrance.accept();
                FaultyLink.open(this, client);
            } catch (IOException e) {
                // The proxy is closed, or the client has disconnected already.
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

    /** Whether to deliver this request twice; true once only. */
    synchronized boolean isDoubled(String request) {
        boolean is = toDouble != null && request.contains(toDouble);
        if (is) {
            toDouble = null;
        }
        return is;
    }

    /**
     * How many of the last {@code size} bytes from the server to pass on before tearing the connection; all of them if
     * it is not to be torn.
     *
     * @param sent the bytes sent on the connection so far, including the last {@code size}
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

    /** Tears all connections and frees the port. */
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
