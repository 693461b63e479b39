// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.rpc.JsonRpcMessage.Request;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.question.QuestionKey;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.request.AuditLog;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.session.FollowedTask;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.session.SessionTasks;
import io.longhaul.receiver.session.StreamPlaces;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import io.longhaul.receiver.task.AwaitedAnswer;
import io.longhaul.receiver.task.Origin;
import io.longhaul.receiver.task.SoonEnded;
import io.longhaul.receiver.task.TaskNames;
import io.longhaul.receiver.task.TaskVerbs;
import io.longhaul.receiver.task.Voice;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Delivers what happens to tasks to the sessions that created, joined or wait for them. Thread-safe. */
public final class Deliveries {

    private final Context context;
    private final DialectSelector dialects;
    private final TaskFeed.All feeds;
    private final SoonEnded soon;
    private volatile Function<Session, List<TaskId>> joinedTasks = session -> List.of();
    private volatile BiFunction<Session, Task, @Nullable Voice> voices = (session, task) -> null;

    public Deliveries(Context context, DialectSelector dialects) {
        this.context = context;
        this.dialects = dialects;
        feeds = new TaskFeed.All(context.engine());
        soon = new SoonEnded(context.engine());
    }

    Context context() {
        return context;
    }

    /**
     * Also tells sessions of tasks that they have joined. Call this before the first request.
     *
     * @param tasks of a session
     * @param voice how a session is told of a task; null where it has not joined the task
     */
    public void alsoTell(Function<Session, List<TaskId>> tasks, BiFunction<Session, Task, @Nullable Voice> voice) {
        joinedTasks = tasks;
        voices = voice;
    }

    public TaskFeed.All feeds() {
        return feeds;
    }

    /** How clients of the dialect of this name are dealt with; {@code other} where the dialect no longer exists. */
    public Manner manner(String name, Manner other) {
        return named(name).orElse(other);
    }

    /** The manner of a notice: a session that has joined the task is told of progress in its joining dialect. */
    Manner manner(Session session, Task task, Notice notice, Manner other) {
        boolean ofMember = notice instanceof Notice.Progress || notice instanceof Notice.CallCancelled;
        var voice = ofMember ? voice(session, task) : null;
        return voice == null || voice.dialect() == null ? other : manner(voice.dialect(), other);
    }

    /** How a session is told of a task that it has joined; null for any other task. */
    @Nullable
    Voice voice(Session session, Task task) {
        return voices.apply(session, task);
    }

    Delivery of(Session session, Manner manner, Task task) {
        var mine = SessionDeliveries.of(session);
        var known = mine.all.get(task.id());
        if (known != null) {
            return known;
        }
        if (mine.all.size() >= mine.many) {
            forgetOld(mine);
        }
        return mine.all.computeIfAbsent(task.id(), id -> new Delivery(this, session, task, manner));
    }

    /**
     * Forgets old deliveries. Otherwise a session that opens no stream and asks for no outcomes would keep a delivery
     * for each of its tasks. A stream that opens later is told of forgotten deliveries as after a restart.
     */
    private void forgetOld(SessionDeliveries mine) {
        mine.all.values().stream()
                .sorted(Comparator.comparing(delivery -> delivery.id().value(), Comparator.reverseOrder()))
                .skip(SessionDeliveries.REMEMBERED)
                .filter(delivery -> delivery.forgetIfIdle(false))
                .forEach(delivery -> mine.all.remove(delivery.id(), delivery));
        mine.many = 2 * Math.max(SessionDeliveries.REMEMBERED, mine.all.size());
    }

    public void awaitOutcome(InboundRequest request, Wait wait, @Nullable Supplier<String> requestState)
            throws Exception {
        await(request, wait, name -> AwaitedAnswer.outcome(context, wait.call(), name, requestState));
    }

    /**
     * Has a request wait for a task. Blocks until the request is answered, or the client no longer waits.
     *
     * @param response gives the answer, from the name of the task in the words of the request
     */
    public void await(InboundRequest request, Wait wait, Function<String, AwaitedAnswer> response) throws Exception {
        var task = wait.task();
        if (wait.isCall()) {
            request.reply().observed().becomesTask();
        }
        var name = TaskNames.related(request, wait.call(), task);
        var answer = response.apply(name);
        var quietUntil = context.now().plus(SoonEnded.SOON);
        if (!wait.isCall() && !wait.isResumed() && isAnsweredSoon(request, wait, answer)) {
            return;
        }
        var session = request.session();
        var narrator = new TaskMessages(this, session, request.manner()).narrator(wait, name);
        var waiting = new WaitingRequest(context, request, wait, answer, narrator, quietUntil);
        waiting.run(enter(session, request.manner(), task));
        if (wait.isCall() && !waiting.hasEnded() && request.manner().telling().inSession()) {
            FollowedTask.tell(context, request.session(), task, request.manner().name());
        }
    }

