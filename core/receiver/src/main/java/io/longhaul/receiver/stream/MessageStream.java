// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.request.Reply;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.ReplayBuffer.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One logical stream to a client, over any number of connections in turn. The stream numbers its messages, and keeps
 * the last ones for a client that lost its connection. Messages are enqueued without waiting; one thread at a time
 * writes them, outside of the lock. Thread-safe.
 */
public final class MessageStream implements Reply.Keeper {

    /** The most messages that wait for a slow client; the durable history keeps what comes after them. */
    static final int WAITING = 256;

    /** The most connections of a client that are remembered for one question. */
    private static final int CONNECTIONS = 8;

    /**
     * A message that no connection has carried yet, and its mark.
     *
     * @param isNews   whether the message moves to another stream where this one breaks; otherwise the client must
     *     resume this stream for it
     * @param progress what the message tells, where that may have to be told anew on another stream
     */
    public record Unsent(Json message, Mark mark, boolean isNews, Notice.@Nullable Progress progress) {

        public Unsent(Json message, Mark mark, boolean isNews) {
            this(message, mark, isNews, null);
        }

        Unsent with(boolean news) {
            return new Unsent(message, mark, news, progress);
        }

        /** Whether the client is to respond to the message. */
        boolean isRequest() {
            return JsonReader.members(message).has("id");
        }
    }

    private final String name;
    private final boolean comesBack;
    private final boolean hasIds;
    private final Guard lock = new Guard();
    private final Condition changed = lock.newCondition();
    private final ReplayBuffer buffer;
    private final List<Runnable> whenRoom = new ArrayList<>();

    /** The events with which each question went out to the client, by the question's key. */
    private final Map<String, List<EventId>> asked = new HashMap<>();

    private @Nullable EventId prime;
    /** Whether the client is told to resume the stream, after all that is enqueued. */
    private boolean suspended;

    private boolean writing;
    private boolean ended;
    private boolean opened;
    private boolean resuming;
    private @Nullable EventStream carrier;

    /**
     * A stream that no connection carries yet.
     *
     * @param start     the position before its first message
     * @param keptBytes the most bytes of sent messages that are kept
     * @param comesBack whether clients of this generation resume streams that are closed before their end
     */
    public MessageStream(EventId start, int keptBytes, boolean comesBack) {
        this(start, keptBytes, comesBack, true);
    }

    private MessageStream(EventId start, int keptBytes, boolean comesBack, boolean hasIds) {
        name = start.stream();
        buffer = new ReplayBuffer(start, keptBytes);
        this.comesBack = comesBack;
        this.hasIds = hasIds;
    }

    /**
     * A stream that keeps no message after it was sent.
     *
     * @param hasIds whether the client learns the ids of the messages
     */
    static MessageStream unkept(EventId start, boolean hasIds) {
        return new MessageStream(start, 0, false, hasIds);
    }

    String name() {
        return name;
    }

    @Override
    public void carry(EventStream connection) {
        attach(connection, 0);
        flush();
    }

    @Override
    public void send(Json message) {
        enqueue(message, Mark.NONE);
        flush();
    }

    @Override
    public void endWith(@Nullable Json response) {
        end(response);
        flush();
    }

    /** Whether a connection has carried the stream, so that the client may come back. */
    public boolean wasOpened() {
        return lock.get(() -> opened);
    }

    /** Sets whether the client is resuming the stream; the stream then counts as open. */
    public void resuming(boolean comes) {
        lock.run(() -> resuming = comes);
    }

    /** Whether a connection carries the stream, or is about to. */
    boolean isOpen() {
        return lock.get(() -> carrier != null || resuming);
    }

    /** Whether the stream is open, or a message is being written. */
    boolean isInUse() {
        return lock.get(() -> isOpen() || writing);
    }

    /** Whether the stream has ended, and a client with all events up to this one has everything. */
    public boolean isOver(long number) {
        return lock.get(() -> ended && number >= buffer.last().number());
    }

    /** Whether all that came after {@code number} is kept. */
    public boolean covers(long number) {
        return lock.get(() -> buffer.covers(number));
    }

