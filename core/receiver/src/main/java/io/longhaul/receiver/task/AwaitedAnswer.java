// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.request.InboundRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides the answer to a request that waits for a task, and its time. Used by one thread at a time. */
public interface AwaitedAnswer {

    /** The answer that an event calls for, before the client is told of the event. */
    default Optional<CallResponse> before(Task task, TaskEvent event) {
        return Optional.empty();
    }

    /** The answer that the present task calls for, when the client was told all events. */
    Optional<CallResponse> current(Task task, boolean isTooLate);

    /** The last event that the answer covers. */
    default long told(Task task) {
        return task.position().lastEvent();
    }

    default CallResponse gone(Task task) {
        return new CallResponse.Refused(new Refusal.UnknownTask(task.id().value()));
    }

    /** The answer is about to be written. */
    default void sending(CallResponse answer) {}

    /**
     * The answer was written, or could not be. An answer of a batch is written with the others: where that fails, this
     * method runs again.
     *
     * @param isReceived whether it was written without an error, and so counts as received
     */
    default void sent(CallResponse answer, boolean isReceived) {}

    /**
     * Answers the request, on its stream where it has one.
     *
     * @return false where the client gave the request up before; it then gets no response
     */
    default boolean respond(InboundRequest request, Call call, @Nullable String eventId, CallResponse answer) {
        if (!request.live().beginAnswer()) {
            request.reply().silently();
            return false;
        }
        sending(answer);
        request.reply().whenLost(() -> sent(answer, false));
        sent(answer, request.reply().answer(eventId, call, answer));
        return true;
    }

    /** The latest time of the answer; {@link Instant#MAX} where the request waits for the end of the task. */
    default Instant until() {
        return Instant.MAX;
    }

    /** How long the host of the request surely waits; null where that is not known. */
    default @Nullable Duration hold() {
        return null;
    }

    /**
     * Answers with the outcome, with the state of a task that takes too long, or with the task's questions.
     *
     * @param name         the name of the task in the words of the request
     * @param requestState what the client carries to its next round, or null where the client gets questions as
     *     requests
     */
    static AwaitedAnswer outcome(Context context, Call call, String name, @Nullable Supplier<String> requestState) {
        Instant until = call instanceof Call.PollOutcome poll && poll.timeout() != null
                ? context.now().plus(poll.timeout())
                : Instant.MAX;
        return new AwaitedAnswer() {
            @Override
            public Optional<CallResponse> current(Task task, boolean isTooLate) {
                var views = TaskViews.of(context);
                if (task.state().isTerminal()) {
                    return Optional.of(new CallResponse.TaskOutcome(views.of(task, name)));
                }
                if (isTooLate) {
                    return Optional.of(new CallResponse.TaskState(views.of(task, name)));
                }
                return requestState == null || task.outstanding().isEmpty()
                        ? Optional.empty()
                        : Optional.of(
                                new CallResponse.InputNeeded(views.of(task).inputs(), requestState.get()));
            }

            @Override
            public Instant until() {
                return until;
            }
        };
    }

    /**
     * Answers with the first questions of a new task's work, as a round of the call; or with the task, where the work
     * tells something first.
     *
     * @param created      the answer that gives the client its task
     * @param requestState what the client carries to its next round
     * @param until        when the client gets its task even if the work has told nothing
     */
    static AwaitedAnswer firstWord(
            Context context, Function<Task, CallResponse> created, Supplier<String> requestState, Instant until) {
        return new AwaitedAnswer() {
            @Override
            public Optional<CallResponse> before(Task task, TaskEvent event) {
                return switch (event.what()) {
                    case EventDetail.Logged logged -> Optional.of(created.apply(task));
                    case EventDetail.Progressed progressed -> Optional.of(created.apply(task));
                    case EventDetail.Said said -> Optional.of(created.apply(task));
                    case EventDetail.Emitted emitted -> Optional.of(created.apply(task));
                    default -> Optional.empty();
                };
            }

            @Override
            public Optional<CallResponse> current(Task task, boolean isTooLate) {
                if (isTooLate || task.state().isTerminal()) {
                    return Optional.of(created.apply(task));
                }
                return task.outstanding().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new CallResponse.InputNeeded(
                                TaskViews.of(context).of(task).inputs(), requestState.get()));
            }

            @Override
            public Instant until() {
                return until;
            }
        };
    }
}