    /**
     * Answers a request for the outcome of a task that has ended, or ends soon, and of which the session is told
     * nothing else. Such a request needs no delivery.
     */
    private boolean isAnsweredSoon(InboundRequest request, Wait wait, AwaitedAnswer response) throws Exception {
        var task = wait.task();
        var delivery = SessionDeliveries.of(request.session()).all.get(task.id());
        if (delivery != null && delivery.isLive()) {
            return false;
        }
        long known = wait.seq();
        if (!task.state().isTerminal()) {
            if (!task.outstanding().isEmpty()
                    || delivery != null && delivery.isAsking()
                    || !response.until().equals(Instant.MAX)) {
                return false;
            }
            task = soon.changed(request, task);
            // One event is the end itself; any other event is told on the stream of the request.
            known++;
        }
        boolean isTold = wait.task().state().isTerminal() || task.state() != TaskState.CANCELLED;
        boolean isAll = isTold && known >= task.position().lastEvent();
        if (!task.state().isTerminal() || !isAll || request.live().isOver()) {
            return false;
        }
        AuditLog.seen(task, request);
        response.respond(
                request, wait.call(), null, response.current(task, true).orElseThrow());
        return true;
    }

    private Delivery enter(Session session, Manner manner, Task task) {
        var delivery = of(session, manner, task);
        while (!delivery.enter()) {
            delivery = of(session, manner, task);
        }
        return delivery;
    }

    /** Runs an action with the delivery of a task, which the session does not forget meanwhile. */
    private void with(Session session, Manner manner, Task task, Consumer<Delivery> action) {
        var delivery = enter(session, manner, task);
        try {
            action.accept(delivery);
        } finally {
            delivery.exit();
            forget(delivery, session);
        }
    }

    private Optional<Manner> named(String dialect) {
        return dialects.named(dialect).map(Planner::manner);
    }

    /** Has a session told of a task from here on, whenever the session has an open stream. */
    public void follow(Session session, Manner manner, Task task) {
        if (!task.state().isTerminal() && manner.telling().inSession()) {
            FollowedTask.tell(context, session, task, manner.name());
            live(session, manner, task, Delivery::follow);
        }
    }

    /** Follows a task that another node made for a session whose newest stream this node carries. */
    public void followed(Session session, FollowedTask told) {
        Consumer<Task> follow = task -> named(told.dialect())
                .filter(manner -> !task.state().isTerminal() || isOwed(session, task))
                .ifPresent(manner -> with(session, manner, task, delivery -> delivery.follow(told.seq())));
        context.engine()
                .find(session.owner(), told.task())
                .ifPresent(task -> new StreamPlaces(context)
                        .withStream(session, told.stream(), untoldSince(task), () -> follow.accept(task)));
    }

    /**
     * Resets the session because another node carries its streams, or did until now: this node's record of what the
     * client was told is outdated.
     *
     * @param quietSince since when the client may have been told nothing
     */
    public void toldElsewhere(Session session, Instant quietSince) {
        boolean hadStream = SessionStreams.of(session).endElsewhere();
        var mine = SessionDeliveries.of(session);
        streamsChanged(session);
        mine.toldElsewhere(quietSince);
        var known = hadStream ? List.copyOf(mine.all.values()) : List.<Delivery>of();
        mine.all.values().stream()
                .filter(delivery -> delivery.forgetIfIdle(true))
                .forEach(delivery -> mine.all.remove(delivery.id(), delivery));
        mine.untoldSince = untold(session, known);
    }

    /** The earliest end that these deliveries have not told. */
    private Instant untold(Session session, Collection<Delivery> deliveries) {
        return deliveries.stream()
                .filter(delivery -> !delivery.isOver())
                .flatMap(delivery -> context.engine().find(session.owner(), delivery.id()).stream())
                .map(Deliveries::untoldSince)
                .reduce(Instant.MAX, (one, other) -> one.isBefore(other) ? one : other);
    }

    private static Instant untoldSince(Task task) {
        return task.ending() == null ? Instant.MAX : task.ending().at();
    }

