package io.longhaul.requestor.host;

import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.call.TaskView.Times;
import io.longhaul.protocol.rpc.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A question of a server that this client runs as a task. Guarded by the monitor of {@link HostedTasks}. */
final class HostedTask {

    /** How long an answer is kept at least, also where the time that was counted from the creation is over by then. */
    static final Duration SHORTEST_KEPT = Duration.ofMinutes(1);

    private static final Duration SHORTEST_POLL = Duration.ofSeconds(1);
    private static final Duration LONGEST_POLL = Duration.ofSeconds(30);

    final String id;

    /** The place of the task in lists: later tasks have greater numbers. */
    final long number;

    /** Requests that are answered at the end. */
    final Set<RequestId> waiting = new LinkedHashSet<>();

    private final AskedQuestion asked;
    private final Keep keep;
    private final Instant createdAt;
    private Instant updatedAt;
    private @Nullable Thread thread;
    private @Nullable End end;

    /** @param keep how long the task is kept, counted from its creation or its end */
    HostedTask(String id, long number, AskedQuestion asked, Keep keep, Instant createdAt) {
        this.id = id;
        this.number = number;
        this.asked = asked;
        this.keep = keep;
        this.createdAt = createdAt;
        updatedAt = createdAt;
    }

    boolean isOf(Question question) {
        return asked.question().equals(question);
    }

    boolean isOf(AskedQuestion other) {
        return asked.equals(other);
    }

    boolean isAskedBy(String task) {
        return asked.parent().filter(task::equals).isPresent();
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
        return end != null && !keptUntil().isAfter(now);
    }

    private Instant keptUntil() {
        return isKeptFromCreation() ? createdAt.plus(ttl()) : updatedAt.plus(keep.time());
    }

    private boolean isKeptFromCreation() {
        return keep.from() == Keep.From.CREATION;
    }

    private Duration ttl() {
        var least = end == null
                ? Duration.ZERO
                : Duration.between(createdAt, updatedAt).plus(SHORTEST_KEPT);
        return least.compareTo(keep.time()) > 0 ? least : keep.time();
    }

    TaskView view(Instant now) {
        var times = isKeptFromCreation()
                ? new Times(createdAt, updatedAt, ttl())
                : new Times(createdAt, updatedAt, null, keep.time());
        return new TaskView(id, new TaskView.Status(state(), null, null), times, poll(now), Map.of(), end);
    }

    /** A person who has not answered for an hour need not be asked after every second. */
    private Duration poll(Instant now) {
        var poll = Duration.between(createdAt, now).dividedBy(10);
        if (poll.compareTo(SHORTEST_POLL) < 0) {
            return SHORTEST_POLL;
        }
        return poll.compareTo(LONGEST_POLL) > 0 ? LONGEST_POLL : poll;
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
