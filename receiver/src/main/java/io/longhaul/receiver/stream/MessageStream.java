package io.longhaul.receiver.stream;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.request.Reply;
import io.longhaul.receiver.stream.EventId.Mark;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * One logical stream to a client, whatever connections carry it: numbers its messages, and keeps the last ones for a
 * client that lost its connection. Messages are enqueued without waiting; one thread at a time writes them, outside of
 * the lock. Thread-safe.
 */
public final class MessageStream {

    /** How many messages are kept that were sent. */
    static final int KEPT = 100;

    /** How many messages wait for a slow client; the durable record keeps what comes after them. */
    private static final int WAITING = 256;

    /**
     * A message that no connection has carried, and what was told with it.
     *
     * @param isNews whether it goes on another stream where this one breaks; otherwise the client comes back for it
     */
    public record Unsent(Json message, Mark mark, boolean isNews) {
        Unsent with(boolean news) {
            return new Unsent(message, mark, news);
        }
    }

    /**
     * A message of the stream.
     *
     * @param message null for one that was taken back
     * @param isNews  as {@link Unsent}
     */
    private record Entry(EventId id, @Nullable Json message, boolean isNews) {
        int size() {
            return message == null ? 0 : message.size();
        }

        /** Whether it tells the same, though perhaps of a later state of the task. */
        boolean tellsSame(Unsent other) {
            var mark = id.mark();
            return message != null
                    && mark.seq() == other.mark().seq()
                    && Objects.equals(mark.task(), other.mark().task())
                    && (mark.task() == null
                            ? message.equals(other.message())
                            : method(message).equals(method(other.message())));
        }

        private static Json method(Json message) {
            return Objects.requireNonNull(JsonReader.members(message).get("method"));
        }
    }

    private final int keptBytes;
    private final boolean comesBack;
    private final Guard lock = new Guard();
    private final Condition changed = lock.newCondition();
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final List<Runnable> whenRoom = new ArrayList<>();
    private long bytes;
    private EventId last;

    /** The last message that is not kept any more. */
    private EventId evicted;

    private long sent;

    /** Messages up to this number stay here: later ones have moved to another stream, and come before them there. */
    private long kept;

    /** How many messages no connection has carried. */
    private int unread;

    private @Nullable EventId prime;
    private boolean writing;
    private boolean ended;
    private boolean opened;
    private boolean resuming;
    private @Nullable EventStream carrier;

    /**
     * A stream that nothing carries yet.
     *
     * @param start     before its first message that is kept here
     * @param keptBytes how much is kept of what was sent
     * @param comesBack whether clients of this generation know streams that are closed before their end
     */
    public MessageStream(EventId start, int keptBytes, boolean comesBack) {
        last = start;
        evicted = start;
        sent = start.number();
        this.keptBytes = keptBytes;
        this.comesBack = comesBack;
    }

    String name() {
        return last.stream();
    }

    /** Keeps what a reply sends on this stream. */
    public Reply.Keeper keeper() {
        return new Reply.Keeper() {
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
            public void end(@Nullable Json response) {
                MessageStream.this.end(response);
                flush();
            }
        };
    }

    /** Whether the client was told anything that it could come back for. */
    public boolean wasOpened() {
        return lock.get(() -> opened);
    }

    /** The client is coming back: from now on the stream counts as open. */
    public void resuming(boolean comes) {
        lock.run(() -> resuming = comes);
    }

    /** Whether a connection carries the stream, or is about to. */
    boolean isOpen() {
        return lock.get(() -> carrier != null || resuming);
    }

    /** Whether the stream is open, or a message is being written of which it is not known whether it goes out. */
    boolean isInUse() {
        return lock.get(() -> isOpen() || writing);
    }

    /** Whether the client has all that was sent up to this event and the stream has ended there. */
    public boolean isOver(long number) {
        return lock.get(() -> ended && number >= last.number());
    }

    /** Whether all that came after {@code number} is kept. */
    public boolean covers(long number) {
        return lock.get(() -> number >= evicted.number() && number <= last.number());
    }

    /** Whether another message of a task can be enqueued: what a client has not read is bounded. */
    boolean hasRoom() {
        return lock.get(() -> unread < WAITING);
    }

