package io.longhaul.transport.http;

import io.helidon.common.socket.HelidonSocket;
import io.helidon.webserver.ServerConnectionException;
import java.io.UncheckedIOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a client sends. While a response is streamed, nobody reads them, and a client that leaves would be
 * noticed only at the next write; so then a thread of its own reads ahead, and what it gets is given to the next
 * request.
 */
final class ReadAhead implements Supplier<byte @Nullable []> {

    private static final byte[] END = new byte[0];

    private final HelidonSocket socket;
    private @Nullable CompletableFuture<byte[]> ahead;

    ReadAhead(HelidonSocket socket) {
        this.socket = socket;
    }

    /** Blocks until there are bytes; null at the end, as its caller wants it. */
    @Override
    public byte @Nullable [] get() {
        var bytes = next();
        return bytes.length == 0 ? null : bytes;
    }

    private byte[] next() {
        var pending = take();
        if (pending == null) {
            return read();
        }
        try {
            return pending.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerConnectionException("Interrupted while waiting for a request", e);
        } catch (ExecutionException | CancellationException e) {
            throw new ServerConnectionException("The connection failed", e);
        }
    }

    /**
     * Runs {@code gone} when the client closes the connection before it sends something. Called between two requests'
     * bytes.
     */
    void watch(Runnable gone) {
        synchronized (this) {
            if (ahead != null) {
                return;
            }
            ahead = new CompletableFuture<>();
        }
        var result = ahead;
        Thread.ofVirtual().name("http-watch").start(() -> {
            try {
                var bytes = read();
                result.complete(bytes);
                if (bytes.length == 0) {
                    gone.run();
                }
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
                gone.run();
            }
        });
    }

    private synchronized @Nullable CompletableFuture<byte[]> take() {
        var taken = ahead;
        ahead = null;
        return taken;
    }

    private byte[] read() {
        try {
            var bytes = socket.get();
            return bytes == null ? END : bytes;
        } catch (UncheckedIOException e) {
            throw new ServerConnectionException("The connection failed", e);
        }
    }
}
