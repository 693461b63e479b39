package io.longhaul.receiver;

import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.Pace;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.task.Origin;
import io.longhaul.receiver.task.Questions;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Tells one waiting request what happens to its task: progress, log lines, questions, and the end. */
final class OutcomeFollower implements Followed.Follower {

    private final Visit visit;
    private final OutcomeWait.Wait wait;
    private final Context context;
    private final TaskViews views;
    private final Origin origin;
    private final Pace logs = Pace.ofLogs();

    private final Steps steps;
    private final Instant until;
    private long told;

    OutcomeFollower(Visit visit, OutcomeWait.Wait wait, Context context) {
        this.visit = visit;
        this.wait = wait;
        this.context = context;
        views = context.views();
        steps = new Steps(context, visit.session(), wait.cursor().seq());
        until = wait.call() instanceof Call.PollOutcome poll && poll.patience() != null
                ? context.now().plus(poll.patience())
                : Instant.MAX;
        origin = Origin.of(wait.task().spec().origin());
        told = wait.cursor().seq();
    }

    /** The last event that its client was told of. */
    long told() {
        return told;
    }

    @Override
    public boolean event(Task task, TaskEvent event) {
        boolean before = event.seq() <= wait.cursor().seq();
        if (event.what() instanceof Happening.Asked asked) {
            asked(task, asked.key(), event.seq(), before);
        } else if (!before) {
            tell(task, event);
        }
        told = Math.max(told, event.seq());
        return true;
    }

    @Override
    public boolean current(Task task) {
        if (task.state().isTerminal()) {
            task.outstanding().forEach(input -> withdraw(new Asked.Key(task.id(), input.key())));
            visit.session().asked().forget(task.id());
            tellCancelled(task);
            if (visit.live().isCancelled()) {
                visit.reply().silently();
                return false;
            }
            AuditLog.seen(task, visit);
            visit.reply()
                    .answer(
                            eventId(task.stamp().lastEvent()),
                            wait.call(),
                            new Answer.TaskOutcome(views.of(task, relatedTask())));
            return false;
        }
        steps.caughtUp(task, relatedTask(), step -> notice(task.stamp().lastEvent(), step));
        if (!context.now().isBefore(until)) {
            visit.reply().answer(wait.call(), new Answer.TaskState(views.of(task, relatedTask())));
            return false;
        }
        var open = task.outstanding();
        if (wait.requestState() != null && !open.isEmpty()) {
            visit.reply()
                    .answer(
                            wait.call(),
                            new Answer.InputNeeded(
                                    views.of(task).inputs(), wait.requestState().get()));
            return false;
        }
        open.forEach(input -> put(task, input, null, false));
        return true;
    }

    /** When it answers though nothing has happened; {@link Instant#MAX} where it does not. */
    Instant until() {
        return until;
    }

    /** On a side stream where there is one, and else here. */
    private void tellCancelled(Task task) {
        var me = steps.attending(task);
        if (me != null
                && task.state() == TaskState.CANCELLED
                && !visit.session().sideline().isOpen()) {
            me.cancelled(task).forEach(call -> visit.reply().notice(null, call));
        }
    }

    private boolean notice(long seq, Notice notice) {
        visit.reply().notice(eventId(seq), notice);
        return true;
    }

    private void tell(Task task, TaskEvent event) {
        switch (event.what()) {
            case Happening.Created created -> {
                if (wait.isCall()) {
                    visit.reply().notice(eventId(event.seq()), new Notice.TaskCreated(views.of(task, relatedTask())));
                }
            }
            case Happening.Progressed progressed -> {
                var me = steps.attending(task);
                if (me != null) {
                    steps.progressed(me, task, progressed.progress(), relatedTask(), step -> notice(event.seq(), step));
                    return;
                }
                Json token = progressToken();
                if (token != null) {
                    var view = TaskViews.progress(progressed.progress());
                    if (view != null) {
                        visit.reply().notice(eventId(event.seq()), new Notice.Progress(token, view, relatedTask()));
                    }
                }
            }
            case Happening.Logged logged -> {
                String least = LogLevels.least(
                        visit.session().facts(), origin.route().wanted().logLevel());
                if (least != null && LogLevels.reaches(logged.level(), least) && logs.takes(event.at())) {
                    Json data = Json.raw(logged.data().bytes());
                    visit.reply()
                            .notice(
                                    eventId(event.seq()),
                                    new Notice.Log(logged.level(), logged.logger(), data, relatedTask()));
                }
            }
            case Happening.Emitted emitted -> steps.emitted();
            default -> {
                // The other events have no words in a stream that waits for an outcome.
            }
        }
    }

    /** A question that the client has seen on the stream that broke is not put again; one that it has not seen is. */
    private void asked(Task task, String key, long seq, boolean before) {
        var input = task.outstanding().stream()
                .filter(open -> open.key().equals(key))
                .findFirst();
        if (input.isEmpty()) {
            return;
        }
        if (before && wait.resumed()) {
            visit.session().asked().seen(new Asked.Key(task.id(), key));
        } else if (!before) {
            put(task, input.get(), eventId(seq), wait.resumed());
        }
    }

    private void put(Task task, InputRequest input, @Nullable String eventId, boolean again) {
        var key = new Asked.Key(task.id(), input.key());
        Asked asked = visit.session().asked();
        var question = new Question(input.method(), Json.raw(input.params().bytes()));
        if (!visit.dialect().traits().asksByRequest()
                || Questions.missing(question, visit.capabilities()) != null
                || !asked.claim(key, this::mayPut) && !(again && mayPut(key))) {
            return;
        }
        var request = visit.dialect().encode(key.requestId(), question, relatedTask());
        try {
            if (request == null || !visit.reply().send(eventId, visit.session().asking(request, key.text()))) {
                asked.release(key);
            } else {
                visit.session().linked().told(question.params());
            }
        } catch (PeerGoneException e) {
            asked.release(key);
            throw e;
        }
    }

    private boolean mayPut(Asked.Key question) {
        return context.mayPut(visit.owner(), question);
    }

    private void withdraw(Asked.Key key) {
        if (visit.session().asked().withdraw(key)) {
            visit.reply().notice(null, new Notice.Withdrawn(key.requestId(), "The task has ended", relatedTask()));
        }
    }

    /** The name of the task in the words of the request. */
    private String relatedTask() {
        return switch (wait.call()) {
            case Call.AwaitOutcome await -> await.taskId();
            case Call.PollOutcome poll -> poll.taskId();
            default -> {
                var alias = LastingCalls.alias(wait.call());
                yield alias == null
                        ? TaskNames.shown(
                                wait.task(),
                                origin,
                                visit.dialect().traits().tasks().aliases())
                        : alias.id();
            }
        };
    }

    /** Each call for a part has a token of its own. */
    private @Nullable Json progressToken() {
        return PartCalls.isForPart(wait.call()) instanceof Call.CallTool call
                ? call.extras().progressToken()
                : origin.route().wanted().progressToken();
    }

    /** A part whose stream breaks is asked for again. */
    private @Nullable String eventId(long seq) {
        return visit.dialect().traits().resumable()
                        && !visit.reply().isLasting()
                        && PartCalls.isForPart(wait.call()) == null
                ? wait.cursor().at(seq).text()
                : null;
    }
}
