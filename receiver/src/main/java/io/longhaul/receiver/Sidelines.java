package io.longhaul.receiver;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.Pace;
import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.receiver.OwnStreams.Own;
import io.longhaul.receiver.SideCursor.Mark;
import io.longhaul.receiver.Tellers.Told;
import io.longhaul.receiver.task.Origin;
import io.longhaul.receiver.task.Questions;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a client on its side stream what happens to the tasks that its session created: progress, changes of state, log
 * lines, and questions that no waiting request for the outcome takes.
 */
final class Sidelines {

    private static final Logger LOG = LoggerFactory.getLogger(Sidelines.class);
    private static final int PAGE = 100;

    private final Context context;
    private final DialectSelector dialects;

    Sidelines(Context context, DialectSelector dialects) {
        this.context = context;
        this.dialects = dialects;
    }

    /** Follows a task from here on for as long as the session has a side stream. */
    void follow(Session session, Dialect dialect, Task task) {
        if (!task.state().isTerminal()) {
            follow(session, dialect, task, () -> now(task));
        }
    }

    /** @param from what was told of the task before */
    private void follow(Session session, Dialect dialect, Task task, Supplier<Told> from) {
        if (!isTold(dialect)) {
            return;
        }
        session.sideline().follow(task.id(), () -> {
            Told told = session.sideline().tellers().begin(task.id(), from.get());
            try {
                new Followed(context.engine())
                        .follow(session.owner(), task.id(), told.seq(), new Side(session, dialect, task, told));
            } catch (InterruptedException e) {
                // The last side stream was closed: the next one takes the task up again.
            } catch (StoreException e) {
                LOG.info("what happens to task {} is told when its client comes next: {}", task.id(), e.getMessage());
            }
        });
    }

    /** Follows a task to which a session attends from here on, and tells of its progress so far. */
    void attend(Session session, Dialect dialect, Task task) {
        if (!task.state().isTerminal()) {
            new Side(session, dialect, task, now(task)).tellSoFar(task);
            follow(session, dialect, task);
        }
    }

    private static Told now(Task task) {
        return new Told(task.stamp().lastEvent(), task.state());
    }

    /**
     * Follows all live tasks of a session, whose side stream was just opened. What happens to a task that is created
     * while the stream opens is not missed.
     */
    void followAll(Session session, Instant opening) {
        each(session, (task, dialect) -> {
            if (!task.state().isTerminal()) {
                boolean older = task.spec().createdAt().isBefore(opening);
                new Side(session, dialect, task, now(task)).tellSoFar(task);
                follow(session, dialect, task, () -> older ? now(task) : new Told(0, task.state()));
            }
        });
    }

    /**
     * Goes on with all tasks of a session where its side streams stood when the last of them broke: also with those
     * that have ended since.
     *
     * @param mark what the client has seen, for a process that does not remember
     */
    void goOn(Session session, Mark mark) {
        each(session, (task, dialect) -> {
            Told known = session.sideline().tellers().told(task.id());
            Told told = known == null ? recorded(session, task, mark) : known;
            if (!task.state().isTerminal() || !told.equals(now(task))) {
                follow(
                        session,
                        dialect,
                        task,
                        () -> known == null
                                ? told
                                : Objects.requireNonNullElse(
                                        session.sideline().tellers().told(task.id()), told));
            }
        });
    }

    /** Forgets what was told: some of it did not reach the client, and is told again from the record. */
    void tellAgain(Session session) {
        session.sideline().tellers().forgetTold();
        each(session, (task, dialect) -> session.asked().forget(task.id()));
    }

    /** What a client has seen of a task that has seen all that had happened by then. */
    private Told recorded(Session session, Task task, Mark mark) {
        long seq = task.id().equals(mark.task()) ? mark.seq() : before(session, task, mark.at());
        return new Told(seq, seq >= task.stamp().lastEvent() ? task.state() : null);
    }

    private long before(Session session, Task task, Instant at) {
        long seq = 0;
        if (task.stamp().updatedAt().isBefore(at)) {
            return task.stamp().lastEvent();
        }
        for (var page = history(session, task, seq); !page.isEmpty(); page = history(session, task, seq)) {
            for (TaskEvent event : page) {
                if (!event.at().isBefore(at)) {
                    return seq;
                }
                seq = event.seq();
            }
        }
        return seq;
    }

    private List<TaskEvent> history(Session session, Task task, long after) {
        return context.engine().history(session.owner(), task.id(), after, PAGE);
    }

