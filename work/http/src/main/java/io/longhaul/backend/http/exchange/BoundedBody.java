// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.exchange;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads the body of a response up to a limit, and closes the connection of a longer body. */
final class BoundedBody implements BodySubscriber<BoundedBody.Received> {

    /** The bytes that were read, and whether the body was longer. */
    @SuppressWarnings("ArrayRecordComponent")
    record Received(byte[] bytes, boolean isCut) {}

    private final int limit;
    private final CompletableFuture<Received> received = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    BoundedBody(int limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<Received> getBody() {
        return received;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (received.isDone()) {
            return;
        }
        for (var buffer : buffers) {
            var piece = new byte[Math.min(buffer.remaining(), limit - bytes.size())];
            buffer.get(piece);
            bytes.writeBytes(piece);
            if (buffer.hasRemaining()) {
                end(true);
                return;
            }
        }
    }

    @Override
    public void onError(Throwable error) {
        received.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
        end(false);
    }

    private void end(boolean isCut) {
        received.complete(new Received(bytes.toByteArray(), isCut));
        if (isCut && subscription != null) {
            subscription.cancel();
        }
    }
}
