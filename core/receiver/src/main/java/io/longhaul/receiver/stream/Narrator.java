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
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.session.LogLevels;
import io.longhaul.receiver.task.TaskResources;
import io.longhaul.receiver.task.TaskViews;
import io.longhaul.receiver.task.Voice;
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
     * @param progressToken gives the token under which the client wants to be told of progress, or null
     * @param leastLevel    the least level of log lines that the client wants, or null for none
     * @param joined        how a session that has joined the task is told of it, or null where it has not
     */
    public record Audience(
            String taskName,
            Supplier<@Nullable Json> progressToken,
            Supplier<@Nullable String> leastLevel,
            Function<Task, @Nullable Voice> joined) {}

    /** Of an audience that gave a token. */
    private record UnderToken(Json token) implements Voice {
        @Override
        public Optional<Notice.Progress> progress(
                ProgressView now, String taskId, boolean isNews, ResourceUris resources) {
            return Optional.of(new Notice.Progress(token, now, taskId, resources));
        }
    }

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
            case EventDetail.Progressed(var progress) -> told(voice(task), task, progress);
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
        return news && !task.state().isTerminal()
                ? told(joined(task), task, task.status().progress())
                : Optional.empty();
    }

    /** The progress so far, for a session that joins the task. */
    Optional<Notice> soFar(Task task) {
        return task.status().progress() == null
                ? Optional.empty()
                : told(joined(task), task, task.status().progress());
    }

    /** The notices of a cancelled task, for a session that has joined it. */
    List<Notice.CallCancelled> cancelled(Task task) {
        var voice = audience.joined().apply(task);
        return voice == null || task.state() != TaskState.CANCELLED ? List.of() : voice.cancelled(task);
    }

    /** Progress for which another audience was meant, as this one is told of it. */
    Optional<Notice> instead(Notice.Progress told, Task task) {
        var voice = voice(task);
        return voice == null
                ? Optional.empty()
                : voice.progress(told.progress(), audience.taskName(), false, told.resources())
                        .map(Function.identity());
    }

    private @Nullable Voice voice(Task task) {
        var own = token();
        return own == null ? joined(task) : new UnderToken(own);
    }

    /** An audience with a token of its own needs no other voice. */
    private @Nullable Voice joined(Task task) {
        return token() == null ? audience.joined().apply(task) : null;
    }

    /** @param step the progress of the work, or null for the number of output pieces */
    private Optional<Notice> told(@Nullable Voice voice, Task task, @Nullable Progress step) {
        if (voice == null) {
            return Optional.empty();
        }
        var view = step == null ? new ProgressView(pieces(), null, null) : TaskViews.progress(step);
        boolean isNews = news;
        news = false;
        return voice.progress(view, audience.taskName(), isNews, TaskResources.of(task))
                .map(Function.identity());
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
