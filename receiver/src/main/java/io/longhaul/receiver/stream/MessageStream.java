// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.request.Reply;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.ReplayBuffer.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * One logical stream to a client, whatever connections carry it: numbers its messages, and keeps the last ones for a
 * client that lost its connection. Messages are enqueued without waiting; one thread at a time writes them, outside of
 * the lock. Thread-safe.
 */
public final class MessageStream {

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

    private final String name;
    private final boolean comesBack;
    private final Guard lock = new Guard();
    private final Condition changed = lock.newCondition();
    private final ReplayBuffer buffer;
    private final List<Runnable> whenRoom = new ArrayList<>();
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
        name = start.stream();
        buffer = new ReplayBuffer(start, keptBytes);
        this.comesBack = comesBack;
    }

    String name() {
        return name;
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
        return lock.get(() -> ended && number >= buffer.last().number());
    }

    /** Whether all that came after {@code number} is kept. */
    public boolean covers(long number) {
        return lock.get(() -> buffer.covers(number));
    }

    /** Whether another message of a task can be enqueued: what a client has not read is bounded. */
    boolean hasRoom() {
        return lock.get(() -> buffer.unread() < WAITING);
    }

    /** Runs {@code action} once when there is room, or nothing carries the stream any more; at once where it is so. */
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
        append(message, mark, true);
    }

    /** Enqueues what another stream or request has not carried, unless it is here already. */
    void enqueue(Unsent unsent) {
        lock.run(() -> {
            if (!buffer.tells(unsent)) {
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
            if (!buffer.hasUnread(message)) {
                append(message, buffer.last().mark(), true);
            }
        });
    }

    /** Takes a message back that went out elsewhere: a client that comes back to this stream is not sent it. */
    void retract(Json message) {
        lock.run(() -> buffer.retract(message));
    }

    /** Enqueues the response, or ends the stream without one; nothing can be enqueued after that. */
    void end(@Nullable Json response) {
        lock.run(() -> {
            if (response != null) {
                append(response, buffer.last().mark(), false);
            }
            ended = true;
            changed.signalAll();
        });
    }

    /** @param isNews as {@link Unsent} */
    void append(Json message, Mark mark, boolean isNews) {
        lock.run(() -> {
            if (ended) {
                return;
            }
            buffer.append(message, mark, isNews);
            evict();
            changed.signalAll();
        });
    }

    /** What a connection has still to carry is kept whatever its size, as is all before the first connection. */
    private void evict() {
        buffer.evict(carrier == null && opened);
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
            buffer.rewind(from);
            prime = comesBack && !ended ? buffer.lastSent() : null;
            changed.signalAll();
            return before;
        });
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
                buffer.pinSent();
            }
            return buffer.takeUnsent();
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
            while (connection.equals(carrier) && (writing || buffer.next() == null && prime == null)) {
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
        var next = buffer.next();
        if (writing || carrier == null || next == null && prime == null) {
            return null;
        }
        writing = true;
        var due = prime;
        prime = null;
        if (due != null) {
            return new Write(carrier, due, null);
        }
        buffer.sent(next);
        return new Write(carrier, next.id(), next);
    }

    private void write(Write write) {
        boolean isGone = !write.isDone();
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
