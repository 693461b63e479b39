// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.stream;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.GoneActions;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.transport.streamable.request.HttpPeer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A stream of server-sent events that answers one request. Thread-safe. */
public final class SseStream implements EventStream {

    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Responder.Stream out;
    private final HttpPeer peer;
    private final Streams all;
    private final ReentrantLock writing = new ReentrantLock();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final GoneActions goneActions = new GoneActions();
    private volatile boolean open = true;
    private volatile boolean comesBack;
    private final @Nullable Long expiry;
    private volatile boolean endedHere;
    private volatile boolean leftUnnoticed;
    private volatile long heldUntil = Long.MAX_VALUE;
    private volatile long lastWrite = System.nanoTime();

    private SseStream(Responder.Stream out, @Nullable Long expiry, HttpPeer peer, Streams all) {
        this.out = out;
        this.expiry = expiry;
        this.peer = peer;
        this.all = all;
    }

    /**
     * Opens the stream; the client sees its headers at once.
     *
     * @param expiry when the authorization of the stream expires, by {@link System#nanoTime}; null for never
     */
    public static SseStream open(Responder.Stream out, @Nullable Long expiry, HttpPeer peer, Streams all) {
        var stream = new SseStream(out, expiry, peer, all);
        all.add(stream);
        peer.watch(() -> stream.gone(!peer.noticesAtOnce()));
        stream.write(COMMENT);
        return stream;
    }

    @Override
    public void send(@Nullable String id, Json message) {
        send(id == null ? new byte[0] : field("id", id), message.bytes());
    }

    /** Sends an event of another type, without an id. */
    public void sendAs(String type, byte[] data) {
        send(field("event", type), data);
    }

    private void send(byte[] field, byte[] data) {
        var event = new ByteArrayOutputStream(field.length + data.length + 16);
        event.writeBytes(field);
        event.writeBytes(DATA);
        writeOnOneLine(data, event);
        send(event);
    }

    /** Ends an event, and sends it. */
    private void send(ByteArrayOutputStream event) {
        event.writeBytes(END);
        if (!write(event.toByteArray())) {
            throw new PeerGoneException("The client has left the stream");
        }
    }

    @Override
    public void clientComesBack() {
        comesBack = true;
    }

    @Override
    public void prime(String id, @Nullable Duration retry) {
        var event = new ByteArrayOutputStream();
        event.writeBytes(field("id", id));
        var polling = comesBack ? all.polling() : null;
        var wait = retry != null || polling == null ? retry : polling.retry();
        if (wait != null) {
            event.writeBytes(field("retry", String.valueOf(wait.toMillis())));
        }
        event.writeBytes("data:".getBytes(StandardCharsets.US_ASCII));
        send(event);
        if (polling != null) {
            heldUntil = System.nanoTime() + polling.open().toNanos();
        }
    }

    @Override
    public boolean isEndedHere() {
        return endedHere;
    }

    @Override
    public boolean isLeftUnnoticed() {
        return leftUnnoticed;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void onGone(Runnable action) {
        goneActions.add(action);
    }

    /**
     * Ends the connection, but not the stream. For the writer the client has left; the client reconnects for the rest.
     */
    private void release() {
        endedHere = true;
        var actions = leave();
        finish();
        actions.forEach(Runnable::run);
    }

    @Override
    public void close() {
        goneActions.ended();
        leave();
        finish();
    }

    private void finish() {
        writing.lock();
        try {
            out.end();
        } catch (IOException | RuntimeException e) {
            // The client has left before the end was written, and does not need it any more.
            peer.cut();
        } finally {
            writing.unlock();
            ended.countDown();
        }
    }

    /** Blocks until the stream has ended. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /**
     * Sends a keep-alive comment, or closes the connection of a polled or expired stream, where that is due. Does not
     * block.
     */
    void look(long now, long keepAlive) {
        if (writing.isLocked() || !open) {
            return;
        }
        boolean isHeldOut = heldUntil != Long.MAX_VALUE && now - heldUntil >= 0;
        if (isHeldOut || isExpired(now)) {
            heldUntil = Long.MAX_VALUE;
            Thread.ofVirtual().name("http-poll").start(this::release);
        } else if (now - lastWrite >= keepAlive) {
            lastWrite = now;
            Thread.ofVirtual().name("http-keep-alive").start(() -> write(COMMENT));
        }
    }

    private boolean isExpired(long now) {
        return expiry != null && now - expiry >= 0;
    }

    private boolean write(byte[] event) {
        writing.lock();
        try {
            if (!open) {
                return false;
            }
            if (isExpired(System.nanoTime())) {
                endedHere = true;
                return false;
            }
            out.write(event);
            lastWrite = System.nanoTime();
            return true;
        } catch (IOException | RuntimeException e) {
            // The client has left: the actions for that take locks, and run without this one.
        } finally {
            writing.unlock();
        }
        gone(true);
        return false;
    }

    /**
     * Handles the loss of the client. The work after the stream keeps the thread of the connection, and needs no
     * socket.
     */
    private void gone(boolean isUnnoticed) {
        if (open) {
            leftUnnoticed = isUnnoticed;
            peer.cut();
        }
        leave().forEach(Runnable::run);
        ended.countDown();
    }

    /** Stops writing, and returns the actions to run. */
    private List<Runnable> leave() {
        open = false;
        all.remove(this);
        return goneActions.left();
    }

    private static byte[] field(String name, String value) {
        if (value.chars().anyMatch(c -> c == '\n' || c == '\r' || c == 0)) {
            throw new IllegalArgumentException("An event's " + name + " has a line break or NUL in it");
        }
        return (name + ": " + value + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Removes line breaks. Inside of a JSON value they can only be white space between tokens. */
    private static void writeOnOneLine(byte[] json, ByteArrayOutputStream event) {
        var from = 0;
        for (var i = 0; i < json.length; i++) {
            if (json[i] == '\n' || json[i] == '\r') {
                event.write(json, from, i - from);
                event.write(' ');
                from = i + 1;
            }
        }
        event.write(json, from, json.length - from);
    }
}
