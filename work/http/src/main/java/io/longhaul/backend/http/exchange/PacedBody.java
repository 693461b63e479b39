// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The streamed body of a response. The body requests no more data than its reader takes, and a silence of the API ends
 * it with an exception. Read by one thread.
 */
public final class PacedBody extends InputStream implements BodySubscriber<PacedBody> {

    /** A part of the body, or its end. */
    private sealed interface Piece {
        record Bytes(List<ByteBuffer> buffers) implements Piece {}

        record End(@Nullable Throwable why) implements Piece {}
    }

    private final Duration silence;
    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final Queue<ByteBuffer> taken = new ArrayDeque<>();
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private boolean ended;
    private @Nullable Long deadline;
    private boolean isCut;

    /** @param silence the longest time without data during a read */
    PacedBody(Duration silence) {
        this.silence = silence;
    }

    /** Ends the body for its reader at a time by {@link System#nanoTime}; the bytes that have come are read. */
    public void endAt(long time) {
        deadline = time;
    }

    /** Whether the body ended for its reader before its own end. */
    public boolean isCut() {
        return isCut;
    }

    @Override
    public CompletionStage<PacedBody> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        given.request(1);
        subscription.complete(given);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        pieces.add(new Piece.Bytes(buffers));
    }

    @Override
    public void onError(Throwable error) {
        pieces.add(new Piece.End(error));
    }

    @Override
    public void onComplete() {
        pieces.add(new Piece.End(null));
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    /** Gives the available bytes, and waits only where there are none. */
    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!ended && taken.isEmpty()) {
            take();
        }
        var next = taken.peek();
        if (next == null) {
            return -1;
        }
        int count = Math.min(length, next.remaining());
        next.get(into, offset, count);
        if (!next.hasRemaining()) {
            taken.remove();
        }
        return count;
    }

    private void take() throws IOException {
        switch (next()) {
            case Piece.Bytes(var buffers) -> {
                buffers.stream().filter(ByteBuffer::hasRemaining).forEach(taken::add);
                subscription.join().request(1);
            }
            case Piece.End(var why) when why == null -> ended = true;
            case Piece.End(var why) -> throw new IOException("the connection broke: " + why, why);
        }
    }

    private Piece next() throws IOException {
        try {
            long left = deadline == null ? Long.MAX_VALUE : deadline - System.nanoTime();
            var piece = pieces.poll(Math.min(left, silence.toNanos()), TimeUnit.NANOSECONDS);
            if (piece != null) {
                return piece;
            }
            close();
            if (left > silence.toNanos()) {
                throw new IOException("nothing came for " + silence.toSeconds() + " s");
            }
            isCut = true;
            return new Piece.End(null);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Closes the connection. */
    @Override
    public void close() {
        subscription.thenAccept(Flow.Subscription::cancel);
    }
}
