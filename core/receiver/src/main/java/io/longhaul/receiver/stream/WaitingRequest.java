// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.clienttask.ClientTasks;
import io.longhaul.receiver.plan.Left;
import io.longhaul.receiver.plan.StreamEnd;
import io.longhaul.receiver.question.QuestionKey;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.request.AuditLog;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import io.longhaul.receiver.task.AwaitedAnswer;
import io.longhaul.receiver.task.Heartbeat;
import io.longhaul.receiver.task.TaskVerbs;
import io.longhaul.receiver.task.TaskViews;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for its task. The client is told what happens meanwhile, and the request is answered when its
 * {@link AwaitedAnswer} says so. The delivery enqueues; the thread of the request writes. Thread-safe.
 */
final class WaitingRequest {

    private final Context context;
    private final InboundRequest request;
    private final Wait wait;
    private final AwaitedAnswer response;
    private final Narrator narrator;
    private final @Nullable Heartbeat heartbeat;
    private final MessageStream stream;
    private final @Nullable String firstId;
    private final Instant quietUntil;
    private final EventStream connection = new ReplyConnection();
    private volatile boolean ended;
    private volatile boolean isCancelledWithCall;

    /** Whether the request has told the stored history, and now tells live events. */
    private volatile boolean isLive;

    /** The last event that the client was told here, or is to be told. */
    private volatile long toldTo;

    private volatile boolean left;

    private volatile TaskTime.Alarm nextBeat = () -> {};
    private TaskTime.Alarm latest = () -> {};
    private TaskTime.Alarm opening = () -> {};

    /** Whether the latest time of the answer has come. */
    private volatile boolean isTooLate;

    private boolean isOpen;

    /** The answer, which goes out behind the messages; null where the stream ends without one. */
    private volatile @Nullable CallResponse answer;

    /** The last event of the task that the answer covers. */
    private volatile long answered;

    /** The reply, as the connection of the stream: what goes out first opens it. */
    private final class ReplyConnection implements EventStream {

        @Override
        public void send(@Nullable String id, Json message) {
            open();
            request.reply().send(id, message);
        }

        @Override
        public void prime(String id, @Nullable Duration retry) {
            open();
        }

        @Override
        public boolean isOpen() {
            return !left;
        }

        @Override
        public void onGone(Runnable action) {
            request.reply().onGone(action);
        }

        /** Does nothing: the response ends the reply. */
        @Override
        public void close() {}
    }

    /**
     * @param narrator   turns events into the words of the request
     * @param quietUntil when a request for an outcome gets its stream even without a message
     */
    WaitingRequest(
            Context context,
            InboundRequest request,
            Wait wait,
            AwaitedAnswer response,
            Narrator narrator,
            Instant quietUntil) {
        this.context = context;
        this.request = request;
        this.wait = wait;
        this.response = response;
        this.narrator = narrator;
        this.quietUntil = quietUntil;
        toldTo = wait.isResumed() ? wait.seq() : 0;
        heartbeat = wait.isResumed()
                ? null
                : Heartbeat.of(wait.call(), narrator.taskName(), response.hold(), context.now());
        var mark = new Mark(wait.task().position().updatedAt(), wait.task().id(), wait.seq());
        var kind = wait.isCall() ? Kind.CALL : Kind.WAIT;
        var start = EventId.start(kind, request.session(), context.newId(), mark, request.id())
                .under(wait.call().extras().progressToken());
        boolean hasIds = request.manner().streamEnd().isResumed()
                && !request.reply().isOnConnection()
                && !wait.isPart()
                && start.fits();
        stream = MessageStream.unkept(start, hasIds);
        firstId = stream.lastId();
        stream.attach(connection, 0);
    }

    /** Blocks until the request is answered, or the client no longer waits. */
    void run(Delivery delivery) throws Exception {
        if (wait.isCall()) {
            request.live().waitsFor(wait.task().id(), wait.leaving());
        }
        try {
            awaitLatest(delivery);
            awaitBeat(delivery);
            boolean again = wait.isCall() || wait.isResumed();
            if (!again) {
                // This comes before the client can know that its stream is open: from then on the client is told here.
                delivery.join(this, wait.seq(), false);
            }
            if (wait.resumed() != null) {
                // This comes before the client can know the first id of this stream, after which it may resume at once.
                delivery.resumed(wait.resumed(), this);
            }
            if (again) {
                open();
            } else {
                opening = context.engine().time().at(quietUntil, stream::prime);
            }
            request.live().interruptibly(() -> {
                if (again) {
                    catchUp(delivery);
                }
                stream.pump(connection);
                if (!stream.isOpen()) {
                    throw new PeerGoneException("the client has left its stream");
                }
                end();
                return null;
            });
        } catch (InterruptedException e) {
            giveUp();
        } catch (PeerGoneException e) {
            close();
            giveUp();
        } finally {
            delivery.leave(this);
            latest.cancel();
            nextBeat.cancel();
            opening.cancel();
        }
    }

