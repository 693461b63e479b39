// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.stream.AwaitedAnswer;
import io.longhaul.receiver.task.TaskViews;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The result of a task where there is one while its host surely waits; before the host gives up, an answer that names
 * the task; and at once the question of a task that the host cannot show. Used by one thread at a time.
 */
final class HeldAnswer implements AwaitedAnswer {

    /**
     * How a request is answered.
     *
     * @param isStructured whether the tool that it calls promises structured content
     * @param isJoined     whether it is told that an earlier call began the task
     * @param isWait       whether a companion tool waits, and not the call of the work itself
     */
    record As(HandOverWords words, TaskViews views, boolean isStructured, boolean isJoined, boolean isWait) {}

    /**
     * What follows from the end of a request.
     *
     * @param outlives  whether a client that closes the response just now gives up its call without cancelling it
     * @param sending   what is done before the result goes out
     * @param sent      what is done after that, told whether the client was there, as far as this side can see
     */
    record End(BooleanSupplier outlives, Runnable sending, Consumer<Boolean> sent) {}

    private final InboundRequest request;
    private final As as;
    private final Instant until;
    private final AwaitedAnswer outcome;
    private final End end;
    private @Nullable Answer last;

    /**
     * @param until   when the host surely waits no more, {@link Instant#MAX} where it always waits
     * @param outcome what the request is answered where it waits to the end
     */
    HeldAnswer(InboundRequest request, As as, Instant until, AwaitedAnswer outcome, End end) {
        this.request = request;
        this.as = as;
        this.until = until;
        this.outcome = outcome;
        this.end = end;
    }

    @Override
    public Optional<Answer> current(Task task, boolean isTooLate) {
        if (task.state().isTerminal()) {
            last = ended(task);
            return Optional.of(last);
        }
        if (asksWhatHostCannotShow(task)) {
            return Optional.of(new Answer.ToolResult(as.words().asks(task, as.isStructured())));
        }
        var asked = outcome.current(task, false);
        return asked.isPresent() || !isTooLate
                ? asked
                : Optional.of(new Answer.ToolResult(as.words().running(task, as.isStructured(), as.isJoined())));
    }

    private Answer ended(Task task) {
        var view = as.views().of(task);
        if (as.isWait() && view.end() instanceof TaskView.End.Cancelled) {
            return new Answer.ToolResult(as.words().cancelledBefore(task));
        }
        return as.isJoined() && view.end() instanceof TaskView.End.Result result
                ? new Answer.ToolResult(as.words().joined(task, result.result()))
                : new Answer.TaskOutcome(view);
    }

    private boolean asksWhatHostCannotShow(Task task) {
        return QuestionKinds.of(task.outstanding()).values().stream()
                .anyMatch(question -> QuestionKinds.missing(question, request.capabilities()) != null);
    }

    @Override
    public Answer gone(Task task) {
        return new Answer.ToolResult(as.words().unknown(task.id().value()));
    }

    @Override
    public Instant until() {
        return until;
    }

    @Override
    public boolean outlivesClosing() {
        return end.outlives().getAsBoolean();
    }

    @Override
    public void sending(Answer answer) {
        if (answer.equals(last)) {
            end.sending().run();
        }
    }

    @Override
    public void sent(Answer answer, boolean wasClientThere) {
        if (answer.equals(last)) {
            end.sent().accept(wasClientThere);
        }
    }
}
