// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.Pace;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.session.JoinedTasks;
import io.longhaul.receiver.session.LogLevels;
import io.longhaul.receiver.task.TaskResources;
import io.longhaul.receiver.task.TaskViews;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns what happens to a task into the notices for one audience: progress and log lines. The result depends only on
 * the events, in their order, and on the task snapshots that come with them; the clock is the time of the events. Not
 * thread-safe.
 */
public final class Narrator {

    /**
     * @param taskName      the name of the task for this client
     * @param progressToken gives the token under which the client wants to be told of progress, or null for that of its
     *                      membership, if any
     * @param leastLevel    the least level of log lines that the client wants, or null for none
     * @param membership    the membership of the session, or null where the session has not joined the task
     */
    public record Audience(
            String taskName,
            Supplier<@Nullable Json> progressToken,
            Supplier<@Nullable String> leastLevel,
            Function<Task, JoinedTasks.@Nullable Membership> membership) {}

    private final Audience audience;
    private final LongUnaryOperator pieces;
    private final long from;
    private final Pace logs = Pace.ofLogs();
    private long before = -1;
    private long since;
    private boolean news;
    private @Nullable Optional<Json> token;

    /**
     * @param from   the last event before those that are narrated
     * @param pieces gives the number of pieces of output up to an event
     */
    public Narrator(Audience audience, long from, LongUnaryOperator pieces) {
        this.audience = audience;
        this.from = from;
        this.pieces = pieces;
    }

    String taskName() {
        return audience.taskName();
    }

    /** The token of the audience, which is looked up with the first progress. */
    @Nullable
    Json token() {
        if (token == null) {
            token = Optional.ofNullable(audience.progressToken().get());
        }
        return token.orElse(null);
    }

    /** What the audience is told of an event, if anything. */
    public Optional<Notice> event(Task task, TaskEvent event) {
        return switch (event.what()) {
            case EventDetail.Progressed(var progress) -> progress(task, progress);
            case EventDetail.Logged logged -> log(logged, event);
            case EventDetail.Emitted emitted -> {
                since++;
                news = true;
                yield Optional.empty();
            }
            default -> Optional.empty();
        };
    }

    /** Counts an event that another audience is told of. */
    void pass(TaskEvent event) {
        if (event.what() instanceof EventDetail.Emitted) {
            since++;
        }
    }

    /** The notice after the events so far: one for all partial output that came together. */
    Optional<Notice> caughtUp(Task task) {
        return news && !task.state().isTerminal() ? joined(task, task.status().progress()) : Optional.empty();
    }

    /** The progress so far, for a session that joins the task. */
    Optional<Notice> soFar(Task task) {
        return task.status().progress() == null
                ? Optional.empty()
                : joined(task, task.status().progress());
    }

    /** The notices of a cancelled task, for a session that has joined it. */
    List<Notice.CallCancelled> cancelled(Task task) {
        var membership = audience.membership().apply(task);
        return membership == null || task.state() != TaskState.CANCELLED ? List.of() : membership.cancelled(task);
    }

    private Optional<Notice> progress(Task task, Progress progress) {
        return membership(task) == null ? under(TaskViews.progress(progress), task) : joined(task, progress);
    }

    private Optional<Notice> under(@Nullable ProgressView view, Task task) {
        Json own = token();
        return own == null || view == null
                ? Optional.empty()
                : Optional.of(new Notice.Progress(own, view, audience.taskName(), TaskResources.of(task)));
    }

    /** Progress for which another audience was meant, in place of a notice under the token of that one. */
    Optional<Notice> instead(Notice.Progress told, Task task) {
        var membership = membership(task);
        return membership == null
                ? under(told.progress(), task)
                : membership
                        .progress(told.progress(), audience.taskName(), false, told.resources())
                        .map(notice -> notice);
    }

    /** The membership that has the token; an audience with a token of its own needs none. */
    private JoinedTasks.@Nullable Membership membership(Task task) {
        return token() == null ? audience.membership().apply(task) : null;
    }

    /** The progress for a session that has joined the task; the number of output pieces where the work reports none. */
    private Optional<Notice> joined(Task task, @Nullable Progress step) {
        var membership = membership(task);
        if (membership == null) {
            return Optional.empty();
        }
        var view = step == null ? new ProgressView(pieces(), null, null) : TaskViews.progress(step);
        boolean isNews = news;
        news = false;
        return membership
                .progress(view, audience.taskName(), isNews, TaskResources.of(task))
                .map(told -> told);
    }

    private Optional<Notice> log(EventDetail.Logged logged, TaskEvent event) {
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