    private void open() {
        if (isOpen) {
            return;
        }
        isOpen = true;
        opening.cancel();
        boolean ended = wait.task().state().isTerminal() && !wait.isResumed();
        if (!ended && !request.reply().isOnConnection()) {
            request.reply().onGone(() -> close());
            if (!wait.leaving().byClosing() && wait.isPart()) {
                return;
            }
            // What opens the stream may be its first message: a client that loses that one resumes before it.
            request.reply().open(request.manner().streamEnd() == StreamEnd.POLLS ? firstId : null);
        }
    }

    /** The client has closed the response. */
    private void close() {
        request.live().leave(wait.leaving().closed(request.reply().isLeftUnnoticed()));
    }

    /** Has the delivery look at this request at the latest time of the answer. */
    private void awaitLatest(Delivery delivery) {
        isTooLate = !response.until().isAfter(context.now());
        if (!isTooLate && !response.until().equals(Instant.MAX)) {
            // The alarm, rather than the date, says that the time has come: the clock may be set back meanwhile.
            latest = context.engine().time().at(response.until(), () -> {
                isTooLate = true;
                delivery.streamsChanged();
            });
        }
    }

    /** Has the delivery look at this request at each heartbeat. */
    private void awaitBeat(Delivery delivery) {
        if (heartbeat != null && !left) {
            nextBeat = context.engine().time().at(heartbeat.after(context.now()), () -> {
                delivery.streamsChanged();
                awaitBeat(delivery);
            });
        }
    }

    /** Tells the stored events after those that the client knows, and then joins the requests that are told live. */
    private void catchUp(Delivery delivery) {
        if (wait.isCall() && wait.seq() == 0) {
            enqueue(
                    new Notice.TaskCreated(TaskViews.of(context).of(wait.task(), narrator.taskName())),
                    new Mark(wait.task().spec().createdAt(), wait.task().id(), 1));
        }
        long seq = wait.seq();
        while (stream.isOpen() && !delivery.join(this, seq, true)) {
            long some = Math.min(MessageStream.WAITING, delivery.position() - seq);
            for (var event : context.history(wait.task(), seq).limit(some).toList()) {
                if (!event(wait.task(), event, true)) {
                    return;
                }
            }
            seq += some;
            stream.flush();
        }
    }

    /** The request has told the stored history: what it does not send from now on may be told elsewhere. */
    void joins() {
        isLive = true;
    }

    /** Ends the request, whose messages are written. */
    private void end() {
        var given = answer;
        if (given == null) {
            request.reply().silently();
        } else if (!isCancelledWithCall || !silencedByCancel()) {
            var id = stream.endId(new Mark(context.now(), wait.task().id(), answered));
            if (!response.respond(request, wait.call(), id, given)) {
                giveUp();
            }
        }
    }

    /**
     * Ends without a response a call that its client has cancelled at another node. That node sent its message before
     * it cancelled the task.
     */
    private boolean silencedByCancel() {
        request.live().uninterrupted(() -> {
            context.nodes().catchUp();
            if (request.live().isCancelled()) {
                request.reply().silently();
            }
        });
        return request.live().isCancelled();
    }

    /** Handles a call that its client has cancelled, or whose connection is gone. */
    private void giveUp() {
        if (wait.isCall() && request.live().isCancelled()) {
            TaskVerbs.cancelWithCall(
                    context,
                    request.reply().observed().caller(),
                    request.owner(),
                    wait.task().id());
        }
        if (request.live().is(Left.CLOSED)) {
            request.reply().interrupted(stream.lastId());
        } else {
            request.reply().silently();
        }
    }

    /** Marks the request as no longer waiting: its questions may be put elsewhere. */
    void left() {
        left = true;
    }

    boolean hasLeft() {
        return left;
    }

    /** Whether the end of the task was told. */
    boolean hasEnded() {
        return ended;
    }

    /** Whether the request takes another event; one whose client is gone passes all on when it leaves. */
    boolean hasRoom() {
        return !stream.isOpen() || stream.hasRoom();
    }

    /** Runs {@code action} once when there is room; at once where there is room now. */
    void whenRoom(Runnable action) {
        stream.whenRoom(action);
    }

    /**
     * Takes the unsent messages behind {@code after} that the client was to get only here, except questions, which are
     * put again. Progress under a token that ends with this request is told as {@code next} tells it.
     */
    List<Unsent> takeUnsent(Narrator next, long after) {
        if (!isLive) {
            return List.of();
        }
        var taken = stream.takeUnsent(
                unsent -> unsent.isRequest() ? left : unsent.mark().seq() > after);
        if (!taken.isEmpty()) {
            toldTo = Math.min(toldTo, taken.getFirst().mark().seq() - 1);
        }
        return taken.stream().flatMap(unsent -> toldBy(next, unsent).stream()).toList();
    }