    /** Each task that the session created, whose generation has it told on the side, with the words of that. */
    private void each(Session session, BiConsumer<Task, Dialect> action) {
        TaskId before = null;
        for (List<Task> page = list(session, null); !page.isEmpty(); page = list(session, before)) {
            for (Task task : page) {
                var route = Origin.of(task.spec().origin()).route();
                if (session.id().equals(route.session())) {
                    dialects.named(route.dialect())
                            .filter(Sidelines::isTold)
                            .ifPresent(dialect -> action.accept(task, dialect));
                }
            }
            before = page.getLast().id();
        }
        joined(session, action);
    }

    private void joined(Session session, BiConsumer<Task, Dialect> action) {
        for (TaskId id : context.attendance().tasks(session.id())) {
            context.engine().find(session.owner(), id).ifPresent(task -> {
                var me = context.attendance().of(session, task);
                var route = Origin.of(task.spec().origin()).route();
                if (me != null && !session.id().equals(route.session())) {
                    dialects.named(me.me().dialect()).ifPresent(dialect -> action.accept(task, dialect));
                }
            });
        }
    }

    /** Tells what becomes of a task whose call has lost its own stream, and puts what that one had to ask. */
    void takeOver(Visit visit, Task left) {
        if (isTold(visit.dialect())) {
            context.engine()
                    .find(visit.owner(), left.id())
                    .filter(task -> !task.state().isTerminal())
                    .ifPresent(task -> {
                        Told known = visit.session().sideline().tellers().told(task.id());
                        follow(
                                visit.session(),
                                visit.dialect(),
                                task,
                                () -> known == null ? now(task) : new Told(known.seq(), task.state()));
                        putQuestions(visit.session(), visit.dialect(), task);
                    });
        }
    }

    /** Tells again on the stream of a call what was told there and did not reach its client. */
    void repeat(Session session, Dialect dialect, Task task, Own own) {
        long upTo = session.sideline().own().told(task.id());
        var side = new Side(session, dialect, task, now(task), (message, mark) -> {
            own.stream().send(own.from().at(mark.seq()).text(), message);
            return true;
        });
        long seq = own.from().seq();
        for (var page = history(session, task, seq);
                seq < upTo && !page.isEmpty();
                page = history(session, task, seq)) {
            for (TaskEvent event : page) {
                seq = event.seq();
                if (seq <= upTo) {
                    side.repeat(task, event);
                }
            }
        }
    }

    /** Goes on with a task on the stream of its call, behind what was told of it there or elsewhere. */
    void goOn(Session session, Dialect dialect, Task task, StreamCursor at) {
        Told known = session.sideline().tellers().told(task.id());
        follow(session, dialect, task, () -> known == null ? new Told(at.seq(), null) : known);
        if (known != null) {
            // Whoever follows the task already has nothing more to tell, and puts no question a second time.
            putQuestions(session, dialect, task);
        }
    }

    /** Puts questions that a waiting request has left behind. */
    void putQuestions(Session session, Dialect dialect, Task task) {
        if (isTold(dialect)) {
            new Side(session, dialect, task, now(task)).ask(task);
        }
    }

    private static boolean isTold(Dialect dialect) {
        return dialect.traits().tasks().told() != Dialect.Told.NOWHERE;
    }

    private List<Task> list(Session session, @Nullable TaskId before) {
        return context.engine().list(session.owner(), before, PAGE);
    }

    /** How a message goes out; false where it does not. */
    private interface Way {
        boolean send(Json message, Mark mark);
    }

    /** One task on one side stream. */
    private final class Side implements Followed.Follower {

        private final TaskId id;
        private final Session session;
        private final Dialect dialect;
        private final Origin origin;
        private final Pace logs = Pace.ofLogs();
        private final Way way;
        private final Steps steps;
        private Told told;

        Side(Session session, Dialect dialect, Task task, Told told) {
            this(session, dialect, task, told, session.sideline()::send);
        }

        Side(Session session, Dialect dialect, Task task, Told told, Way way) {
            id = task.id();
            this.way = way;
            this.session = session;
            this.dialect = dialect;
            origin = Origin.of(task.spec().origin());
            this.told = told;
            steps = new Steps(context, session, told.seq());
        }

        void tellSoFar(Task task) {
            var me = steps.attending(task);
            if (me != null && task.status().progress() != null) {
                steps.progressed(me, task, task.status().progress(), name(task), step -> step(me, step, Mark.of(task)));
            }
        }

        private boolean step(Attending me, Notice.Progress step, Mark mark) {
            return send(dialects.named(me.me().dialect()).orElse(dialect).encode(step, null), mark);
        }

