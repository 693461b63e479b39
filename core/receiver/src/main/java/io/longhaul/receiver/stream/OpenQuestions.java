// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage.Request;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.clienttask.ClientTasks;
import io.longhaul.receiver.clienttask.FollowedQuestions;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.question.QuestionIds;
import io.longhaul.receiver.question.QuestionKey;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import io.longhaul.receiver.task.TaskViews;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The unanswered questions of one task in one session: which questions the client has, and which go out on the next
 * request or stream that can carry them. The client has a question while the request or the stream that carried it is
 * open. After that, the question goes out again under the same id. Guarded by the lock of its delivery.
 */
final class OpenQuestions {

    private static final Duration SHORTEST_HOLD = Duration.ofSeconds(1);
    private static final Duration LONGEST_HOLD = Duration.ofSeconds(2);
    private static final Duration AGAIN = Duration.ofMinutes(1);

    /** The holder of a question that went out with the answer to a poll. */
    private record InFront(Instant at) {}

    /** A question as it went out on a stream. */
    private record OnStream(MessageStream stream, Json message) {}

    private final Context context;
    private final Session session;
    private final TaskId task;
    private final Manner manner;
    private final Runnable again;
    private final FollowedQuestions followed;

    /** The request, stream or poll on which each question that the client has went out, by the question's key. */
    private final Map<String, Object> inFront = new HashMap<>();

    /** The streams of the session on which the questions went out last. */
    private final Map<String, OnStream> onStreams = new HashMap<>();

    /** Questions that a waiting request has left behind. */
    private final Set<String> lost = new HashSet<>();

    /** Whether each question that has waited for a poll waits no longer. */
    private final Map<String, AtomicBoolean> held = new HashMap<>();

    /**
     * Where a question can go.
     *
     * @param waiting requests that wait for the task
     * @param stream  the open stream of the session for the task, or null
     * @param follows whether the session is told of the task on its own streams
     * @param name    the name of the task on that stream
     */
    record Places(
            List<WaitingRequest> waiting, @Nullable MessageStream stream, boolean follows, Supplier<String> name) {}

    /**
     * The state before any question was asked.
     *
     * @param manner  of questions on the session's own streams
     * @param again   has the questions looked at again; does not block
     */
    OpenQuestions(Context context, Session session, TaskId task, Manner manner, Runnable again) {
        this.context = context;
        this.session = session;
        this.task = task;
        this.manner = manner;
        this.again = again;
        followed = new FollowedQuestions(context, session, task, again);
    }

    /** The client of this request has the questions that went out on its stream up to an event. */
    void resumed(EventId at, WaitingRequest by) {
        inFront.replaceAll((key, holder) -> {
            if (!(holder instanceof WaitingRequest before) || !before.hasAsked(key, at)) {
                return holder;
            }
            by.hasAsked(key, before);
            return by;
        });
    }

    /** The answer to the question was not valid: the client may be asked again. */
    void release(String key) {
        inFront.remove(key);
    }

    void answered(String key) {
        followed.unwanted(key);
        inFront.remove(key);
        retract(key);
        lost.remove(key);
    }

    /**
     * Removes a question from its stream when it is answered or went out elsewhere, so that a client that resumes the
     * stream does not get it.
     */
    private void retract(String key) {
        var earlier = onStreams.remove(key);
        if (earlier != null) {
            earlier.stream().retract(earlier.message());
        }
    }

    /** Removes questions that were answered while the session was not told of the task. */
    void refresh(Task now) {
        var open = now.outstanding().stream().map(InputRequest::key).toList();
        List.copyOf(inFront.keySet()).stream()
                .filter(key -> !open.contains(key))
                .forEach(this::answered);
        lost.retainAll(open);
    }