    /**
     * Since when other nodes may have to tell the client what streams of this node have not brought.
     *
     * @param stream since when the last of these streams has brought nothing
     */
    public Instant untoldSince(Session session, Instant stream) {
        var mine = SessionDeliveries.of(session);
        var untold = Collections.min(List.of(stream, mine.untoldSince, untold(session, mine.all.values())));
        mine.untoldSince = Instant.MAX;
        return untold;
    }

    /**
     * Prepares the delivery of a task that the session is about to learn of, and is told of from {@link #follow} on. A
     * request that waits for the task may come before that.
     */
    public void prepare(Session session, Manner manner, Task task) {
        if (!task.state().isTerminal() && manner.telling().inSession()) {
            with(session, manner, task, Delivery::prepare);
        }
    }

    /** Runs an action with the delivery of a task, unless the session was told of the end of the task meanwhile. */
    private void live(Session session, Manner manner, Task task, Consumer<Delivery> action) {
        with(session, manner, task, delivery -> {
            if (!SessionDeliveries.of(session).ended.contains(task.id())) {
                action.accept(delivery);
            }
        });
    }

    /** Has a session told of a task that it has joined: of its progress so far, and from here on. */
    public void joined(Session session, Manner manner, Task task) {
        if (!task.state().isTerminal()) {
            live(session, manner, task, delivery -> delivery.tellSoFar(task));
            follow(session, manner, task);
        }
    }

    /** The client was told of the end of the task. */
    void over(Delivery delivery, Session session) {
        SessionDeliveries.of(session).ended.add(delivery.id());
        forget(delivery, session);
    }

    void forget(Delivery delivery, Session session) {
        if (delivery.forget()) {
            SessionDeliveries.of(session).all.remove(delivery.id(), delivery);
        }
    }

    /**
     * What a stream starts with when it opens.
     *
     * @param since    the time before which nothing more is told
     * @param first    the first messages on the stream
     * @param whenOpen runs when the stream is open
     */
    public record Opening(Instant since, List<Unsent> first, Runnable whenOpen) {}

    /**
     * Prepares for a stream that a client is about to open in its session. The client is told what happens to the tasks
     * of the session from now on, and of ends that it missed because no stream was open. Call this before the client
     * can know that the stream is open, so that nothing is missed from then on.
     */
    public Opening opening(Session session) {
        List<Runnable> soFar = new ArrayList<>(List.of(() -> streamsChanged(session)));
        List<Unsent> untold = new ArrayList<>();
        List<Instant> since = new ArrayList<>(List.of(context.now()));
        each(session, (task, manner) -> {
            var delivery = SessionDeliveries.of(session).all.get(task.id());
            if (delivery != null && delivery.skip(task)) {
                delivery.untoldSince(task).ifPresent(since::add);
                delivery.catchUp(task, untold::add);
            } else if (!task.state().isTerminal()) {
                follow(session, manner, task);
                soFar.addFirst(() -> live(session, manner, task, it -> it.tellSoFar(task)));
            } else if (isOwed(session, task)) {
                with(session, manner, task, it -> it.followEnd(task, untold::add));
            }
        });
        untold.forEach(one -> since.add(one.mark().at()));
        return new Opening(
                Collections.min(since).truncatedTo(ChronoUnit.MILLIS), untold, () -> soFar.forEach(Runnable::run));
    }

    /** Whether the task has ended while the session had no open stream. */
    boolean isOwed(Session session, Task task) {
        var mine = SessionDeliveries.of(session);
        var since = mine.quietSince.equals(Instant.MAX) ? context.engine().startedAt() : mine.quietSince;
        var ending = task.ending();
        return ending != null
                && !mine.ended.contains(task.id())
                && !TaskVerbs.isCancelledWithCall(task)
                && !ending.at().isBefore(since);
    }

    /**
     * Prepares for a stream that is resumed from memory, which has all messages of this node that the client has not
     * read. A task of another node may have ended meanwhile.
     */
    public Opening resuming(Session session) {
        var mine = SessionDeliveries.of(session).all;
        mine.values()
                .forEach(known ->
                        context.engine().find(session.owner(), known.id()).ifPresent(known::refresh));
        List<Unsent> untold = new ArrayList<>();
        each(session, (task, manner) -> {
            var known = mine.get(task.id());
            if (known != null) {
                known.catchUp(task, untold::add);
            } else if (!task.state().isTerminal()) {
                follow(session, manner, task);
            } else if (isOwed(session, task)) {
                with(session, manner, task, it -> it.followEnd(task, untold::add));
            }
        });
        return new Opening(context.now(), untold, () -> streamsChanged(session));
    }