    /** Whether another message of a task can be enqueued: the number of unread messages is bounded. */
    boolean hasRoom() {
        return lock.get(() -> buffer.unread() < WAITING);
    }

    /** Runs {@code action} once when there is room, or no connection carries the stream; at once where that is so. */
    void whenRoom(Runnable action) {
        boolean waits = lock.get(() -> {
            boolean isFull = carrier != null && buffer.unread() >= WAITING;
            if (isFull) {
                whenRoom.add(action);
            }
            return isFull;
        });
        if (!waits) {
            action.run();
        }
    }

    void enqueue(Json message, Mark mark) {
        append(new Unsent(message, mark, true));
    }

    /** Enqueues messages that another stream or request has not carried, except those that this stream has already. */
    void enqueue(List<Unsent> messages) {
        lock.run(() -> buffer.untold(messages).forEach(this::append));
    }

    /** Enqueues a question of the server, which goes out on another stream where no connection has carried it. */
    void ask(Json question, Mark mark) {
        append(new Unsent(question, mark, false));
    }

    /** As {@link #ask(Json, Mark)}; the stream remembers with which event the question goes out. */
    void ask(String key, Json question, Mark mark) {
        lock.run(() -> {
            ask(question, mark);
            asked.put(key, List.of(buffer.last()));
        });
    }

    /** Whether the client had this question when it had seen the stream up to an event. */
    boolean hasAsked(String key, EventId upTo) {
        return lock.get(() -> asked.getOrDefault(key, List.of()).stream()
                .anyMatch(at -> at.stream().equals(upTo.stream()) && at.number() <= upTo.number()));
    }

    /** Takes over that the client has this question from an earlier stream. */
    void hasAsked(String key, MessageStream before) {
        var events = new ArrayList<>(before.lock.get(() -> before.asked.getOrDefault(key, List.of())));
        lock.run(() -> {
            events.add(buffer.last());
            asked.put(key, List.copyOf(events.subList(Math.max(0, events.size() - CONNECTIONS), events.size())));
        });
    }

    /** Enqueues a message unless the same one waits already. */
    void enqueueOnce(Json message) {
        lock.run(() -> {
            if (!buffer.hasUnread(message)) {
                enqueue(message, buffer.last().mark());
            }
        });
    }

    /** Removes a message that went out elsewhere, so that a client that resumes this stream does not get it. */
    void retract(Json message) {
        lock.run(() -> buffer.retract(message));
    }

    /** Enqueues the response, or ends the stream without one; nothing can be enqueued after that. */
    void end(@Nullable Json response) {
        lock.run(() -> {
            if (response != null) {
                append(new Unsent(response, buffer.last().mark(), false));
            }
            ended = true;
            changed.signalAll();
        });
    }

    /** Ends the stream on this server, after what is enqueued: the client is told when to resume it. */
    void suspend() {
        lock.run(() -> {
            suspended = true;
            end(null);
        });
    }

    void append(Unsent message) {
        lock.run(() -> {
            if (ended) {
                return;
            }
            buffer.append(message);
            evict();
            changed.signalAll();
        });
    }

    /**
     * Evicts old messages. Unsent messages are evicted only while no connection carries the stream, and never before
     * the first connection.
     */
    private void evict() {
        buffer.evict(carrier == null && opened);
    }

    /**
     * Has a connection carry the stream; gives the earlier connection, which the caller must close.
     *
     * @param from the last message that the client has
     */
    @Nullable
    public EventStream attach(EventStream connection, long from) {
        return lock.get(() -> {
            var before = carrier;
            carrier = connection;
            resuming = false;
            opened = true;
            buffer.rewind(from);
            prime = comesBack && !ended ? buffer.lastSent() : null;
            changed.signalAll();
            return before;
        });
    }

    /** Removes the connection from the stream. Unsent messages wait for the client to come back. */
    public void detach(EventStream connection) {
        var actions = lock.get(() -> {
            if (!connection.equals(carrier)) {
                return List.<Runnable>of();
            }
            carrier = null;
            changed.signalAll();
            return takeWhenRoom();
        });
        actions.forEach(Runnable::run);
    }

