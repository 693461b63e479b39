package io.longhaul.requestor;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.call.TaskView.Times;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A question of a server that is run as a task here. Guarded by the lock of those who hold it. */
final class ReceivedTask {

    private static final Duration POLL = Duration.ofSeconds(1);

    /**
     * What makes two requests the same.
     *
     * @param method of the question
     * @param params of the question, with the wish for a task
     */
    record Asking(String method, Json params) {}

    private final String id;
    private final Asking asking;
    private final Optional<String> parent;
    private final Duration keepAlive;
    private final Instant createdAt;
    private final Set<RequestId> waiting = new LinkedHashSet<>();
    private Instant updatedAt;
    private @Nullable Thread thinking;
    private @Nullable End end;

    /**
     * One that has not begun.
     *
     * @param parent    the task of the server that asks, if one does
     * @param keepAlive how long it is kept after its end
     */
    ReceivedTask(String id, Asking asking, Optional<String> parent, Duration keepAlive, Instant createdAt) {
        this.id = id;
        this.asking = asking;
        this.parent = parent;
        this.keepAlive = keepAlive;
        this.createdAt = createdAt;
        updatedAt = createdAt;
    }

    String id() {
        return id;
    }

    boolean isOf(Asking other) {
        return asking.equals(other);
    }

    boolean isAskedBy(String task) {
        return parent.equals(Optional.of(task));
    }

    /** Requests that are answered in the end. */
    Set<RequestId> waiting() {
        return waiting;
    }

    void thinks(Thread thread) {
        thinking = thread;
    }

    boolean hasEnded() {
        return end != null;
    }

    /** Nothing leads out of an end. */
    void end(End how, Instant now) {
        if (end == null) {
            end = how;
            updatedAt = now;
        }
    }

    void interrupt() {
        if (thinking != null) {
            thinking.interrupt();
        }
    }

    boolean isPast(Instant now) {
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
            case null -> thinking == null ? State.SUBMITTED : State.WORKING;
            case End.Result result -> State.COMPLETED;
            case End.Cancelled cancelled -> State.CANCELLED;
            case End.Failure failure -> State.FAILED;
            case End.Broken broken -> State.FAILED;
        };
    }
}
