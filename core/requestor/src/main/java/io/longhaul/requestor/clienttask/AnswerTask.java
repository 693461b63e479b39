// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.clienttask;

import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.call.TaskView.Times;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A question of a server that this client runs as a task. Guarded by the monitor of {@link AnswerTasks}. */
final class AnswerTask {

    /** The least time for which an answer is kept, even where the time that counts from the creation is over. */
    static final Duration SHORTEST_KEPT = Duration.ofMinutes(1);

    /** The most requests that wait for the end of one task; further ones are refused. */
    static final int MOST_WAITING = 100;

    private static final Duration SHORTEST_POLL = Duration.ofSeconds(1);
    private static final Duration LONGEST_POLL = Duration.ofSeconds(30);

    /** The place of the task in lists: later tasks have greater numbers. */
    long number;

    /** The requests that are answered at the end of the task. */
    final Set<Waiting> waiting = new LinkedHashSet<>();

    /** Takes what the server is told of the task without asking: in the session where it began, or was resumed. */
    volatile Consumer<JsonRpcMessage> told = message -> {};

    private final Facts facts;
    private Instant updatedAt;
    private @Nullable Thread thread;
    private @Nullable End end;

    /** @param session takes the answer to the server, in the session of the request */
    record Waiting(RequestId id, Consumer<JsonRpcMessage> session) {}

    /**
     * The constant facts of a task.
     *
     * @param keep how long the task is kept, counted from its creation or its end
     */
    record Facts(String id, AskedQuestion asked, Keep keep, Instant createdAt) {}

    AnswerTask(Facts facts) {
        this.facts = facts;
        updatedAt = facts.createdAt();
    }

    String id() {
        return facts.id();
    }

    Instant createdAt() {
        return facts.createdAt();
    }

    Question question() {
        return facts.asked().question();
    }

    /** Whether the task can outlive its session. The question of a call without a task ends with the session. */
    boolean canOutlive() {
        return facts.asked().parent().isPresent();
    }

    /** The stored form of the task, with {@code end} where the task is about to end. */
    Json row(@Nullable End ending, Instant now) {
        return end == null && ending != null
                ? AnswerTaskCodec.write(facts, now, ending)
                : AnswerTaskCodec.write(facts, updatedAt, end);
    }

    boolean isOf(Question question) {
        return question().equals(question);
    }

    boolean isOf(AskedQuestion other) {
        return facts.asked().equals(other);
    }

    boolean isAskedBy(String task) {
        return facts.asked().parent().filter(task::equals).isPresent();
    }

    void runsOn(Thread answering) {
        thread = answering;
    }

    @Nullable
    End end() {
        return end;
    }

    /** Has a request wait for the end; false where too many do. */
    boolean waits(Waiting request) {
        return waiting.contains(request) || waiting.size() < MOST_WAITING && waiting.add(request);
    }

    boolean hasEnded() {
        return end != null;
    }

    /** Ends the task. An ended task stays as it is. */
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
        return isKeptFromCreation()
                ? facts.createdAt().plus(ttl())
                : updatedAt.plus(facts.keep().time());
    }

    private boolean isKeptFromCreation() {
        return facts.keep().from() == Keep.From.CREATION;
    }

    private Duration ttl() {
        var least = end == null
                ? Duration.ZERO
                : Duration.between(facts.createdAt(), updatedAt).plus(SHORTEST_KEPT);
        return least.compareTo(facts.keep().time()) > 0 ? least : facts.keep().time();
    }

    TaskView view(Instant now) {
        var times = isKeptFromCreation()
                ? new Times(facts.createdAt(), updatedAt, ttl())
                : new Times(facts.createdAt(), updatedAt, null, facts.keep().time());
        return new TaskView(id(), new TaskView.Status(state(), null, null), times, poll(now), Map.of(), end);
    }

    /** The suggested poll interval, which grows with the time that the person takes. */
    private Duration poll(Instant now) {
        var poll = Duration.between(facts.createdAt(), now).dividedBy(10);
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
