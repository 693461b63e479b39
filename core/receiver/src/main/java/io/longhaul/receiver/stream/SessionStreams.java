// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All streams of one session that its client has open or may resume: side streams for messages that belong to no
 * request (GET over HTTP, or the lasting connection), streams of calls that were answered with a task, and streams of
 * quick calls. Thread-safe.
 */
public final class SessionStreams implements Session.Part {

    public static final int SESSION_BYTES = 32 << 10;

    /** The most open side streams; beyond that, the oldest is closed. */
    private static final int OPEN = 4;

    private static final int REMEMBERED = 8;
    private static final int ENDED_CALLS = 4;

    private record Open(MessageStream stream, EventStream connection) {}

    private final Guard lock = new Guard();
    private final Deque<Open> open = new ArrayDeque<>();
    private final BoundedMap<String, MessageStream> remembered = BoundedMap.byUse(REMEMBERED);
    private final Map<TaskId, Open> ofCalls = new HashMap<>();
    private final Map<String, MessageStream> quick = new HashMap<>();
    private final BoundedMap<String, MessageStream> endedQuick = BoundedMap.byInsertion(ENDED_CALLS);
    private boolean closed;

    public static SessionStreams of(Session session) {
        return session.part(SessionStreams.class, SessionStreams::new);
    }

    /**
     * Has a connection carry a side stream. Unsent messages of earlier side streams move to it, even where those are
     * still open, because new messages go on it, too. All these messages are sent in the order of time, because the
     * mark of an event covers all tasks of the session.
     *
     * @param from  the last message of the stream that the client has
     * @param first other messages to send before new ones
     */
    public void open(MessageStream stream, EventStream connection, long from, List<Unsent> first) {
        var gone = new ArrayList<EventStream>();
        lock.run(() -> {
            if (closed) {
                stream.attach(connection, from);
                stream.suspend();
            } else {
                open.removeIf(other -> other.stream().equals(stream));
                remembered.put(stream.name(), stream);
                var before = stream.attach(connection, from);
                if (before != null) {
                    gone.add(before);
                }
                move(remembered.values().stream(), stream, first);
                open.addFirst(new Open(stream, connection));
                if (open.size() > OPEN) {
                    var oldest = open.removeLast();
                    oldest.stream().detach(oldest.connection());
                    gone.add(oldest.connection());
                }
            }
        });
        gone.forEach(EventStream::close);
    }

    /** Moves the unsent messages of other streams to a stream, together with {@code more}, in the order of time. */
    private static void move(Stream<MessageStream> others, MessageStream to, List<Unsent> more) {
        var unsent = others.filter(other -> !other.equals(to)).flatMap(other -> other.takeUnsent().stream());
        to.enqueue(Stream.concat(more.stream(), unsent)
                .sorted(Comparator.comparing(one -> one.mark().at()))
                .toList());
    }

    /** Has a lasting connection carry all messages that belong to no request. */
    public void connect(Session session, String random, EventStream outlet) {
        var stream = MessageStream.unkept(EventId.start(Kind.SESSION, session, random, Mark.NONE, null), false);
        open(stream, outlet, 0, List.of());
        Thread.ofVirtual().name("outlet").start(() -> {
            try {
                stream.pump(outlet);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                closed(stream, outlet);
            }
        });
    }

    /**
     * Ends all side streams here, because another node carries the session's streams from now on. None is resumed.
     *
     * @return whether any was open
     */
    boolean endElsewhere() {
        var gone = lock.get(() -> {
            var all = List.copyOf(open);
            open.clear();
            remembered.clear();
            return all;
        });
        gone.forEach(one -> one.stream().end(null));
        return !gone.isEmpty();
    }

    /** Keeps, from now on, messages that find no open stream for this stream, which is being opened. */
    public void remember(MessageStream stream) {
        lock.run(() -> remembered.put(stream.name(), stream));
    }

    /** Handles the end of a stream's connection: its unsent messages go on another open stream, if there is one. */
    public void closed(MessageStream stream, EventStream connection) {
        lock.run(() -> {
            stream.detach(connection);
            open.removeIf(other -> other.connection().equals(connection));
            current();
        });
    }