    /** Runs {@code action} once when there is room, or nothing carries the stream any more; at once where it is so. */
    void whenRoom(Runnable action) {
        boolean waits = lock.get(() -> {
            boolean isFull = carrier != null && unread >= WAITING;
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
        append(message, mark, true);
    }

    /** Enqueues what another stream or request has not carried, unless it is here already. */
    void enqueue(Unsent unsent) {
        lock.run(() -> {
            if (entries.stream().noneMatch(entry -> entry.tellsSame(unsent))) {
                append(unsent.message(), unsent.mark(), unsent.isNews());
            }
        });
    }

    /** Enqueues a question of the server, which goes out on another stream where no connection has carried it. */
    void ask(Json question, Mark mark) {
        append(question, mark, false);
    }

    /** Enqueues a message unless the same one waits already. */
    void enqueueOnce(Json message) {
        lock.run(() -> {
            boolean waits = entries.stream().anyMatch(entry -> isUnread(entry) && message.equals(entry.message()));
            if (!waits) {
                append(message, last.mark(), true);
            }
        });
    }

    /** Takes a message back that went out elsewhere: a client that comes back to this stream is not sent it. */
    void retract(Json message) {
        lock.run(() -> {
            var all = List.copyOf(entries);
            entries.clear();
            all.forEach(entry -> entries.addLast(
                    message.equals(entry.message()) ? new Entry(entry.id(), null, entry.isNews()) : entry));
        });
    }

    /** Enqueues the response, or ends the stream without one; nothing can be enqueued after that. */
    void end(@Nullable Json response) {
        lock.run(() -> {
            if (response != null) {
                append(response, last.mark(), false);
            }
            ended = true;
            changed.signalAll();
        });
    }

    private void append(Json message, Mark mark, boolean isNews) {
        lock.run(() -> {
            if (ended) {
                return;
            }
            last = last.next(mark);
            unread++;
            entries.addLast(new Entry(last, message, isNews));
            bytes += message.size();
            evict();
            changed.signalAll();
        });
    }

    /** What a connection has still to carry is kept whatever its size, as is all before the first connection. */
    private void evict() {
        while (!entries.isEmpty() && (entries.size() > KEPT || bytes > keptBytes)) {
            boolean isUnread = entries.getFirst().id().number() > sent;
            if (isUnread && (carrier != null || !opened)) {
                return;
            }
            unread -= isUnread ? 1 : 0;
            var oldest = entries.removeFirst();
            bytes -= oldest.size();
            evicted = oldest.id();
        }
    }

    /**
     * Has a connection carry the stream; gives the one before, which is to be closed.
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
            sent = Math.max(from, evicted.number());
            unread = (int) entries.stream().filter(this::isUnread).count();
            prime = comesBack && !ended ? lastSent() : null;
            changed.signalAll();
            return before;
        });
    }

    private boolean isUnread(Entry entry) {
        return entry.id().number() > sent;
    }

    private EventId lastSent() {
        return entries.stream()
                .filter(entry -> !isUnread(entry))
                .map(Entry::id)
                .reduce(evicted, (before, next) -> next);
    }

    /** The connection carries the stream no more. What it has not carried waits for the client to come back. */
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
     * Takes back what no connection has carried, for another stream of the session. What is repeated here stays, since
     * the session was told it before, and questions stay until they are put elsewhere. A message that is being written
     * stays, too, for a client that comes back: on the other stream it would come behind later ones.
     */
    List<Unsent> takeUnsent() {
        return lock.get(() -> {
            if (writing) {
                kept = sent;
            }
            if (unread == 0) {
                return List.<Unsent>of();
            }
            var unsent = entries.stream()
                    .filter(entry ->
                            isUnread(entry) && entry.id().number() > kept && entry.isNews() && entry.message() != null)
                    .toList();
            entries.removeAll(unsent);
            unread -= unsent.size();
            bytes -= unsent.stream().mapToInt(Entry::size).sum();
            return unsent.stream()
                    .map(entry -> new Unsent(
                            Objects.requireNonNull(entry.message()), entry.id().mark(), true))
                    .toList();
        });
    }

    /** Writes what is enqueued on this connection until the stream ends or something else carries it. Blocks. */
    public void pump(EventStream connection) throws InterruptedException {
        while (awaitWork(connection)) {
            flush();
        }
    }

    private boolean awaitWork(EventStream connection) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (connection.equals(carrier) && (writing || next() == null && prime == null)) {
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

    /** @param entry null for an event without a message, by which a client can come back */
    private record Write(
            EventStream to, EventId id, @Nullable Entry entry) {

        /** False where the connection is gone. */
        boolean isDone() {
            try {
                if (entry == null) {
                    to.clientComesBack();
                    to.prime(id.text(), null);
                } else if (entry.message() != null) {
                    to.send(id.text(), entry.message());
                }
                return true;
            } catch (PeerGoneException e) {
                return false;
            }
        }
    }

    /** Writes what is enqueued, unless another thread does already. */
    void flush() {
        for (var next = lock.get(this::nextWrite); next != null; next = lock.get(this::nextWrite)) {
            write(next);
        }
    }

    private @Nullable Write nextWrite() {
        var next = next();
        if (writing || carrier == null || next == null && prime == null) {
            return null;
        }
        writing = true;
        var due = prime;
        prime = null;
        if (due != null) {
            return new Write(carrier, due, null);
        }
        sent = next.id().number();
        unread--;
        return new Write(carrier, next.id(), next);
    }

    private void write(Write write) {
        boolean isGone = !write.isDone();
        var actions = lock.get(() -> {
            writing = false;
            if (isGone && (carrier == null || write.to().equals(carrier))) {
                carrier = null;
                if (write.entry() != null) {
                    sent = write.id().number() - 1;
                    unread++;
                }
            }
            evict();
            changed.signalAll();
            return carrier == null || unread < WAITING / 2 ? takeWhenRoom() : List.<Runnable>of();
        });
        actions.forEach(Runnable::run);
    }

    private @Nullable Entry next() {
        for (var entry : entries) {
            if (isUnread(entry)) {
                return entry;
            }
        }
        return null;
    }

    private List<Runnable> takeWhenRoom() {
        var actions = List.copyOf(whenRoom);
        whenRoom.clear();
        return actions;
    }
}