    /**
     * Removes the unsent messages, for another stream of the session. Repeated messages stay, because the session was
     * told them before. Questions stay until they are put elsewhere. A message that is being written stays, too, for a
     * client that comes back: on the other stream it would come after later ones.
     */
    List<Unsent> takeUnsent() {
        return lock.get(() -> {
            if (writing) {
                buffer.pinSent();
            }
            return buffer.takeUnsent(unsent -> true);
        });
    }

    /** Removes the unsent messages of which {@code which} is true; one that is being written stays until it fails. */
    List<Unsent> takeUnsent(Predicate<Unsent> which) {
        return lock.get(() -> buffer.takeUnsent(which));
    }

    /** Has the next write open the connection, even where there is no message. */
    void prime() {
        lock.run(() -> {
            prime = buffer.lastSent();
            changed.signalAll();
        });
    }

    /** The id after which the client resumes the stream, or null where it learns no ids. */
    @Nullable
    String lastId() {
        return hasIds ? lock.get(buffer::lastSent).text() : null;
    }

    /** The id of a response behind all messages, or null where the client learns no ids. */
    @Nullable
    String endId(Mark mark) {
        return hasIds ? lock.get(buffer::last).next(mark).asEnd().text() : null;
    }

    /** Since when the client may have been told nothing, which left at this time: what was before may not be sent. */
    public Instant untoldSince(Instant gone) {
        var unsent = lock.get(buffer::next);
        return unsent == null || unsent.id().mark().at().isAfter(gone)
                ? gone
                : unsent.id().mark().at();
    }

    /** Writes the enqueued messages on this connection until the stream ends or another one carries it. Blocks. */
    public void pump(EventStream connection) throws InterruptedException {
        while (awaitWork(connection)) {
            flush();
        }
    }

    private boolean awaitWork(EventStream connection) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (connection.equals(carrier) && (writing || isWritten())) {
                if (ended && !writing) {
                    return false;
                }
                changed.await();
            }
            return connection.equals(carrier);
        } finally {
            lock.unlock();
        }
    }

    private boolean isWritten() {
        return buffer.next() == null && prime == null && !suspended;
    }

    /**
     * @param entry null for an event without a message, which lets the client resume the stream
     * @param retry the time after which the client shall resume; null for no such time
     */
    private record Write(
            EventStream to,
            EventId id,
            @Nullable Entry entry,
            @Nullable Duration retry) {}

    /** False where the connection is gone. */
    private boolean isDone(Write write) {
        try {
            var entry = write.entry();
            if (entry == null) {
                if (write.retry() == null) {
                    write.to().clientComesBack();
                }
                write.to().prime(write.id().text(), write.retry());
            } else if (entry.message() != null) {
                write.to().send(hasIds ? write.id().text() : null, entry.message());
            }
            return true;
        } catch (PeerGoneException e) {
            return false;
        }
    }

    /** Writes the enqueued messages, unless another thread is writing. */
    void flush() {
        for (var next = lock.get(this::nextWrite); next != null; next = lock.get(this::nextWrite)) {
            write(next);
        }
    }

    private @Nullable Write nextWrite() {
        var next = buffer.next();
        if (writing || carrier == null || isWritten()) {
            return null;
        }
        writing = true;
        var due = prime;
        prime = null;
        if (due != null) {
            return new Write(carrier, due, null, null);
        }
        if (next == null) {
            suspended = false;
            return new Write(carrier, buffer.lastSent(), null, Reply.RESUME_AFTER);
        }
        buffer.sent(next);
        return new Write(carrier, next.id(), next, null);
    }

    private void write(Write write) {
        boolean isGone = !isDone(write);
        var actions = lock.get(() -> {
            writing = false;
            if (isGone && (carrier == null || write.to().equals(carrier))) {
                carrier = null;
                if (write.entry() != null) {
                    buffer.unsent(write.entry());
                }
            }
            evict();
            changed.signalAll();
            return carrier == null || buffer.unread() < WAITING / 2 ? takeWhenRoom() : List.<Runnable>of();
        });
        actions.forEach(Runnable::run);
    }

    private List<Runnable> takeWhenRoom() {
        var actions = List.copyOf(whenRoom);
        whenRoom.clear();
        return actions;
    }
}
