// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.WholeResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An exchange that records what is sent on it. Thread-safe. */
public final class RecordedExchange implements Exchange {

    public final List<WholeResponse> answers = new CopyOnWriteArrayList<>();
    /** The messages of the stream, and {@code "closed"} for each time that it was closed. */
    public final List<String> sent = new CopyOnWriteArrayList<>();

    /** Is let go when the response is begun as a stream. */
    public final CountDownLatch opened = new CountDownLatch(1);

    /** What was to be done where the answer that was taken is lost. */
    public volatile Runnable lost = () -> {};

    /** What is done before a message of the stream is taken, with the id of its event. */
    public volatile Consumer<@Nullable String> beforeSend = id -> {};

    /** What is done before an answer without a stream is taken. */
    public volatile Runnable beforeAnswer = () -> {};

    /** What is done before the first id of a stream is taken, with that id. */
    public volatile Consumer<String> beforePrime = id -> {};

    private final Principal principal;
    private volatile boolean gone;

    public RecordedExchange(Principal principal) {
        this.principal = principal;
    }

    /** The client leaves: nothing more reaches it. */
    public void leave() {
        gone = true;
    }

    @Override
    public Principal principal() {
        return principal;
    }

    @Override
    public Optional<Connection> connection() {
        return Optional.empty();
    }

    @Override
    public void answer(WholeResponse answer) {
        beforeAnswer.run();
        checkPresent();
        answers.add(answer);
    }

    @Override
    public void answer(WholeResponse answer, Runnable whenLost) {
        answer(answer);
        lost = whenLost;
    }

    @Override
    public EventStream stream(Map<String, String> headers) {
        opened.countDown();
        return new EventStream() {
            @Override
            public void send(@Nullable String id, Json message) {
                beforeSend.accept(id);
                checkPresent();
                sent.add(message.toString());
            }

            @Override
            public void prime(String id, @Nullable Duration retry) {
                beforePrime.accept(id);
            }

            @Override
            public boolean isOpen() {
                return !gone;
            }

            @Override
            public void onGone(Runnable action) {}

            @Override
            public void close() {
                sent.add("closed");
            }
        };
    }

    private void checkPresent() {
        if (gone) {
            throw new PeerGoneException("the client has left");
        }
    }
}
