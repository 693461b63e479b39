package io.longhaul.requestor.host;

import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.call.TaskView.Times;
import io.longhaul.protocol.rpc.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A question of a server that this client runs as a task. Guarded by the monitor of {@link HostedTasks}. */
final class HostedTask {

    private static final Duration POLL = Duration.ofSeconds(1);

    final String id;

    /** Requests that are answered at the end. */
    final Set<RequestId> waiting = new LinkedHashSet<>();

    private final Question question;
    private final Optional<String> parent;
    private final Duration keepAlive;
    private final Instant createdAt;
    private Instant updatedAt;
    private @Nullable Thread thread;
    private @Nullable End end;

    /**
     * @param question  with its wish for a task
     * @param parent    the task of the server that asks, if one does
     * @param keepAlive how long the task is kept after its end
     */
    HostedTask(String id, Question question, Optional<String> parent, Duration keepAlive, Instant createdAt) {
        this.id = id;
        this.question = question;
        this.parent = parent;
        this.keepAlive = keepAlive;
        this.createdAt = createdAt;
        updatedAt = createdAt;
    }

    boolean isOf(Question other) {
        return question.equals(other);
    }

    boolean isAskedBy(String task) {
        return parent.equals(Optional.of(task));
    }

    void runsOn(Thread answering) {
        thread = answering;
    }

    @Nullable
    End end() {
        return end;
    }

    boolean hasEnded() {
        return end != null;
    }

    /** Ends the task; a task that has ended stays as it is. */
    void end(End how, Instant now) {
        if (end == null) {
            end = how;
            updatedAt = now;
        }
    }

    void interrupt() {
        if (thread != null) {
            thread.interrupt();
        }
    }

    boolean isExpired(Instant now) {
        return end != null && !updatedAt.plus(keepAlive).isAfter(now);
    }

    TaskView view() {
        return new TaskView(
                id,
                new TaskView.Status(state(), null, null),
                new Times(createdAt, updatedAt, null, keepAlive),
                POLL,
                Map.of(),
                end);
    }

    private State state() {
        return switch (end) {
            case null -> thread == null ? State.SUBMITTED : State.WORKING;
            case End.Result result -> State.COMPLETED;
            case End.Cancelled cancelled -> State.CANCELLED;
            case End.Failure failure -> State.FAILED;
            case End.Broken broken -> State.FAILED;
        };
    }
}
