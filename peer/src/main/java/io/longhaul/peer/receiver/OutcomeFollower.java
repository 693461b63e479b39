package io.longhaul.peer.receiver;

import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.peer.task.Origin;
import io.longhaul.peer.task.Questions;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.PeerGoneException;
import org.jspecify.annotations.Nullable;

/** Tells one waiting request what happens to its task: progress, log lines, questions, and the end. */
final class OutcomeFollower implements Followed.Follower {

    private final Visit visit;
    private final OutcomeWait.Wait wait;
    private final TaskViews views;
    private final Origin origin;
    private final Pace logs = Pace.ofLogs();

    OutcomeFollower(Visit visit, OutcomeWait.Wait wait, TaskViews views) {
        this.visit = visit;
        this.wait = wait;
        this.views = views;
        origin = Origin.of(wait.task().spec().origin());
    }

    @Override
    public boolean event(Task task, TaskEvent event) {
        boolean told = event.seq() <= wait.cursor().seq();
        if (event.what() instanceof Happening.Asked asked) {
            asked(task, asked.key(), event.seq(), told);
        } else if (!told) {
            tell(task, event);
        }
        return true;
    }

    @Override
    public boolean current(Task task) {
        if (task.state().isTerminal()) {
            task.outstanding().forEach(input -> withdraw(new Asked.Key(task.id(), input.key())));
            visit.session().asked().forget(task.id());
            AuditLog.seen(task, visit);
            visit.reply()
                    .answer(
                            eventId(task.stamp().lastEvent()),
                            wait.call(),
                            new Answer.TaskOutcome(views.of(task, relatedTask())));
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

    private void tell(Task task, TaskEvent event) {
        switch (event.what()) {
            case Happening.Created created -> {
                if (wait.isCall()) {
                    visit.reply().notice(eventId(event.seq()), new Notice.TaskCreated(views.of(task, relatedTask())));
                }
            }
            case Happening.Progressed progressed -> {
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
            default -> {
                // The other events have no words in a stream that waits for an outcome.
            }
        }
    }

    /** A question that the client has seen on the stream that broke is not put again; one that it has not seen is. */
    private void asked(Task task, String key, long seq, boolean told) {
        var input = task.outstanding().stream()
                .filter(open -> open.key().equals(key))
                .findFirst();
        if (input.isEmpty()) {
            return;
        }
        if (told && wait.resumed()) {
            visit.session().asked().claim(new Asked.Key(task.id(), key));
        } else if (!told) {
            put(task, input.get(), eventId(seq), wait.resumed());
        }
    }

    private void put(Task task, InputRequest input, @Nullable String eventId, boolean again) {
        var key = new Asked.Key(task.id(), input.key());
        Asked asked = visit.session().asked();
        var question = new Question(input.method(), Json.raw(input.params().bytes()));
        if (!visit.dialect().traits().asksByRequest()
                || Questions.missing(question, visit.capabilities()) != null
                || !asked.claim(key) && !again) {
            return;
        }
        var request = visit.dialect().encode(key.requestId(), question, relatedTask());
        try {
            if (request == null || !visit.reply().send(eventId, request)) {
                asked.release(key);
            } else {
                visit.session().linked().told(question.params());
            }
        } catch (PeerGoneException e) {
            asked.release(key);
            throw e;
        }
    }

    private void withdraw(Asked.Key key) {
        if (visit.session().asked().withdraw(key)) {
            visit.reply().notice(null, new Notice.Withdrawn(key.requestId(), "The task has ended", relatedTask()));
        }
    }

    /** The name of the task in the words of the request. */
    private String relatedTask() {
        return wait.call() instanceof Call.AwaitOutcome await
                ? await.taskId()
                : TaskNames.shown(wait.task(), visit.dialect().traits().tasks().aliases());
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
