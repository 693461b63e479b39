// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.call;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.transport.client.TransportException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * A stream on which a server without sessions tells of changes. A broken stream is opened again, until the server
 * refuses it. Thread-safe.
 */
public final class ChangeSubscription implements AutoCloseable {

    /** The server's answer to the first stream. */
    public sealed interface Opening {
        /** The server tells of these changes, which may be fewer than requested. */
        record Honoured(Call.Subscription changes) implements Opening {}

        /** The server does not tell of changes. */
        record Failed(CallResult end) implements Opening {}
    }

    private final Requestor requestor;
    private final OutgoingCall call;
    private final Consumer<Notice> told;
    private final Runnable missed;
    private final Consumer<Optional<String>> lost;
    private final CompletableFuture<Opening> opening = new CompletableFuture<>();
    private final Thread listening;

    /**
     * Opens a subscription.
     *
     * @param told   takes each notification of the subscription; must not block
     * @param missed runs when the stream was opened again, because changes before that were not told
     * @param lost   runs when no stream is open any more, with the trouble after which one is opened again
     */
    public ChangeSubscription(
            Requestor requestor,
            Call.Subscription wanted,
            Consumer<Notice> told,
            Runnable missed,
            Consumer<Optional<String>> lost) {
        this.requestor = requestor;
        this.told = told;
        this.missed = missed;
        this.lost = lost;
        call = new OutgoingCall(new Call.Listen(wanted))
                .withoutTimeout()
                .onNotice(this::take)
                .onTrouble(sentence -> lost.accept(Optional.of(sentence)));
        listening = Thread.ofVirtual().name("longhaul-client-changes").start(this::listen);
    }

    private void take(Notice notice) {
        if (!(notice instanceof Notice.Subscribed(var honoured))) {
            told.accept(notice);
        } else if (!opening.complete(new Opening.Honoured(honoured))) {
            missed.run();
        }
    }

    private void listen() {
        var backoff = requestor.settings().endlessBackoff();
        try {
            boolean goesOn;
            do {
                var begun = requestor.settings().time().elapsed();
                var end = requestor.ask(call);
                opening.complete(new Opening.Failed(end));
                lost.accept(Optional.empty());
                goesOn = end instanceof CallResult.Answered || end.isPassing();
                backoff.held(begun);
            } while (goesOn && backoff.pause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the server has said of which changes it tells, or the timeout is over. */
    public Opening opened() throws InterruptedException {
        var settings = requestor.settings();
        var late = new TransportException(
                TransportException.Kind.TIMEOUT, "The server did not say in time of which changes it tells.");
        try (var alarm = settings.time()
                .after(
                        settings.timeouts().request(),
                        () -> opening.complete(new Opening.Failed(new CallResult.Lost(late))))) {
            return opening.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        call.cancel();
        listening.interrupt();
    }
}
