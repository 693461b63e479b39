// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.task.TaskViews;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a request that waits for a task is answered, and when. Used by one thread at a time. */
public interface AwaitedAnswer {

    /** The answer that an event calls for, before the client is told of the event. */
    default Optional<Answer> before(Task task, TaskEvent event) {
        return Optional.empty();
    }

    /** The answer that the task calls for as it stands, when the client was told all events. */
    Optional<Answer> current(Task task, boolean isTooLate);

    /** The last event that the answer speaks of. */
    default long told(Task task) {
        return task.stamp().lastEvent();
    }

    /** The answer where the task is gone. */
    default Answer gone(Task task) {
        return new Answer.Refused(new Refusal.UnknownTask(task.id().value()));
    }

    /** Whether the task goes on though the client closes the response of its call just now. */
    default boolean outlivesClosing() {
        return false;
    }

    /** The answer is about to go out. */
    default void sending(Answer answer) {}

    /**
     * The answer has gone out.
     *
     * @param wasClientThere whether the client was there to take it, as far as this side can see
     */
    default void sent(Answer answer, boolean wasClientThere) {}

    /** Answers the request, on the stream that it has where it has one. */
    default void respond(InboundRequest request, Call call, @Nullable String eventId, Answer answer) {
        sending(answer);
        sent(answer, request.reply().answer(eventId, call, answer));
    }

    /** When the request is answered whatever has happened; {@link Instant#MAX} where it waits for the end. */
    default Instant until() {
        return Instant.MAX;
    }

    /**
     * The outcome, or how the task stands when it takes too long, or what the task asks.
     *
     * @param name         the name of the task in the words of the request
     * @param requestState what the client carries to its next round, or null where it is asked by requests
     */
    static AwaitedAnswer outcome(Context context, Call call, String name, @Nullable Supplier<String> requestState) {
        Instant until = call instanceof Call.PollOutcome poll && poll.timeout() != null
                ? context.now().plus(poll.timeout())
                : Instant.MAX;
        return new AwaitedAnswer() {
            @Override
            public Optional<Answer> current(Task task, boolean isTooLate) {
                var views = TaskViews.of(context);
                if (task.state().isTerminal()) {
                    return Optional.of(new Answer.TaskOutcome(views.of(task, name)));
                }
                if (isTooLate) {
                    return Optional.of(new Answer.TaskState(views.of(task, name)));
                }
                return requestState == null || task.outstanding().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Answer.InputNeeded(views.of(task).inputs(), requestState.get()));
            }

            @Override
            public Instant until() {
                return until;
            }
        };
    }

    /**
     * What the work of a new task asks before it tells anything, as a round of the call; else the task.
     *
     * @param created      the answer that gives the client its task
     * @param requestState what the client carries to its next round
     * @param until        when the client is given its task, though its work has told nothing
     */
    static AwaitedAnswer firstWord(
            Context context, Function<Task, Answer> created, Supplier<String> requestState, Instant until) {
        return new AwaitedAnswer() {
            @Override
            public Optional<Answer> before(Task task, TaskEvent event) {
                return switch (event.what()) {
                    case Happening.Logged logged -> Optional.of(created.apply(task));
                    case Happening.Progressed progressed -> Optional.of(created.apply(task));
                    case Happening.Said said -> Optional.of(created.apply(task));
                    case Happening.Emitted emitted -> Optional.of(created.apply(task));
                    default -> Optional.empty();
                };
            }

            @Override
            public Optional<Answer> current(Task task, boolean isTooLate) {
                if (isTooLate || task.state().isTerminal()) {
                    return Optional.of(created.apply(task));
                }
                return task.outstanding().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Answer.InputNeeded(
                                TaskViews.of(context).of(task).inputs(), requestState.get()));
            }

            @Override
            public Instant until() {
                return until;
            }
        };
    }
}
