// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a client sends. While a response is streamed, no handler reads them, and a disconnect would be noticed
 * only at the next write. A separate thread therefore reads ahead; the next request gets its bytes.
 */
final class ReadAhead implements Input.Source {

    private static final int FEWEST = 2 * 1024;
    private static final int MOST = 64 * 1024;

    /**
     * The buffer size of the thread that reads ahead. It is small, since each open stream has such a buffer, and
     * clients seldom send anything meanwhile.
     */
    private static final int WATCHED = 128;

    private final Wire wire;
    private @Nullable CompletableFuture<byte[]> ahead;

    /**
     * The buffer size of the next read. It is small while nothing arrives, since most connections wait most of the
     * time.
     */
    private int room = FEWEST;

    ReadAhead(Wire wire) {
        this.wire = wire;
    }

    /** Blocks until bytes arrive; an empty array at the end. */
    @Override
    public byte[] get() throws IOException {
        var pending = take();
        if (pending == null) {
            return readOn();
        }
        try {
            return pending.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for a request", e);
        } catch (ExecutionException e) {
            throw new IOException("The connection failed", e);
        }
    }

    /**
     * Runs {@code gone} when the client closes the connection before it sends anything. Called between two requests.
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
                var bytes = read(WATCHED);
                result.complete(bytes);
                if (bytes.length == 0) {
                    gone.run();
                }
            } catch (IOException | RuntimeException e) {
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

    private byte[] readOn() throws IOException {
        var bytes = read(room);
        room = bytes.length == room ? Math.min(MOST, room * 2) : FEWEST;
        return bytes;
    }

    private byte[] read(int most) throws IOException {
        var bytes = ByteBuffer.allocate(most);
        var count = Math.max(0, wire.read(bytes));
        return Arrays.copyOf(bytes.array(), count);
    }
}
