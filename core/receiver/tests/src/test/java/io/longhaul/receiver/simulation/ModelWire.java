// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.SeededScheduler;
import io.longhaul.testkit.SeededScheduler.Group;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request of a model client and what comes back. The server's thread waits where the client reads too slowly,
 * and finds out some time after the client has left that it has: what it sends until then is lost. The client's side is
 * called by the test alone.
 */
final class ModelWire implements Exchange, EventStream {

    /**
     * One event of a stream, or the one body.
     *
     * @param id    null for none
     * @param data  empty for an event that only primes a stream
     * @param order its place among all that was sent to any client
     */
    record Event(@Nullable String id, String data, long order) {}

    /** What fits between server and client. */
    private static final int FITS = 20;

    private final SeededScheduler scheduler;
    private final Group group;
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, String> answered = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Event> unread = new ArrayDeque<>();
    private final List<Runnable> onGone = new ArrayList<>();
    private int status;
    private @Nullable Event inFlight;
    private boolean left;
    private boolean gone;
    private boolean ended;
    private long endedAt = Long.MAX_VALUE;

    ModelWire(SeededScheduler scheduler, Group group, Map<String, String> headers) {
        this.scheduler = scheduler;
        this.group = group;
        this.headers.putAll(headers);
    }

    /** The HTTP status, or 0 while there is none. */
    int status() {
        return status;
    }

    Optional<String> answered(String name) {
        return Optional.ofNullable(answered.get(name));
    }

    /** The next event, if it is there. */
    Optional<Event> read() {
        lock.lock();
        try {
            changed.signalAll();
            return Optional.ofNullable(unread.pollFirst());
        } finally {
            lock.unlock();
        }
    }

    /** When the next event was sent, if it is there, by its place among all. */
    OptionalLong next() {
        var first = unread.peekFirst();
        return first == null ? OptionalLong.empty() : OptionalLong.of(first.order());
    }

    /** Whether the client knows that nothing follows. */
    boolean isEnded() {
        return ended && unread.isEmpty();
    }

    /** What the server was writing when it found out that the client had left. */
    Optional<Event> inFlight() {
        return Optional.ofNullable(inFlight);
    }

    /** Whether the server had ended the response before it sent an event, whatever the client has read of it. */
    boolean hasEndedBefore(long order) {
        return endedAt < order;
    }

    /** The client closes the connection; the server finds out later. */
    void leave() {
        left = true;
        group.start("gone", this::noticed);
    }

    private void noticed() {
        List<Runnable> actions;
        lock.lock();
        try {
            gone = true;
            changed.signalAll();
            actions = List.copyOf(onGone);
            onGone.clear();
        } finally {
            lock.unlock();
        }
        actions.forEach(Runnable::run);
    }

    @Override
    public Principal principal() {
        return ModelTransport.ALICE;
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    @Override
    public void answer(WholeResponse answer) {
        head(answer.status(), answer.headers());
        if (answer.body() != null) {
            unread.add(new Event(null, answer.body().toString(), scheduler.next()));
        }
        end();
    }

    private void end() {
        ended = true;
        endedAt = Math.min(endedAt, scheduler.next());
    }

    @Override
    public EventStream stream(Map<String, String> more) {
        head(200, more);
        return this;
    }

    private void head(int given, Map<String, String> more) {
        scheduler.pause();
        if (status != 0) {
            throw new IllegalStateException("a request is answered twice");
        }
        answered.putAll(more);
        status = given;
    }

    @Override
    public void send(@Nullable String id, Json message) {
        put(id, message.toString());
    }

    @Override
    public void prime(String id, @Nullable Duration retry) {
        put(id, "");
    }

    private void put(@Nullable String id, String data) {
        scheduler.pause();
        lock.lock();
        try {
            while (unread.size() >= FITS && !gone && !ended && !left) {
                changed.awaitUninterruptibly();
            }
            var event = new Event(id, data, scheduler.next());
            if (gone || ended) {
                inFlight = inFlight == null ? event : inFlight;
                throw new PeerGoneException("the client has left");
            }
            unread.add(event);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isOpen() {
        return !gone && !ended;
    }

    @Override
    public void onGone(Runnable action) {
        lock.lock();
        try {
            if (!gone) {
                onGone.add(action);
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            end();
            onGone.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