        @Override
        public boolean event(Task task, TaskEvent event) {
            return switch (session.sideline().tellers().share(task.id(), event.seq())) {
                case OTHERS -> true;
                case SUCCESSORS -> false;
                case MINE -> {
                    boolean isTold = tell(task, event);
                    if (isTold) {
                        session.sideline().tellers().tell(task.id(), new Told(event.seq(), told.state()));
                    }
                    yield isTold;
                }
            };
        }

        /** Tells an event again; a question that is still open may be put again. */
        void repeat(Task task, TaskEvent event) {
            if (event.what() instanceof Happening.Asked asked) {
                session.asked().release(new Asked.Key(task.id(), asked.key()));
            } else {
                tell(task, event);
            }
        }

        /** False where no stream is open to take it. */
        private boolean tell(Task task, TaskEvent event) {
            String id = name(task);
            Mark mark = Mark.of(task, event);
            switch (event.what()) {
                case Happening.Progressed progressed -> {
                    var me = steps.attending(task);
                    if (me != null) {
                        return steps.progressed(me, task, progressed.progress(), id, step -> step(me, step, mark));
                    }
                    Json token = origin.route().wanted().progressToken();
                    var view = TaskViews.progress(progressed.progress());
                    if (token != null && view != null) {
                        return notice(new Notice.Progress(token, view, id), mark);
                    }
                }
                case Happening.Logged logged -> {
                    String least = LogLevels.least(
                            session.facts(), origin.route().wanted().logLevel());
                    if (least != null && LogLevels.reaches(logged.level(), least) && logs.takes(event.at())) {
                        Json data = Json.raw(logged.data().bytes());
                        return notice(new Notice.Log(logged.level(), logged.logger(), data, id), mark);
                    }
                }
                case Happening.Emitted emitted -> steps.emitted();
                default -> {
                    // Told by the state of the task.
                }
            }
            return true;
        }

        @Override
        public Optional<Task> await(Followed.Change change) throws InterruptedException {
            return session.sideline().tellers().idle(id, change::await);
        }

        @Override
        public boolean current(Task task) {
            if (!session.sideline().tellers().isMine(task.id())) {
                return false;
            }
            var me = steps.attending(task);
            boolean isTold = me == null || steps.caughtUp(task, name(task), step -> step(me, step, Mark.of(task)));
            if (!isTold) {
                return false;
            }
            boolean changed = task.state() != told.state();
            if (changed && !notice(new Notice.TaskChanged(context.views().of(task, name(task))), Mark.of(task))) {
                return false;
            }
            told = now(task);
            session.sideline().tellers().pass(task.id(), told);
            if (task.state().isTerminal()) {
                withdraw(task);
                if (changed) {
                    tellCancelled(me, task);
                }
                session.asked().forget(task.id());
                session.sideline().own().end(task.id());
                return false;
            }
            ask(task);
            return true;
        }

        private void tellCancelled(@Nullable Attending me, Task task) {
            if (me != null && task.state() == TaskState.CANCELLED) {
                var words = dialects.named(me.me().dialect()).orElse(dialect);
                me.cancelled(task).forEach(call -> send(words.encode(call, null), Mark.of(task)));
            }
        }

        private void withdraw(Task task) {
            for (var input : task.outstanding()) {
                var key = new Asked.Key(task.id(), input.key());
                if (session.asked().withdraw(key)) {
                    notice(new Notice.Withdrawn(key.requestId(), "The task has ended", name(task)), Mark.of(task));
                }
            }
        }

        private void ask(Task task) {
            if (!session.sideline().tellers().isAwaited(task.id())) {
                task.outstanding()
                        .forEach(input -> put(
                                task,
                                new Asked.Key(task.id(), input.key()),
                                new Question(
                                        input.method(), Json.raw(input.params().bytes()))));
            }
        }

        private String name(Task task) {
            return TaskNames.shown(task, origin, dialect.traits().tasks().aliases());
        }

        private void put(Task task, Asked.Key key, Question question) {
            var facts = session.facts();
            var request = dialect.encode(key.requestId(), question, name(task));
            if (facts == null
                    || request == null
                    || Questions.missing(question, facts.capabilities()) != null
                    || !session.asked().claim(key, open -> context.mayPut(session.owner(), open))) {
                return;
            }
            var asking = session.asking(request, key.text());
            if (!way.send(JsonRpcCodec.encode(asking), Mark.of(task))) {
                session.asked().release(key);
            } else {
                session.linked().told(question.params());
            }
        }

        /** False where no stream is open to take it. */
        private boolean notice(Notice notice, Mark mark) {
            return send(dialect.encode(notice, null), mark);
        }

        private boolean send(JsonRpcMessage.@Nullable Notification message, Mark mark) {
            return message == null || way.send(JsonRpcCodec.encode(message), mark);
        }
    }
}
