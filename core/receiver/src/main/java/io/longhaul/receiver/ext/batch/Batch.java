// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.batch;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.ForwardingExchange;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.WholeResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages that came in one array. Each message is answered as if it had come alone, concurrently with the others. The
 * answers go back in one array, in the order of the messages. Where one message sends something before its answer, all
 * answers go on one stream instead. That stream cannot be resumed, because the id of an event belongs to one request
 * only. Thread-safe.
 */
final class Batch {

    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);
    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final int BAD_REQUEST = 400;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int FAILED = 500;

    private final Exchange exchange;
    private final Guard lock = new Guard();
    private final SortedMap<Integer, Json> answers = new TreeMap<>();
    private final List<Runnable> lost = new ArrayList<>();
    private boolean good;
    private @Nullable WholeResponse tooSoon;
    private boolean broken;
    private @Nullable EventStream stream;

    private Batch(Exchange exchange) {
        this.exchange = exchange;
    }

    /**
     * As {@link io.longhaul.protocol.transport.Endpoint#accept}.
     *
     * @param each accepts one of the messages
     */
    static Runnable accept(List<Json> messages, Exchange exchange, BiFunction<Json, Exchange, Runnable> each) {
        var batch = new Batch(exchange);
        var rests = IntStream.range(0, messages.size())
                .mapToObj(i -> each.apply(messages.get(i), batch.new BatchedExchange(i)))
                .toList();
        return () -> batch.run(rests);
    }

    private void run(List<Runnable> rests) {
        var threads = rests.stream()
                .map(rest -> Thread.ofVirtual().name("batched").start(() -> runOne(rest)))
                .toList();
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
        end();
    }

    private void runOne(Runnable rest) {
        try {
            rest.run();
        } catch (PeerGoneException e) {
            LOG.debug("a client left before its batch was answered");
        } catch (RuntimeException | Error e) {
            LOG.error("a message of a batch failed", e);
            lock.run(() -> broken = true);
        }
    }

    private void answered(int position, WholeResponse answer, Runnable whenLost) {
        lock.run(() -> {
            Json body = answer.body();
            if (stream != null && body != null) {
                stream.send(null, body);
            } else if (body != null) {
                answers.put(position, body);
                lost.add(whenLost);
            }
            tooSoon = answer.status() == TOO_MANY_REQUESTS ? answer : tooSoon;
            good |= answer.status() < BAD_REQUEST;
        });
    }

    private EventStream open(Map<String, String> headers) {
        return lock.get(() -> {
            if (stream == null) {
                stream = exchange.stream(headers);
                write(() -> answers.values().forEach(answer -> stream.send(null, answer)));
            }
            return stream;
        });
    }

    private void end() {
        lock.lock();
        try {
            if (stream != null) {
                stream.close();
            } else {
                write(() -> exchange.answer(together()));
            }
        } catch (PeerGoneException e) {
            // No client waits for the answers any longer.
        } finally {
            lock.unlock();
        }
    }

    /** Writes the answers that wait. */
    private void write(Runnable writing) {
        try {
            writing.run();
        } catch (PeerGoneException e) {
            lost.forEach(Runnable::run);
            throw e;
        } finally {
            lost.clear();
        }
    }

    private WholeResponse together() {
        if (answers.isEmpty()) {
            return new WholeResponse(broken ? FAILED : ACCEPTED, null);
        }
        var array = new JsonWriter().beginArray();
        answers.values().forEach(array::raw);
        var body = array.endArray().toJson();
        return good || tooSoon == null
                ? new WholeResponse(good ? OK : BAD_REQUEST, body)
                : new WholeResponse(TOO_MANY_REQUESTS, tooSoon.headers(), body);
    }

    /** The way back of one message. */
    private final class BatchedExchange extends ForwardingExchange {

        private final int position;

        private BatchedExchange(int position) {
            super(Batch.this.exchange);
            this.position = position;
        }

        @Override
        public void answer(WholeResponse answer, Runnable lost) {
            answered(position, answer, lost);
        }

        @Override
        public EventStream stream(Map<String, String> headers) {
            return connection().isPresent() ? exchange.stream(headers) : new ItemStream(open(headers));
        }
    }

    /** The part of one message in the shared stream. */
    private record ItemStream(EventStream all) implements EventStream {

        @Override
        public void send(@Nullable String id, Json message) {
            all.send(null, message);
        }

        @Override
        public void prime(String id, @Nullable Duration retry) {
            // The stream cannot be resumed.
        }

        @Override
        public boolean isOpen() {
            return all.isOpen();
        }

        @Override
        public void onGone(Runnable action) {
            all.onGone(action);
        }

        @Override
        public boolean isEndedHere() {
            return all.isEndedHere();
        }

        @Override
        public boolean isLeftUnnoticed() {
            return all.isLeftUnnoticed();
        }

        /** Does nothing: the shared stream ends with the last message. */
        @Override
        public void close() {}
    }
}
