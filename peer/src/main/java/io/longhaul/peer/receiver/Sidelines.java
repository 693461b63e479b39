package io.longhaul.peer.receiver;

import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import io.longhaul.peer.task.Origin;
import io.longhaul.peer.task.Questions;
import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells a client on its side stream what happens to the tasks that its session created: progress, changes of state, log
 * lines, and questions that no waiting request for the outcome takes.
 */
final class Sidelines {

    private static final int PAGE = 100;

    private final Context context;

    Sidelines(Context context) {
        this.context = context;
    }

    /** Follows a task from here on for as long as the session has a side stream. */
    void follow(Session session, Dialect dialect, Task task) {
        follow(session, dialect, task, task.stamp().lastEvent());
    }

    private void follow(Session session, Dialect dialect, Task task, long after) {
        if (dialect.traits().questionsOnAwait() && !task.state().isTerminal()) {
            session.sideline().follow(task.id(), () -> {
                try {
                    new Followed(context.engine())
                            .follow(session.owner(), task.id(), after, new Side(session, dialect, task));
                } catch (InterruptedException e) {
                    // The last side stream was closed: the next one takes the task up again.
                }
            });
        }
    }

    /**
     * Follows all live tasks of a session, whose side stream was just opened. What happens to a task that is created
     * while the stream opens is not missed.
     */
    void followAll(Session session, Dialect dialect, Instant opening) {
        if (!dialect.traits().questionsOnAwait()) {
            return;
        }
        TaskId before = null;
        for (List<Task> page = list(session, null); !page.isEmpty(); page = list(session, before)) {
            for (Task task : page) {
                if (!task.state().isTerminal()) {
                    var route = Origin.of(task.spec().origin()).route();
                    if (session.id().equals(route.session()) && !route.plain()) {
                        boolean older = task.spec().createdAt().isBefore(opening);
                        follow(session, dialect, task, older ? task.stamp().lastEvent() : 0);
                    }
                }
            }
            before = page.getLast().id();
        }
    }

    /** Puts questions that a waiting request has left behind. */
    void putQuestions(Session session, Dialect dialect, Task task) {
        if (dialect.traits().questionsOnAwait()) {
            new Side(session, dialect, task).current(task);
        }
    }

    private List<Task> list(Session session, @Nullable TaskId before) {
        return context.engine().list(session.owner(), before, PAGE);
    }

    /** One task on one side stream. */
    private final class Side implements Followed.Follower {

        private final Session session;
        private final Dialect dialect;
        private final Origin origin;
        private Task last;

        Side(Session session, Dialect dialect, Task task) {
            this.session = session;
            this.dialect = dialect;
            origin = Origin.of(task.spec().origin());
            last = task;
        }

        @Override
        public boolean event(Task task, TaskEvent event) {
            String id = task.id().value();
            switch (event.what()) {
                case Happening.Progressed progressed -> {
                    Json token = origin.route().progressToken();
                    var view = TaskViews.progress(progressed.progress());
                    if (token != null && view != null) {
                        notice(new Notice.Progress(token, view, id));
                    }
                }
                case Happening.Logged logged -> {
                    String least =
                            LogLevels.least(session.facts(), origin.route().logLevel());
                    if (least != null && LogLevels.reaches(logged.level(), least)) {
                        Json data = Json.raw(logged.data().bytes());
                        notice(new Notice.Log(logged.level(), logged.logger(), data, id));
                    }
                }
                default -> {
                    // Told by the state of the task.
                }
            }
            return true;
        }

        @Override
        public boolean current(Task task) {
            if (task.state() != last.state()) {
                notice(new Notice.TaskChanged(context.views().of(task)));
            }
            last = task;
            if (task.state().isTerminal()) {
                session.asked().forget(task.id());
                return false;
            }
            if (!session.sideline().isAwaited(task.id())) {
                task.outstanding()
                        .forEach(input -> put(
                                new Asked.Key(task.id(), input.key()),
                                new Question(
                                        input.method(), Json.raw(input.params().bytes()))));
            }
            return true;
        }

        private void put(Asked.Key key, Question question) {
            var facts = session.facts();
            JsonRpcMessage request =
                    dialect.encode(key.requestId(), question, key.task().value());
            if (facts == null
                    || request == null
                    || Questions.missing(question, facts.capabilities()) != null
                    || !session.asked().claim(key)) {
                return;
            }
            if (!session.sideline().send(JsonRpcCodec.encode(request))) {
                session.asked().release(key);
            }
        }

        private void notice(Notice notice) {
            var message = dialect.encode(notice, null);
            if (message != null) {
                session.sideline().send(JsonRpcCodec.encode(message));
            }
        }
    }
}
