// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.reply;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of one HTTP response as a stream. Reads time out when no data arrives for too long, and any thread may close
 * the stream. The stream requests more data only when the reader has read what arrived.
 */
public final class ReplyBody extends InputStream implements BodySubscriber<ReplyBody> {

    private record Signal(
            List<ByteBuffer> buffers, @Nullable Throwable failure, boolean last) {}

    private static final Signal END = new Signal(List.of(), null, true);

    private final Duration idle;
    private final LinkedBlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private List<ByteBuffer> buffers = List.of();
    private int next;
    private boolean ended;
    private volatile boolean closed;

    /** The stream of one body; an {@code idle} of zero means no timeout. */
    public ReplyBody(Duration idle) {
        this.idle = idle;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public CompletionStage<ReplyBody> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        if (!subscription.complete(given) || closed) {
            given.cancel();
        } else {
            given.request(1);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
        signals.add(new Signal(item, null, false));
    }

    @Override
    public void onError(Throwable failure) {
        signals.add(new Signal(List.of(), failure, true));
    }

    @Override
    public void onComplete() {
        signals.add(END);
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!ended && !closed) {
            for (; next < buffers.size(); next++) {
                var buffer = buffers.get(next);
                if (buffer.hasRemaining()) {
                    var count = Math.min(length, buffer.remaining());
                    buffer.get(bytes, offset, count);
                    return count;
                }
            }
            await();
        }
        return -1;
    }

    private void await() throws IOException {
        if (!buffers.isEmpty()) {
            buffers = List.of();
            subscription.join().request(1);
        }
        var signal = poll();
        next = 0;
        buffers = signal.buffers();
        ended = signal.last();
        var failure = signal.failure();
        if (failure != null && !closed) {
            throw new IOException("The connection broke", failure);
        }
    }

    private Signal poll() throws IOException {
        try {
            var signal = idle.isZero() ? signals.take() : signals.poll(idle.toNanos(), TimeUnit.NANOSECONDS);
            if (signal == null) {
                close();
                throw new HttpTimeoutException("Nothing came for " + idle.toSeconds() + " s");
            }
            return signal;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new IOException("Interrupted", e);
        }
    }

    /** Cancels the rest of the body. */
    @Override
    public void close() {
        closed = true;
        Optional.ofNullable(subscription.getNow(null)).ifPresent(Flow.Subscription::cancel);
        signals.add(END);
    }
}
