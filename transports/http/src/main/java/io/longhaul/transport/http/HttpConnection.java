// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.transport.streamable.RequestHandler;
import io.longhaul.transport.streamable.Responses;
import io.longhaul.transport.streamable.request.AccessRules;
import io.longhaul.transport.streamable.request.HttpPeer;
import io.longhaul.transport.streamable.request.HttpRefusal;
import io.longhaul.transport.streamable.request.RequestHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a client. The thread that runs the connection reads and serves its requests one after the other.
 * The timer of the server checks the connection, and cuts a client that sends or reads too slowly.
 */
final class HttpConnection implements HttpPeer, Runnable {

    static final Duration IDLE = Duration.ofMinutes(5);
    static final int LINGER_BYTES = 16 << 20;
    static final int PIECE_BYTES = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
    private static final long LINGER = 1_000_000_000L;
    private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");

    /** The phases of a connection. */
    enum Phase {
        WAITING,
        READING,
        SERVING,
        LEAVING,
        /** The client was too slow, or another connection needed the place: no request is served any more. */
        CUT
    }

    /** A phase and the time when it began. */
    record Since(Phase phase, long nanos) {
        static Since now(Phase phase) {
            return new Since(phase, System.nanoTime());
        }
    }

    private final Wire wire;
    private final RequestHandler handler;
    private final AccessRules access;
    private final Connections all;
    private final ReadAhead bytes;
    private final Input input;
    private final HeadReader heads = new HeadReader();
    private final String address;
    private final Share network;
    private final AtomicReference<Since> since = new AtomicReference<>(Since.now(Phase.WAITING));
    private volatile boolean ending;
    private volatile @Nullable Thread thread;

    /** The time at which the write of the current piece began, or 0. */
    private volatile long writingSince;

    private boolean bodyLeft;

    /** The received bytes of the request that is being read. */
    private long received;

    HttpConnection(Wire wire, RequestHandler handler, AccessRules access, Connections all) {
        this.wire = wire;
        this.handler = handler;
        this.access = access;
        this.all = all;
        this.bytes = new ReadAhead(wire);
        this.input = new Input(this::receive);
        this.address = wire.address().getHostAddress();
        this.network = Share.of(Principal.ANONYMOUS, Optional.of(address), Optional.empty());
    }

    /** The network of the client, since one caller can have any number of IPv6 addresses. */
    Share network() {
        return network;
    }

