package io.longhaul.receiver;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.SideCursor.Mark;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One side stream, whatever connections have carried it: numbers its messages, and keeps the latest for a client that
 * lost its connection. Thread-safe.
 */
final class SideTrack {

    private static final int MOST = 100;
    private static final int MOST_BYTES = 32 << 10;

    private record Kept(SideCursor cursor, Json message) {}

    private final String name;
    private final int mostBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Kept> kept = new ArrayDeque<>();
    private int bytes;
    private SideCursor last;

    /** @param start before the first message of it that can be kept here */
    SideTrack(SideCursor start) {
        this(start, MOST_BYTES);
    }

    /** @param mostBytes how much is kept of it */
    SideTrack(SideCursor start, int mostBytes) {
        this.mostBytes = mostBytes;
        name = start.stream();
        last = start;
    }

    String name() {
        return name;
    }

    /** The id of the last event of it. */
    String lastId() {
        lock.lock();
        try {
            return last.text();
        } finally {
            lock.unlock();
        }
    }

    /** Whether all that came after {@code number} is kept. */
    boolean covers(long number) {
        lock.lock();
        try {
            return number >= last.number() - kept.size() && number <= last.number();
        } finally {
            lock.unlock();
        }
    }

    /** Sends a message as the next one; what its client did not take belongs to no stream yet. */
    void send(EventStream stream, Json message, @Nullable Mark mark) {
        lock.lock();
        try {
            SideCursor before = last;
            append(message, mark);
            try {
                stream.send(last.text(), message);
            } catch (PeerGoneException e) {
                forgetLast(before);
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a message for a client that may come back; false where a stream has been opened meanwhile. */
    boolean keep(Json message, BooleanSupplier isOpen) {
        lock.lock();
        try {
            if (isOpen.getAsBoolean()) {
                return false;
            }
            append(message, null);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends what came after {@code number}, and does {@code attach} with the id of the last event before anything else
     * can come; false where some of it is not kept any more.
     */
    boolean replay(long number, EventStream stream, Consumer<String> attach) {
        lock.lock();
        try {
            boolean whole = covers(number);
            if (whole) {
                for (Kept one : kept) {
                    if (one.cursor().number() > number) {
                        stream.send(one.cursor().text(), one.message());
                    }
                }
            }
            attach.accept(last.text());
            return whole;
        } finally {
            lock.unlock();
        }
    }

    private void append(Json message, @Nullable Mark mark) {
        last = new SideCursor(name, last.number() + 1, mark == null ? last.mark() : mark);
        kept.addLast(new Kept(last, message));
        bytes += message.size();
        while (kept.size() > MOST || bytes > mostBytes) {
            bytes -= kept.removeFirst().message().size();
        }
    }

    private void forgetLast(SideCursor before) {
        if (!kept.isEmpty()) {
            bytes -= kept.removeLast().message().size();
        }
        last = before;
    }
}
