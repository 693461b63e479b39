// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The numbered messages of one stream: unsent ones, and the last sent ones. Not thread-safe: a {@link MessageStream}
 * has one under its lock.
 */
final class ReplayBuffer {

    /** The most sent messages that are kept. */
    static final int KEPT = 100;

    /** @param content null for a retracted message */
    record Entry(EventId id, @Nullable Unsent content) {
        @Nullable
        Json message() {
            return content == null ? null : content.message();
        }

        int size() {
            return content == null ? 0 : content.message().size();
        }
    }

    /** What a message tells. Two messages of one event tell the same, perhaps of different states of the task. */
    private record Sent(@Nullable TaskId task, long seq, Json what) {
        static Sent of(Mark mark, Json message) {
            var what = mark.task() == null
                    ? message
                    : Objects.requireNonNull(JsonReader.members(message).get("method"));
            return new Sent(mark.task(), mark.seq(), what);
        }
    }

    private final int keptBytes;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long bytes;
    private EventId last;

    /** The last message that is no longer kept. */
    private EventId evicted;

    /** The number of the last message that the present connection carries, or the client has. */
    private long sent;

    /** Messages up to this number stay: later ones have moved to another stream, where these would follow them. */
    private long pinned;

    /** The number of unsent messages. */
    private int unread;

    /**
     * @param start     the position before the first message
     * @param keptBytes the most bytes of sent messages that are kept
     */
    ReplayBuffer(EventId start, int keptBytes) {
        last = start;
        evicted = start;
        sent = start.number();
        this.keptBytes = keptBytes;
    }

    EventId last() {
        return last;
    }

    int unread() {
        return unread;
    }

    /** Whether all messages after {@code number} are here. */
    boolean covers(long number) {
        return number >= evicted.number() && number <= last.number();
    }

    void append(Unsent message) {
        last = last.next(message.mark());
        unread++;
        entries.addLast(new Entry(last, message));
        bytes += message.message().size();
    }

    /** Those messages that tell what no message here tells, and no other one of them. */
    List<Unsent> untold(List<Unsent> messages) {
        var told = new HashSet<Sent>();
        for (var entry : entries) {
            if (entry.message() != null) {
                told.add(Sent.of(entry.id().mark(), entry.message()));
            }
        }
        return messages.stream()
                .filter(one -> told.add(Sent.of(one.mark(), one.message())))
                .toList();
    }

    boolean hasUnread(Json message) {
        return entries.stream().anyMatch(entry -> isUnread(entry) && message.equals(entry.message()));
    }

    /** Removes a message, but keeps its number. */
    void retract(Json message) {
        var all = List.copyOf(entries);
        entries.clear();
        for (var entry : all) {
            if (message.equals(entry.message())) {
                bytes -= entry.size();
                entries.addLast(new Entry(entry.id(), null));
            } else {
                entries.addLast(entry);
            }
        }
    }

    /** Removes the oldest messages, down to the limits. */
    void evict(boolean evenUnread) {
        while (!entries.isEmpty() && (entries.size() > KEPT || bytes > keptBytes)) {
            boolean isUnread = isUnread(entries.getFirst());
            // What a stream that keeps nothing has not sent moves to another one, as may what is being written.
            boolean stays = keptBytes == 0 ? entries.getFirst().id().number() >= sent : isUnread && !evenUnread;
            if (stays) {
                return;
            }
            unread -= isUnread ? 1 : 0;
            var oldest = entries.removeFirst();
            bytes -= oldest.size();
            evicted = oldest.id();
        }
    }

    /** Moves to the position after a number, up to which the client has the messages. */
    void rewind(long number) {
        sent = Math.max(number, evicted.number());
        unread = (int) entries.stream().filter(this::isUnread).count();
    }

    EventId lastSent() {
        return entries.stream()
                .filter(entry -> !isUnread(entry))
                .map(Entry::id)
                .reduce(evicted, (before, next) -> next);
    }

    /** The first unsent message, or null. */
    @Nullable
    Entry next() {
        for (var entry : entries) {
            if (isUnread(entry)) {
                return entry;
            }
        }
        return null;
    }

    void sent(Entry entry) {
        sent = entry.id().number();
        unread--;
    }

    /** Marks the last sent message as unsent, because it did not go out. */
    void unsent(Entry entry) {
        sent = entry.id().number() - 1;
        unread++;
    }

    /** Pins all messages sent so far to this stream. */
    void pinSent() {
        pinned = sent;
    }

    /** Removes and gives the unsent messages of which {@code which} is true, except repeated and pinned ones. */
    List<Unsent> takeUnsent(Predicate<Unsent> which) {
        if (unread == 0) {
            return List.of();
        }
        var taken = new ArrayList<Unsent>();
        entries.removeIf(entry -> {
            var content = entry.content();
            boolean isTaken = content != null
                    && isUnread(entry)
                    && entry.id().number() > pinned
                    && content.isNews()
                    && which.test(content);
            return isTaken && taken.add(content);
        });
        unread -= taken.size();
        bytes -= taken.stream().mapToInt(one -> one.message().size()).sum();
        return taken;
    }

    private boolean isUnread(Entry entry) {
        return entry.id().number() > sent;
    }
}