    @Override
    public String address() {
        return address;
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Serves one request; returns whether another request may follow. */
    @FunctionalInterface
    private interface Serving {
        boolean run() throws IOException;
    }

    @Override
    public void run() {
        serve(this::servesNext);
    }

    private void serve(Serving first) {
        thread = Thread.currentThread();
        try {
            for (var more = !ending && first.run(); more; more = !ending && servesNext()) {
                become(input.hasReceived() ? Phase.READING : Phase.WAITING);
            }
        } catch (IOException e) {
            LOG.debug("A connection ended: {}", e.toString());
        } catch (RuntimeException | Error e) {
            LOG.error("A connection failed", e);
        } finally {
            if (isServedHere()) {
                letGo();
                all.places().leave(this);
                wire.close();
            }
        }
    }

    /**
     * Continues with the next request on another thread, while the calling thread goes on working for the request that
     * it has answered.
     */
    void detach(Response response) {
        var other = Thread.ofVirtual().name("http-connection").unstarted(() -> serve(() -> goOnBehind(response)));
        thread = other;
        other.start();
    }

    private boolean isServedHere() {
        return Thread.currentThread().equals(thread);
    }

    private byte[] receive() throws IOException {
        var part = bytes.get();
        if (since.get().phase() == Phase.WAITING) {
            become(Phase.READING);
        }
        received += part.length;
        all.held(part.length);
        return part;
    }

    private void become(Phase phase) {
        if (phase != Phase.READING) {
            letGo();
        }
        since.updateAndGet(is -> is.phase() == Phase.CUT ? is : Since.now(phase));
    }

    private void letGo() {
        if (received > 0) {
            all.held(-received);
            received = 0;
        }
    }

    /** Serves a request; returns whether another request may follow. */
    private boolean servesNext() throws IOException {
        if (input.isAtEnd()) {
            return false;
        }
        var response = new Response(this, null);
        try {
            var head = heads.read(input);
            bodyLeft = head.hasBody();
            response = new Response(this, head);
            handler.handle(access, head, response, this);
        } catch (Malformed e) {
            bodyLeft = true;
            all.malformed(this, e.refusal());
            if (!response.isSent()) {
                Responses.refuse(e.refusal(), response);
            }
        } catch (RuntimeException e) {
            LOG.error("A request was not answered", e);
            if (!response.isSent()) {
                response.clear();
                Responses.internalError(response);
            }
        }
        return isServedHere() && goOnBehind(response);
    }

    /** Closes the connection where the response was the last one; returns whether another request may follow. */
    private boolean goOnBehind(Response response) throws IOException {
        if (response.isLast()) {
            leave();
        }
        return !response.isLast();
    }

    @Override
    public byte @Nullable [] body(RequestHead head, int most) throws IOException {
        // "A server MAY omit sending a 100 (Continue) response if it has already received some or all of the content."
        if (head.waitsToContinue() && !input.hasReceived() && !head.framing().isOver(most)) {
            write(CONTINUE);
        }
        var body = BodyReader.read(input, head.framing(), most);
        bodyLeft = body == null;
        return body;
    }

    /** Whether no further request can be read, since an unread body precedes it or the server ends. */
    boolean endsAfterThis() {
        return bodyLeft || ending;
    }

    @Override
    public void requestRead() throws IOException {
        become(Phase.SERVING);
        if (since.get().phase() == Phase.CUT) {
            throw new IOException("The connection was cut before its request was served");
        }
    }

    @Override
    public void watch(Runnable gone) {
        bytes.watch(gone);
    }

    @Override
    public boolean noticesAtOnce() {
        return true;
    }

    /** Writes parts that belong together, in one piece where they fit. */
    void write(byte[]... parts) throws IOException {
        long size = 0;
        for (var part : parts) {
            size += part.length;
        }
        // An interrupt would close the socket in the middle of a message.
        var interrupted = Thread.interrupted();
        all.held(size);
        try {
            var piece = ByteBuffer.allocate((int) Math.min(size, PIECE_BYTES));
            for (var part : parts) {
                for (var at = 0; at < part.length; ) {
                    var fits = Math.min(part.length - at, piece.remaining());
                    piece.put(part, at, fits);
                    at += fits;
                    if (!piece.hasRemaining()) {
                        write(piece);
                    }
                }
            }
            write(piece);
        } finally {
            all.held(-size);
            writingSince = 0;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void write(ByteBuffer piece) throws IOException {
        piece.flip();
        if (piece.hasRemaining()) {
            writingSince = Math.max(1, System.nanoTime());
            wire.write(piece);
        }
        piece.clear();
    }

    private boolean isWriting() {
        return writingSince != 0;
    }

    /**
     * Ends the output, and waits a moment for the client to read the response: closing the connection at once with a
     * part of a request unread would reset the connection.
     */
    private void leave() throws IOException {
        become(Phase.LEAVING);
        wire.shutdownOutput();
        var left = LINGER_BYTES;
        for (var read = bytes.get(); read.length > 0 && left > 0; read = bytes.get()) {
            left -= read.length;
        }
    }

    /** The phase of the connection, and when it began. */
    Since since() {
        return since.get();
    }

    /** Cuts the connection, unless its phase has changed since; false where it has changed. */
    boolean cut(Since seen) {
        boolean isCut = since.compareAndSet(seen, Since.now(Phase.CUT));
        if (isCut) {
            cut();
        }
        return isCut;
    }

    /**
     * Cuts a client that is too slow.
     *
     * @param patience how long the client may take to send a request, and to read a piece of an answer
     */
    void look(long now, long patience) {
        var is = since.get();
        var most = switch (is.phase()) {
            case WAITING -> IDLE.toNanos();
            case READING -> patience;
            case SERVING, CUT -> Long.MAX_VALUE;
            case LEAVING -> Math.min(patience, LINGER);
        };
        var writing = writingSince;
        if (writing != 0 && now - writing > patience) {
            cut();
        } else if (now - is.nanos() > most) {
            cut(is);
        }
    }

    /** Serves no further request. A connection that serves no request is cut at once. */
    void end() {
        ending = true;
        var is = since.get();
        if (is.phase() == Phase.WAITING) {
            cut(is);
        }
    }

    /** Closes a new connection, with a response where the client need not send anything first. Does not block. */
    void refuse(HttpRefusal refusal) {
        if (wire.canWriteFirst()) {
            try {
                Responses.refuse(refusal, new Response(this, null));
            } catch (IOException e) {
                LOG.debug("A client left before it was turned away");
            }
        }
        cut();
    }

    @Override
    public void cut() {
        if (isWriting()) {
            // Otherwise the system would keep the response for a client that never reads it.
            wire.reset();
        } else {
            wire.close();
        }
    }

    /** Cuts the connection, and interrupts the thread that serves it. */
    void abort() {
        cut();
        var running = thread;
        if (running != null) {
            running.interrupt();
        }
    }
}
