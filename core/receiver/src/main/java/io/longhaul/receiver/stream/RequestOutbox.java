// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Notice;
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
 * The queue of messages for the stream of a waiting request, and the questions that went out on it. Any thread enqueues
 * without waiting; the thread of the request takes and writes.
 */
final class RequestOutbox {

    /** The next step of the request's thread. */
    sealed interface Step {
        /**
         * @param question the key of the question that the message puts, or null
         * @param progress what the message tells, where that is progress
         */
        record Send(
                JsonRpcMessage message, Mark mark, @Nullable String question, Notice.@Nullable Progress progress)
                implements Step {
            Unsent unsent() {
                return new Unsent(JsonRpcCodec.encode(message), mark, true);
            }

            private boolean goesOn(boolean hasLeft, long after) {
                boolean isRequest = message instanceof JsonRpcMessage.Request;
                return question == null && (isRequest ? hasLeft : mark.seq() > after);
            }
        }

        /** @param seq the last event of the task that the answer covers */
        record Respond(CallResponse answer, long seq) implements Step {}

        /** Ends the stream without a response. */
        record Silently() implements Step {}

        /** Opens the stream, because no message has come for some time. */
        record OpenStream() implements Step {}
    }

    /** The most steps that wait for a slow client; the durable history keeps what comes after them. */
    static final int ROOM = 256;

    /** The most connections of a stream that are remembered for one question. */
    private static final int CONNECTIONS = 8;

    private final BlockingQueue<Step> steps = new LinkedBlockingQueue<>();
    private final List<Runnable> whenRoom = new ArrayList<>();

    /** The events with which each question went out on connections of the stream, by the question's key. */
    private final Map<String, List<EventId>> asked = new ConcurrentHashMap<>();

    private @Nullable EventId last;

    /** The step that was taken last, until it is done. */
    private @Nullable Step current;

    /** @param start the position before the first event of the stream; null for a stream without event ids */
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
            // This comes before the write: a client that has read the question may resume after it at once.
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

    /** Runs {@code action} once when there is room; at once where there is room now. */
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

    /**
     * Takes the unsent messages behind an event, except questions, which are put again. While the client is there, a
     * message that is being written stays, and so do requests about questions.
     */
    List<Step.Send> takeUnsent(boolean hasLeft, long after) {
        var all = new ArrayList<Step>();
        if (hasLeft && current != null) {
            all.add(current);
        }
        steps.drainTo(all);
        var taken = new ArrayList<Step.Send>();
        for (var step : all) {
            if (step instanceof Step.Send send && send.goesOn(hasLeft, after)) {
                taken.add(send);
            } else if (!hasLeft) {
                steps.add(step);
            }
        }
        return taken;
    }

    /** Whether the client had this question when it had seen the stream up to an event. */
    boolean hasAsked(String question, EventId upTo) {
        return asked.getOrDefault(question, List.of()).stream()
                .anyMatch(at -> at.stream().equals(upTo.stream()) && at.number() <= upTo.number());
    }

    /** Takes over that the client has this question from an earlier connection. */
    void hasAsked(String question, RequestOutbox before) {
        if (last != null) {
            var events = new ArrayList<>(before.asked.getOrDefault(question, List.of()));
            events.add(last);
            asked.put(question, List.copyOf(events.subList(Math.max(0, events.size() - CONNECTIONS), events.size())));
        }
    }
}