    /**
     * Has another request send what is unsent, unless that one has told later events, or is a call, which is told
     * everything anyway. A call that is open keeps its messages.
     */
    void passUnsent(WaitingRequest next) {
        if (next.isCall() || isCall() && !left) {
            return;
        }
        for (var unsent : takeUnsent(next.narrator, next.toldTo)) {
            next.stream.append(unsent);
            next.toldTo = Math.max(next.toldTo, unsent.mark().seq());
        }
    }

    private Optional<Unsent> toldBy(Narrator next, Unsent unsent) {
        boolean isDead = token() != null && !token().equals(next.token());
        return unsent.progress() == null || !isDead
                ? Optional.of(unsent)
                : next.instead(unsent.progress(), wait.task())
                        .flatMap(notice -> Optional.ofNullable(request.dialect().encode(notice, null)))
                        .map(message -> new Unsent(JsonRpcCodec.encode(message), unsent.mark(), true));
    }

    Task task() {
        return wait.task();
    }

    /** The progress token of the request, or null. */
    @Nullable
    Json token() {
        return narrator.token();
    }

    /** Whether the request is the call of the task, whose own stream gets everything. */
    boolean isCall() {
        return wait.isCall();
    }

    /**
     * Takes an event; false where the request is answered instead.
     *
     * @param isTold whether the client is told of the event on this request, rather than on another one
     */
    boolean event(Task task, TaskEvent event, boolean isTold) {
        // Another call, for an earlier part, may have the delivery read events again that this request's client knows.
        if (wait.isPart() && event.seq() <= wait.seq()) {
            return true;
        }
        var answer = response.before(task, event);
        if (answer.isPresent()) {
            answer(task, answer.get());
            return false;
        }
        if (isTold) {
            toldTo = Math.max(toldTo, event.seq());
        }
        boolean isKnown = wait.isResumed() && event.seq() <= wait.seq();
        if (isTold && !isKnown) {
            narrator.event(task, event)
                    .ifPresent(notice -> enqueue(
                            heartbeat == null ? notice : heartbeat.rising(notice, context.now()),
                            Mark.of(task, event)));
        } else {
            narrator.pass(event);
        }
        return true;
    }

    /** Takes the snapshot after all events were told; false where the request is answered now. */
    boolean current(Task task) {
        narrator.caughtUp(task).ifPresent(notice -> enqueue(notice, Mark.of(task)));
        if (heartbeat != null) {
            heartbeat.due(task, context.now()).ifPresent(notice -> enqueue(notice, Mark.of(task)));
        }
        var answer = response.current(task, isTooLate);
        answer.ifPresent(given -> answer(task, given));
        return answer.isEmpty();
    }

    /**
     * The task has ended.
     *
     * @param alone whether the session has no other stream on which it is told of a cancellation
     */
    void end(Task task, boolean alone) {
        if (ended) {
            return;
        }
        ended = true;
        if (alone) {
            narrator.cancelled(task).forEach(notice -> enqueue(notice, Mark.of(task)));
        }
        if (request.live().isCancelled()) {
            stream.end(null);
            return;
        }
        isCancelledWithCall = wait.isCall() && TaskVerbs.isCancelledWithCall(task);
        answer(task, response.current(task, true).orElseThrow());
    }

    void gone() {
        respond(response.gone(wait.task()), 0);
    }

    private void answer(Task task, CallResponse answer) {
        AuditLog.seen(task, request);
        respond(answer, response.told(task));
    }

    private void respond(CallResponse given, long seq) {
        if (answer == null) {
            answered = seq;
            answer = given;
            stream.end(null);
        }
    }

    /** Whether this question can go to the client on the stream of the request. */
    boolean canAsk(Question question) {
        return canPass() && QuestionKinds.missing(question, request.capabilities()) == null;
    }

    /** Whether the stream of the request takes requests of the server. */
    boolean canPass() {
        return request.asking().byRequest() && request.reply().canStream();
    }

    /** Puts a question of the task; false where the generation has no words for it. */
    boolean ask(Question question, QuestionKey key, Mark mark) {
        var message = request.dialect().encode(key.requestId(), question, narrator.taskName());
        if (message == null) {
            return false;
        }
        var waits = context.engine().limits().answerTimeout();
        var asking = ClientTasks.of(request.session()).asking(message, key, waits);
        stream.ask(key.key(), JsonRpcCodec.encode(asking), mark);
        return true;
    }

    /** Passes on a request about a question, rather than a question. */
    void pass(JsonRpcMessage.Request about, Mark mark) {
        stream.enqueue(JsonRpcCodec.encode(about), mark);
    }

    void enqueue(Notice notice, Mark mark) {
        var message = request.dialect().encode(notice, null);
        if (message != null) {
            var progress = notice instanceof Notice.Progress told ? told : null;
            stream.append(new Unsent(JsonRpcCodec.encode(message), mark, true, progress));
        }
    }

    /** Whether the client had this question when it had seen the stream up to an event. */
    boolean hasAsked(String question, EventId upTo) {
        return stream.hasAsked(question, upTo);
    }

    /** Takes over that the client has this question from an earlier connection. */
    void hasAsked(String question, WaitingRequest before) {
        stream.hasAsked(question, before.stream);
    }
}
