package io.longhaul.receiver;

import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.protocol.Pace;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.json.Json;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns what happens to a task into the notices for one audience: progress and log lines. The result depends on the
 * events, which come in their order, and on the snapshots beside them; the time is that of the events. Not thread-safe.
 */
final class Narrator {

    /**
     * Who is told.
     *
     * @param taskName      the name of the task for this client
     * @param progressToken under which the client wants to be told of progress, or null for nothing
     * @param leastLevel    the least level of log lines that the client wants, or null for none
     * @param attending     how the session attends to the task, or null where it does not
     */
    record Audience(
            String taskName,
            @Nullable Json progressToken,
            Supplier<@Nullable String> leastLevel,
            Function<Task, @Nullable Attending> attending) {}

    private final Audience audience;
    private final LongUnaryOperator pieces;
    private final long from;
    private final Pace logs = Pace.ofLogs();
    private long before = -1;
    private long since;
    private boolean news;

    /**
     * Begins to narrate.
     *
     * @param from   the last event before those that are narrated
     * @param pieces how many pieces of output there are up to an event
     */
    Narrator(Audience audience, long from, LongUnaryOperator pieces) {
        this.audience = audience;
        this.from = from;
        this.pieces = pieces;
    }

    String taskName() {
        return audience.taskName();
    }

    /** What the audience is told of an event, if anything. */
    Optional<Notice> event(Task task, TaskEvent event) {
        return switch (event.what()) {
            case Happening.Progressed(var progress) -> progress(task, progress);
            case Happening.Logged logged -> log(logged, event);
            case Happening.Emitted emitted -> {
                since++;
                news = true;
                yield Optional.empty();
            }
            default -> Optional.empty();
        };
    }

    /** Somebody else is told of this event. */
    void pass(TaskEvent event) {
        if (event.what() instanceof Happening.Emitted) {
            since++;
        }
    }

    /** What the audience is told when the events so far were told: once for all partial output that came together. */
    Optional<Notice> caughtUp(Task task) {
        return news && !task.state().isTerminal() ? attended(task, task.status().progress()) : Optional.empty();
    }

    /** How far the task is, for a session that begins to attend to it. */
    Optional<Notice> soFar(Task task) {
        return task.status().progress() == null
                ? Optional.empty()
                : attended(task, task.status().progress());
    }

    private Optional<Notice> progress(Task task, Progress progress) {
        if (audience.attending().apply(task) != null) {
            return attended(task, progress);
        }
        var view = TaskViews.progress(progress);
        Json token = audience.progressToken();
        return token == null || view == null
                ? Optional.empty()
                : Optional.of(new Notice.Progress(token, view, audience.taskName(), TaskResources.of(task)));
    }

    /** The progress of work that reports none is the number of its pieces of output. */
    private Optional<Notice> attended(Task task, @Nullable Progress step) {
        var attending = audience.attending().apply(task);
        if (attending == null) {
            return Optional.empty();
        }
        var view = step == null ? new ProgressView(pieces(), null, null) : TaskViews.progress(step);
        boolean isNews = news;
        news = false;
        return attending
                .progress(view, audience.taskName(), isNews, TaskResources.of(task))
                .map(told -> told);
    }

    private Optional<Notice> log(Happening.Logged logged, TaskEvent event) {
        String least = audience.leastLevel().get();
        if (least == null || !LogLevels.reaches(logged.level(), least) || !logs.takes(event.at())) {
            return Optional.empty();
        }
        Json data = Json.raw(logged.data().bytes());
        return Optional.of(new Notice.Log(logged.level(), logged.logger(), data, audience.taskName()));
    }

    private long pieces() {
        if (before < 0) {
            before = pieces.applyAsLong(from);
        }
        return before + since;
    }
}