    /** The questions that an open request or stream has brought to the client. */
    List<String> living() {
        return inFront.entrySet().stream()
                .filter(entry -> lives(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean lives(@Nullable Object holder) {
        return holder instanceof WaitingRequest request && !request.hasLeft()
                || holder instanceof MessageStream stream && stream.isOpen();
    }

    /**
     * The open questions that a poll of the task brings to the client, under their ids, without those that an open
     * stream has brought or brings next. A poll repeats a question only after the time from the asking to the last
     * repetition has passed once more, plus a minute. A client that polls every second is not asked every second, and a
     * client that lost the answer to its poll is asked again.
     *
     * @param living the questions that open streams have brought to clients of the owner
     * @param asks   gives the question as the poll brings it, or null where the client cannot be asked this question
     */
    SequencedMap<String, Request> onLook(
            Task now, List<String> living, Places places, BiFunction<QuestionKey, Question, @Nullable Request> asks) {
        refresh(now);
        var brought = new LinkedHashMap<String, Request>();
        for (var input : now.outstanding()) {
            var question = QuestionKinds.of(input);
            var key = new QuestionKey(task, input.key());
            boolean comes = places.waiting().stream().anyMatch(request -> request.canAsk(question))
                    || lives(places.stream()) && isForSession(question, input.key(), places);
            if (living.contains(input.key()) || comes || wasBrought(input)) {
                continue;
            }
            var request = asks.apply(key, question);
            if (request != null && mayPut(key, question)) {
                brought.put(input.key(), request);
                retract(input.key());
                inFront.put(input.key(), new InFront(context.now()));
                lost.add(input.key());
            }
        }
        return brought;
    }

    private boolean wasBrought(InputRequest input) {
        Instant now = context.now();
        return inFront.get(input.key()) instanceof InFront(var at)
                && !now.isBefore(at)
                && now.isBefore(at.plus(Duration.between(earlier(input.askedAt(), at), at))
                        .plus(AGAIN));
    }

    /** Releases the questions of a request that waits no longer: they go out elsewhere unless the client resumes. */
    void leave(WaitingRequest request) {
        request.left();
        inFront.forEach((key, holder) -> {
            if (holder.equals(request)) {
                lost.add(key);
            }
        });
    }

    boolean hasLost() {
        return !lost.isEmpty();
    }

    /** Whether the client has, or had on a stream that is gone, an unanswered question. */
    boolean isAny() {
        return !lost.isEmpty() || !inFront.isEmpty();
    }

    /** Puts each question that the client does not have on the next request or stream that can carry it. */
    void put(Task now, Places places) {
        refresh(now);
        now.outstanding().forEach(input -> put(now, input, places));
        close(now, places);
    }

    /** Sends the last requests about the client's own tasks. */
    private void close(Task now, Places places) {
        var way = followed.isAnyLeft() ? way(now, places, places.follows()) : null;
        if (way != null) {
            followed.close(way);
        }
    }

    /** Takes a request about a question to the client; null where no stream can carry it. */
    private @Nullable Consumer<Request> way(Task now, Places places, boolean isForSession) {
        var waiting = places.waiting().stream().filter(WaitingRequest::canPass).findFirst();
        if (waiting.isPresent()) {
            return request -> waiting.get().pass(request, Mark.of(now));
        }
        var to = places.stream();
        return to == null || !isForSession ? null : request -> to.ask(JsonRpcCodec.encode(request), Mark.of(now));
    }

    /**
     * Puts one question. The questions of a broken stream stay on it until another stream can carry them, because the
     * client may resume it.
     */
    private void put(Task now, InputRequest input, Places places) {
        boolean isForSession = places.follows() || lost.contains(input.key());
        var holder = inFront.get(input.key());
        if (followed.put(input, way(now, places, isForSession)) || lives(holder)) {
            return;
        }
        var question = QuestionKinds.of(input);
        var key = new QuestionKey(task, input.key());
        var asked = places.waiting().stream()
                .filter(request -> request.canAsk(question))
                .findFirst();
        var to = places.stream();
        Object taken = null;
        if (asked.isPresent()) {
            if (mayPut(key, question) && asked.get().ask(question, key, Mark.of(now))) {
                retract(input.key());
                taken = asked.get();
            }
        } else if (to != null && isForSession(question, input.key(), places) && !isHeld(now, input)) {
            var request = manner.dialect()
                    .encode(key.requestId(), question, places.name().get());
            if (request != null && mayPut(key, question)) {
                retract(input.key());
                var message = JsonRpcCodec.encode(ClientTasks.of(session).asking(request, key, waits()));
                to.ask(message, Mark.of(now));
                onStreams.put(input.key(), new OnStream(to, message));
                taken = to;
            }
        }
        if (taken != null) {
            inFront.put(input.key(), taken);
        }
    }

    private Duration waits() {
        return context.engine().limits().answerTimeout();
    }

    private boolean isForSession(Question question, String key, Places places) {
        var facts = session.facts();
        return facts != null
                && (places.follows() || lost.contains(key))
                && QuestionKinds.missing(question, facts.capabilities()) == null;
    }

    /**
     * Whether the question waits for a poll: a client that learns of questions by polling must see the state
     * {@code input_required} before the question is answered on another stream.
     */
    private boolean isHeld(Task now, InputRequest input) {
        if (!manner.telling().asksAfterPoll()) {
            return false;
        }
        return !held.computeIfAbsent(input.key(), key -> hold(now, input)).get();
    }

    /**
     * Sets the alarm and tells whether it has come. The suggested poll interval grows with the age of the task: its
     * value now counts.
     */
    private AtomicBoolean hold(Task now, InputRequest input) {
        var poll = TaskViews.of(context).of(now).poll();
        var hold = poll.compareTo(LONGEST_HOLD) > 0 ? LONGEST_HOLD : poll;
        Instant asked = earlier(input.askedAt(), context.now());
        Instant due = asked.plus(hold.compareTo(SHORTEST_HOLD) < 0 ? SHORTEST_HOLD : hold);
        var over = new AtomicBoolean();
        if (context.now().isBefore(due)) {
            context.engine().time().at(due, () -> {
                over.set(true);
                again.run();
            });
        }
        // The clock is read after the alarm is set: a hold that had already ended has no alarm.
        over.compareAndSet(false, !context.now().isBefore(due));
        return over;
    }

    /** The time of asking is later than now where the clock was set back since. */
    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /**
     * Whether the task still waits for the answer: the feed's snapshot may be old. If so, the question may go out: its
     * answer is found even after a restart, and a client that has read the question is told when it is complete.
     */
    private boolean mayPut(QuestionKey key, Question question) {
        var open = key.open(context.engine(), session.owner());
        open.ifPresent(input -> {
            new QuestionIds(context.engine().rows()).keep(key, input.deadline());
            session.urlElicitations().remember(question.params());
        });
        return open.isPresent();
    }

    /** The messages for the next stream that withdraw the questions of a task which ended while no stream was open. */
    List<Unsent> withdrawn(Task now, String name) {
        List<Unsent> messages = new ArrayList<>();
        withdraw(now, () -> name, (holder, notice) -> {
            var message = manner.dialect().encode(notice, null);
            if (!(holder instanceof WaitingRequest) && message != null) {
                messages.add(new Unsent(JsonRpcCodec.encode(message), Mark.before(now), true));
            }
        });
        followed.close(request -> messages.add(new Unsent(JsonRpcCodec.encode(request), Mark.before(now), true)));
        return messages;
    }

    /** Withdraws the unanswered questions of a task that has ended. */
    void withdraw(Task now, Places places) {
        withdraw(now, places.name(), (holder, notice) -> {
            // The withdrawal follows the question on the same stream, so that a slow client reads them in order.
            var to = holder instanceof MessageStream stream && stream.isOpen() ? stream : places.stream();
            var message = manner.dialect().encode(notice, null);
            if (holder instanceof WaitingRequest request) {
                if (places.waiting().contains(request)) {
                    request.enqueue(notice, Mark.before(now));
                }
            } else if (to != null && message != null) {
                to.enqueue(JsonRpcCodec.encode(message), Mark.before(now));
            }
        });
        close(now, places);
        inFront.clear();
        lost.clear();
    }

    /** @param to takes each withdrawal, with the holder of its question */
    private void withdraw(Task now, Supplier<String> name, BiConsumer<Object, Notice> to) {
        refresh(now);
        for (var input : now.outstanding()) {
            var holder = inFront.remove(input.key());
            retract(input.key());
            if (!followed.unwanted(input.key()) && holder != null) {
                var id = new QuestionKey(task, input.key()).requestId();
                to.accept(holder, new Notice.Withdrawn(id, "The task has ended", name.get()));
            }
        }
    }
}