    /**
     * The most recently opened stream that a connection still carries, or null. Unsent messages of other streams are
     * moved to it first, so that a new message does not overtake those on a stream whose connection was just found to
     * be gone.
     */
    @Nullable
    MessageStream current() {
        return lock.get(() -> {
            var current = inUse();
            if (current != null) {
                move(remembered.values().stream().filter(other -> !other.isInUse()), current, List.of());
            }
            return current;
        });
    }

    private @Nullable MessageStream inUse() {
        for (var one : open) {
            if (one.stream().isInUse()) {
                return one.stream();
            }
        }
        return null;
    }

    public boolean isOpen() {
        return lock.get(() -> inUse() != null);
    }

    /** The side stream with this name, while it is kept in memory. */
    public Optional<MessageStream> remembered(String name) {
        return lock.get(() -> Optional.ofNullable(remembered.get(name)));
    }

    /** Whether messages reach the client, now or when it resumes a stream. */
    public boolean isReachable() {
        return lock.get(() -> !remembered.isEmpty());
    }

    /** Enqueues a message without history, on an open stream or for a client that may come back; false without both. */
    public boolean announce(Json message) {
        return tell(stream -> stream.enqueueOnce(message));
    }

    /** Enqueues messages that other streams have not carried, as {@link #announce}. */
    boolean tell(List<Unsent> messages) {
        return tell(stream -> stream.enqueue(messages));
    }

    private boolean tell(Consumer<MessageStream> message) {
        return lock.get(() -> {
            var to = Optional.ofNullable(current())
                    .or(() -> remembered.values().stream().reduce((older, newer) -> newer));
            to.ifPresent(message);
            return to.isPresent();
        });
    }

    /**
     * Has a connection carry the stream of a task's call, in place of an earlier connection. Gives the connection that
     * carries nothing any more: the caller closes it under no lock, since the close may wait for a client.
     */
    Optional<EventStream> open(TaskId task, MessageStream stream, EventStream connection) {
        var before = lock.get(() -> {
            stream.attach(connection, 0);
            if (closed) {
                stream.suspend();
                return null;
            }
            return ofCalls.put(task, new Open(stream, connection));
        });
        if (before == null) {
            return Optional.empty();
        }
        before.stream().end(null);
        return Optional.of(before.connection());
    }

    public void closed(TaskId task, EventStream connection) {
        lock.run(() ->
                ofCalls.computeIfPresent(task, (id, now) -> now.connection().equals(connection) ? null : now));
    }

    /** The open stream of the call of a task, or null. */
    @Nullable
    MessageStream ofCall(TaskId task) {
        return lock.get(() -> {
            var own = ofCalls.get(task);
            return own == null || !own.stream().isOpen() ? null : own.stream();
        });
    }

    public void begin(MessageStream call) {
        lock.run(() -> quick.put(call.name(), call));
    }

    /** Ends the stream of a quick call. A few ended streams are kept for clients that lost their connection before. */
    public void end(MessageStream call, boolean isKept) {
        lock.run(() -> {
            quick.remove(call.name());
            if (isKept) {
                endedQuick.put(call.name(), call);
            }
        });
    }

    /** The stream of a quick call that runs or has recently ended. */
    public Optional<MessageStream> quick(EventId id) {
        return lock.get(() -> id.kind() == Kind.QUICK
                ? Optional.ofNullable(quick.getOrDefault(id.stream(), endedQuick.get(id.stream())))
                : Optional.empty());
    }

    /** Whether the session is in use because of its streams. */
    @Override
    public boolean isBusy() {
        return lock.get(() -> isOpen() || !ofCalls.isEmpty());
    }

    /** Ends all streams after their enqueued messages; clients are told when to resume them. */
    @Override
    public void close() {
        var all = lock.get(() -> {
            closed = true;
            var streams = new ArrayList<>(open);
            streams.addAll(ofCalls.values());
            open.clear();
            ofCalls.clear();
            return streams;
        });
        all.forEach(one -> one.stream().suspend());
    }
}
