// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.rpc.JsonRpcMessage.Request;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.question.QuestionKey;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers what happens to one task to one session, and alone knows how far the session was told. Events go to the
 * latest request that waits for the task, or to {@link WaitingRequests#told another}. Where none waits, they go to the
 * open stream of the task's call, else to the session's stream. Changes of state go only to these two streams. The end
 * is the response to each waiting request. A delivery only enqueues. Thread-safe.
 */
final class Delivery implements TaskFeed.Subscriber {

    private final Deliveries all;
    private final Context context;
    private final Session session;
    private final TaskId id;
    private final Manner manner;
    private @Nullable Narrator narrator;
    private @Nullable TaskFeed feed;
    private final Guard lock = new Guard();
    private final WaitingRequests waiting = new WaitingRequests();
    private final OpenQuestions questions;
    private final TaskMessages messages;
    private long position;
    private long version;
    private @Nullable TaskState toldState;
    private long toldToCall;
    private long toldToStream;

    /** The session may know the events up to this one: they are repeated only on the stream of the call. */
    private long repeatedTo;

    private boolean follows;
    private boolean joined;
    private boolean isOver;
    private boolean forgotten;

    /** The number of users: requests, including those that still read the history, and short actions. */
    private int users;

    /** @param manner in which the session is told of the task on streams that belong to no request */
    Delivery(Deliveries all, Session session, Task task, Manner manner) {
        this.all = all;
        this.context = all.context();
        this.session = session;
        this.manner = manner;
        id = task.id();
        position = task.position().lastEvent();
        toldToCall = position;
        toldState = task.state();
        messages = new TaskMessages(all, session, manner);
        questions = new OpenQuestions(context, session, id, manner, this::streamsChanged);
    }

    TaskId id() {
        return id;
    }

    /** The session keeps the delivery until {@link #exit}; false where the session has forgotten the delivery. */
    boolean enter() {
        return lock.get(() -> {
            users += forgotten ? 0 : 1;
            return !forgotten;
        });
    }

    /** Ends what {@link #enter} began. {@link #forget} must follow. */
    void exit() {
        lock.run(() -> users--);
    }

    /** Whether nothing is left to deliver or to remember; the session then forgets the delivery. */
    boolean forget() {
        return lock.get(() -> forgotten = forgotten || users == 0 && (isOver || !follows && !questions.isAny()));
    }

    /** Whether the session forgets the delivery: no listener, and no open question unless {@code evenAsked}. */
    boolean forgetIfIdle(boolean evenAsked) {
        return lock.get(() -> {
            forgotten = forgotten || feed == null && users == 0 && (evenAsked || !questions.isAny());
            return forgotten;
        });
    }

    /** Whether the session is being told what happens to the task. */
    boolean isLive() {
        return lock.get(() -> feed != null);
    }

    /** Whether an unanswered question of the task went out to the session. */
    boolean isAsking() {
        return lock.get(questions::isAny);
    }

    /** The session is to be told of the task on its own streams, once {@link #follow()} says so. */
    void prepare() {
        lock.run(this::called);
    }

    /** The session may have given another progress token. */
    private void called() {
        follows = manner.telling().inSession();
        narrator = null;
    }

    /** Has the session told of the task on its own streams from now on, whenever one is open. */
    void follow() {
        lock.run(() -> {
            called();
            streamsChanged();
        });
    }

    /** As {@link #follow()}, from the event after {@code seq} on. */
    void follow(long seq) {
        lock.run(() -> {
            moveTo(feed == null ? seq : position);
            toldState = feed == null ? TaskState.WORKING : toldState;
            follow();
        });
    }

    /** Has the session told of the end of the task on its own streams. */
    void followEnd(Task ended, Consumer<Unsent> stream) {
        lock.run(() -> {
            toldState = TaskState.WORKING;
            follows = true;
            catchUp(ended, stream);
        });
    }

    /** Has a session that joins the task told its progress so far. */
    void tellSoFar(Task task) {
        lock.run(() -> {
            var to = stream();
            if (to != null) {
                messages.enqueue(to, narrator(task).soFar(task), task, Mark.of(task), true);
            }
        });
    }

    /**
     * Has a request wait for the task, after it was told everything up to an event. False where the request is behind,
     * and must first read the history up to {@link #position}.
     *
     * @param again whether the request is also told what the session was told elsewhere before
     */
    boolean join(WaitingRequest request, long seq, boolean again) {
        return lock.get(() -> {
            // A call resets an unused delivery to the call's own beginning.
            boolean isNew = !joined && !follows;
            if (again && seq < position && !(isNew && request.isCall())) {
                return false;
            }
            if (feed == null) {
                moveTo(isNew ? seq : Math.max(seq, position));
            }
            joined = true;
            narrator = request.isCall() ? null : narrator;
            request.joins();
            waiting.add(request);
            streamsChanged();
            return true;
        });
    }

    List<String> living() {
        return lock.get(() -> questions.living());
    }

    /** The questions that a look at the task brings to the client; see {@link OpenQuestions#onLook}. */
    SequencedMap<String, Request> onLook(
            Task now, List<String> living, BiFunction<QuestionKey, Question, @Nullable Request> asks) {
        return lock.get(() -> questions.onLook(now, living, places(now), asks));
    }

    /** The client of this request has the questions that went out on its stream up to an event. */
    void resumed(EventId at, WaitingRequest by) {
        lock.run(() -> questions.resumed(at, by));
    }

    /** An answer to the question was not valid: the client may be asked again. */
    void release(String question) {
        lock.run(() -> {
            questions.release(question);
            poke();
        });
    }

    /**
     * Removes a request that no longer waits. Its unsent messages go where the events of the task go now, unless later
     * ones went there before. Where the call of the task has lost its stream, the session is told of the task from now
     * on.
     */
    void leave(WaitingRequest request) {
        lock.run(() -> {
            questions.leave(request);
            waiting.remove(request);
            users--;
            follows = follows || request.isCall() && manner.telling().inSession();
            var to = stream();
            if (waiting.isEmpty() && to != null && manner.telling().inSession()) {
                to.enqueue(request.takeUnsent(narrator(request.task()), toldToStream));
            }
            streamsChanged();
            all.forget(this, session);
        });
    }

    /** Has a connection carry the stream of the task's call, beginning with what did not reach the client there. */
    void open(MessageStream stream, EventStream connection, Task task, long seq) {
        lock.get(() -> {
                    if (follows) {
                        messages.replay(task, seq, toldToCall, stream);
                        // Another node may have told the client more than this one has.
                        moveTo(waiting.isEmpty() ? Math.max(position, seq) : position);
                    } else {
                        moveTo(seq);
                        toldState = null;
                        repeatedTo = task.position().lastEvent();
                    }
                    var before = SessionStreams.of(session).open(id, stream, connection);
                    follow();
                    return before;
                })
                .ifPresent(EventStream::close);
    }

    /**
     * Prepares for a stream of the session that resumes after an event which its client knows. Only this stream repeats
     * what the session was told since, and also tells what no other stream was told.
     */
    void resumed(Task now, long seq, Consumer<Unsent> stream) {
        lock.run(() -> {
            if (feed == null) {
                tell(now, seq, stream);
            } else {
                messages.replay(now, seq, position, position, stream);
                toldState = follows ? toldState : null;
                follows = manner.telling().inSession();
            }
        });
    }

    /** Prepares for a new stream of the session, which is told what happened while no stream was open. */
    void catchUp(Task now, Consumer<Unsent> stream) {
        lock.run(() -> {
            if (follows && feed == null) {
                tell(now, position, stream);
            }
        });
    }

    private void tell(Task now, long from, Consumer<Unsent> stream) {
        long last = now.position().lastEvent();
        messages.replay(now, from, last, follows ? position : last, stream);
        if (now.state().isTerminal()) {
            questions.withdrawn(now, narrator(now).taskName()).forEach(stream);
        }
        if (from < last || now.state() != toldState) {
            boolean isNews = follows ? now.state() != toldState : all.isOwed(session, now);
            messages.state(now).forEach(message -> stream.accept(message.with(isNews)));
        }
        moveTo(last);
        toldState = now.state();
        follows = manner.telling().inSession();
        isOver = now.state().isTerminal();
        if (isOver) {
            all.over(this, session);
        }
    }

    /** Prepares for a stream that is resumed: answered questions are not sent again. */
    void refresh(Task now) {
        lock.run(() -> questions.refresh(now));
    }

    /** Skips what happened without an open stream, except the end; false where the session is not told of the task. */
    boolean skip(Task now) {
        return lock.get(() -> {
            if (follows && feed == null && stream() == null && !now.state().isTerminal()) {
                moveTo(now.position().lastEvent());
                toldState = now.state();
            }
            return follows;
        });
    }

    /** Whether the end of the task is told. Blocks while it is being told: a client may have read that already. */
    boolean isOver() {
        return lock.get(() -> isOver);
    }

    /** The time from which the session is still to be told of the task. */
    Optional<Instant> untoldSince(Task now) {
        long from = lock.get(() -> position);
        return from < now.position().lastEvent()
                ? context.history(now, from).findFirst().map(TaskEvent::at)
                : Optional.empty();
    }

    /** A stream of the session was opened or has gone. */
    void streamsChanged() {
        lock.run(() -> {
            review();
            poke();
        });
    }

    void close() {
        lock.run(() -> {
            isOver = true;
            review();
        });
    }

    private void moveTo(long seq) {
        if (seq != position) {
            position = seq;
            // Events after the position are told live, and are not part of the replay.
            toldToCall = Math.min(toldToCall, seq);
            toldToStream = Math.min(toldToStream, seq);
            narrator = null;
        }
    }

    private Narrator narrator(Task now) {
        if (narrator == null) {
            narrator = messages.narrator(now, position);
        }
        return narrator;
    }

    private void poke() {
        if (feed != null) {
            feed.poke();
        }
    }

    /** Listens to the task as long as a request or a stream is to be told. */
    private void review() {
        boolean needed = !waiting.isEmpty()
                || !isOver && manner.telling().inSession() && (follows || questions.hasLost()) && stream() != null;
        if (needed && feed == null) {
            feed = all.feeds().subscribe(session.owner(), id, this);
        } else if (!needed && feed != null) {
            feed.unsubscribe(this);
            feed = null;
        }
    }

    /** The stream for messages that belong to no waiting request, or null where no stream is open. */
    private @Nullable MessageStream stream() {
        var ofCall = SessionStreams.of(session).ofCall(id);
        return ofCall == null ? SessionStreams.of(session).current() : ofCall;
    }

    @Override
    public long position() {
        return lock.get(() -> position);
    }

    @Override
    public boolean event(Task now, TaskEvent event) {
        return lock.get(() -> {
            // The delivery may have left the feed that calls here, and may have moved its position back.
            if (event.seq() != position + 1) {
                return event.seq() <= position;
            }
            // Looked up once: a client that has read the message may close its stream at once.
            var ofCall = SessionStreams.of(session).ofCall(id);
            var to = ofCall == null ? SessionStreams.of(session).current() : ofCall;
            if (!hasRoom(to)) {
                return false;
            }
            if (event.what() instanceof EventDetail.Answered(var key)) {
                questions.answered(key);
            }
            waiting.event(now, event);
            boolean isNews = event.seq() > repeatedTo;
            if (waiting.isEmpty() && follows && to != null && (isNews || to.equals(ofCall))) {
                messages.enqueue(to, narrator(now).event(now, event), now, Mark.of(now, event), isNews);
                toldToStream = event.seq();
                if (to.equals(ofCall)) {
                    toldToCall = event.seq();
                }
            } else if (narrator != null) {
                narrator.pass(event);
            }
            position = event.seq();
            return true;
        });
    }

    private boolean hasRoom(@Nullable MessageStream to) {
        boolean haveRoom = waiting.haveRoom(this::streamsChanged);
        boolean isStreamFull = to != null && waiting.isEmpty() && follows && !to.hasRoom();
        if (isStreamFull) {
            to.whenRoom(this::streamsChanged);
        }
        return haveRoom && !isStreamFull;
    }

    @Override
    public void current(Task now) {
        lock.run(() -> {
            if (position < now.position().lastEvent() || now.position().version() < version) {
                return;
            }
            version = now.position().version();
            if (now.state().isTerminal()) {
                end(now);
                return;
            }
            waiting.current(now);
            var to = stream();
            if (!follows) {
                toldState = now.state();
            } else if (to != null) {
                if (waiting.isEmpty()) {
                    messages.enqueue(to, narrator(now).caughtUp(now), now, Mark.of(now), true);
                }
                tellState(to, now);
            }
            questions.put(now, places(now));
            review();
        });
    }

    @Override
    public void gone() {
        lock.run(() -> {
            waiting.gone();
            close();
        });
    }

    private void tellState(MessageStream to, Task now) {
        if (now.state() != toldState) {
            to.enqueue(messages.state(now));
            toldState = now.state();
        }
    }

    /** Answers each waiting request. The session is told when the last request has left. */
    private void end(Task now) {
        questions.withdraw(now, places(now));
        waiting.end(now, stream() == null);
        if (waiting.isEmpty()) {
            tellEnd(now);
        }
    }

    /** Tells the end of the task; nothing is told of the task after this. */
    private void tellEnd(Task now) {
        var to = stream();
        if (follows && to != null) {
            tellState(to, now);
        }
        isOver = toldState == now.state();
        var ofCall = SessionStreams.of(session).ofCall(id);
        if (ofCall != null) {
            ofCall.end(null);
        }
        review();
        if (isOver && follows) {
            all.over(this, session);
        } else {
            all.forget(this, session);
        }
    }

    private OpenQuestions.Places places(Task now) {
        var to = manner.telling().inSession() ? stream() : null;
        return new OpenQuestions.Places(
                waiting.all(), to, follows, () -> narrator(now).taskName());
    }
}
