// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.receiver.request.Reply;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * What is still to go out on the stream of a request that waits, and which questions went out on it. Any thread
 * enqueues without waiting; the thread of the request takes and writes.
 */
final class RequestOutbox {

    /** What the thread of the request does next. */
    sealed interface Step {
        /** @param question the key of the question that the message puts, or null */
        record Send(
                JsonRpcMessage message, Mark mark, @Nullable String question) implements Step {
            Unsent unsent() {
                return new Unsent(JsonRpcCodec.encode(message), mark, true);
            }
        }

        /** @param seq the last event of the task of which the answer tells */
        record Respond(Answer answer, long seq) implements Step {}

        /** Ends the stream without a response. */
        record Silently() implements Step {}

        /** Opens the stream: nothing has come for a while. */
        record OpenStream() implements Step {}
    }

    /** How many steps wait for a slow client; the durable record keeps what comes after them. */
    static final int ROOM = 256;

    /** How many connections of a stream are known on which its client has a question. */
    private static final int CONNECTIONS = 8;

    private final BlockingQueue<Step> steps = new LinkedBlockingQueue<>();
    private final List<Runnable> whenRoom = new ArrayList<>();

    /** The events with which questions went out on connections of the stream, by the keys of the questions. */
    private final Map<String, List<EventId>> asked = new ConcurrentHashMap<>();

    private @Nullable EventId last;

    /** The step that was taken last, until it is done. */
    private @Nullable Step current;

    /** @param start before the first event of the stream; null for a stream without event ids */
    RequestOutbox(@Nullable EventId start) {
        last = start;
    }

    void add(Step step) {
        steps.add(step);
    }

    void addAll(List<Step.Send> more) {
        steps.addAll(more);
    }

    /** Blocks until there is a step. */
    Step take() throws InterruptedException {
        current = steps.take();
        return current;
    }

    /** The next step, or null where there is none. */
    @Nullable
    Step poll() {
        current = steps.poll();
        return current;
    }

    /** The id of the last event, or null where the stream has no ids. */
    @Nullable
    String lastId() {
        return last == null ? null : last.text();
    }

    /** The id of the response, or null where the stream has no ids. */
    @Nullable
    String endId(Mark mark) {
        return last == null ? null : last.next(mark).asEnd().text();
    }

    /** Writes the message that was taken. Blocks while the client does not read. */
    void write(Step.Send send, Reply reply) {
        if (last != null) {
            last = last.next(send.mark());
            // Before the write: a client that has read the question may come back behind it at once.
            if (send.question() != null) {
                asked.put(send.question(), List.of(last));
            }
        }
        reply.send(lastId(), send.message());
        current = null;
        roomMade();
    }

    boolean hasRoom() {
        return steps.size() < ROOM;
    }

    /** Runs {@code action} once when there is room; at once where there is. */
    void whenRoom(Runnable action) {
        synchronized (whenRoom) {
            if (!hasRoom()) {
                whenRoom.add(action);
                return;
            }
        }
        action.run();
    }

    private void roomMade() {
        if (steps.size() > ROOM / 2) {
            return;
        }
        List<Runnable> actions;
        synchronized (whenRoom) {
            actions = List.copyOf(whenRoom);
            whenRoom.clear();
        }
        actions.forEach(Runnable::run);
    }

    /** What has not gone out, but for questions, which are put again. */
    List<Step.Send> takeUnsent() {
        var unsent = new ArrayList<Step>();
        if (current != null) {
            unsent.add(current);
        }
        steps.drainTo(unsent);
        return unsent.stream()
                .filter(step -> step instanceof Step.Send send && send.question() == null)
                .map(Step.Send.class::cast)
                .toList();
    }

    /** Whether the client had this question when it had seen the stream up to an event. */
    boolean hasAsked(String question, EventId upTo) {
        return asked.getOrDefault(question, List.of()).stream()
                .anyMatch(at -> at.stream().equals(upTo.stream()) && at.number() <= upTo.number());
    }

    /** The client has this question from a connection before. */
    void hasAsked(String question, RequestOutbox before) {
        if (last != null) {
            var events = new ArrayList<>(before.asked.getOrDefault(question, List.of()));
            events.add(last);
            asked.put(question, List.copyOf(events.subList(Math.max(0, events.size() - CONNECTIONS), events.size())));
        }
    }
}