    /**
     * Prepares for a stream that is resumed from the stored history: only this stream is told what came after the mark.
     *
     * @param mark the position up to which the client was told
     */
    public Opening resuming(Session session, Mark mark) {
        List<Unsent> again = new ArrayList<>();
        each(session, (task, manner) -> {
            long seq = task.id().equals(mark.task()) ? mark.seq() : TaskMessages.before(context, task, mark.at());
            if (seq < task.position().lastEvent() || !task.state().isTerminal()) {
                with(session, manner, task, it -> it.resumed(task, seq, again::add));
            }
        });
        return new Opening(mark.at(), again, () -> streamsChanged(session));
    }

    /** Has a connection carry the stream of a task's call, until there is no more to tell of the task. */
    public void comeBack(
            Session session, Manner manner, Task task, MessageStream stream, EventStream connection, long seq) {
        with(session, manner, task, delivery -> delivery.open(stream, connection, task, seq));
    }

    /** Sends, before the answer to a poll, the questions of the task that no open stream has brought to a client. */
    public void askOnLook(InboundRequest request, Call call, Task task) {
        var reply = request.reply();
        if (task.outstanding().isEmpty() || reply.isOnConnection() || !reply.canStream()) {
            return;
        }
        var living = feeds.of(task.id()).stream()
                .flatMap(one -> one instanceof Delivery other ? other.living().stream() : Stream.empty())
                .toList();
        var name = TaskNames.related(request, call, task);
        with(
                request.session(),
                request.manner(),
                task,
                delivery -> delivery.onLook(task, living, (key, question) -> asked(request, name, key, question))
                        .forEach((key, question) -> {
                            try {
                                reply.send(question);
                            } catch (PeerGoneException e) {
                                delivery.release(key);
                            }
                        }));
    }

    private static @Nullable Request asked(InboundRequest request, String name, QuestionKey key, Question question) {
        return QuestionKinds.missing(question, request.capabilities()) == null
                ? request.dialect().encode(key.requestId(), question, name)
                : null;
    }

    /** Notes that a stream of a session was closed, whose client left at a time: a task may have ended since. */
    public void streamClosed(Session session, Instant gone) {
        if (!SessionStreams.of(session).isOpen()) {
            SessionDeliveries.of(session).isQuietSince(gone);
        }
        streamsChanged(session);
    }

    /** Tells ends since the client left an earlier stream than the open one; false where none is open yet. */
    public boolean leftEarlier(Session session, Instant gone) {
        SessionDeliveries.of(session).quietSince = gone;
        var streams = SessionStreams.of(session);
        return streams.isReachable() && streams.tell(resuming(session).first());
    }

    /** Notes that streams of a session were opened or closed. */
    void streamsChanged(Session session) {
        SessionDeliveries.of(session).all.values().forEach(Delivery::streamsChanged);
    }

    /** Allows a question of a task to be put again in this session. */
    public void release(Session session, QuestionKey question) {
        of(session, question).ifPresent(delivery -> delivery.release(question.key()));
    }

    /** Whether this node may have put the question, or may put it next. */
    public boolean hasQuestion(Session session, QuestionKey question) {
        return of(session, question).isPresent();
    }

    /** Looks at a question again, because the client's task that is to answer it has changed. */
    public void review(Session session, QuestionKey question) {
        of(session, question).ifPresent(Delivery::streamsChanged);
    }

    private static Optional<Delivery> of(Session session, QuestionKey question) {
        return Optional.ofNullable(SessionDeliveries.of(session).all.get(question.task()));
    }

    /** Runs an action for each task that the session is told of (created, repeated or joined), with its manner. */
    private void each(Session session, BiConsumer<Task, Manner> action) {
        var tasks = SessionTasks.of(context);
        Stream.concat(tasks.of(session), tasks.repeatedIn(session))
                .forEach(task -> named(Origin.of(task.spec()).route().dialect())
                        .filter(manner -> manner.telling().inSession())
                        .ifPresent(manner -> action.accept(task, manner)));
        for (TaskId id : joinedTasks.apply(session)) {
            context.engine().find(session.owner(), id).ifPresent(task -> {
                var voice = voice(session, task);
                var creator = Origin.of(task.spec()).route().session();
                if (voice != null && voice.dialect() != null && !session.id().equals(creator)) {
                    named(voice.dialect()).ifPresent(manner -> action.accept(task, manner));
                }
            });
        }
    }
}
