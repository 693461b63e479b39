// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.task.AwaitedAnswer;
import io.longhaul.receiver.task.TaskViews;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Gives the result of a task if it comes while the host surely waits, else an answer that names the task before the
 * host gives up. A question that the host cannot show is given at once. Used by one thread at a time.
 */
final class HeldAnswer implements AwaitedAnswer {

    /**
     * How a request is answered.
     *
     * @param isStructured whether the called tool promises structured content
     * @param isJoined     whether the answer says that an earlier call began the task
     * @param isWait       whether a companion tool waits, rather than the first call of the work
     */
    record As(HandOverTexts words, TaskViews views, boolean isStructured, boolean isJoined, boolean isWait) {}

    private final InboundRequest request;
    private final As as;
    private final Instant until;
    private final Duration hold;
    private final AwaitedAnswer outcome;

    /**
     * @param until   until when the host surely waits, {@link Instant#MAX} where the host always waits
     * @param hold    how long the host surely waits without a message
     * @param outcome gives the answer where the request waits to the end
     */
    HeldAnswer(InboundRequest request, As as, Instant until, Duration hold, AwaitedAnswer outcome) {
        this.request = request;
        this.as = as;
        this.until = until;
        this.hold = hold;
        this.outcome = outcome;
    }

    @Override
    public Optional<CallResponse> current(Task task, boolean isTooLate) {
        if (task.state().isTerminal()) {
            return Optional.of(ended(task));
        }
        if (asksWhatHostCannotShow(task)) {
            return Optional.of(new CallResponse.ToolResult(as.words().asks(task, as.isStructured())));
        }
        var asked = outcome.current(task, false);
        return asked.isPresent() || !isTooLate
                ? asked
                : Optional.of(new CallResponse.ToolResult(as.words().running(task, as.isStructured(), as.isJoined())));
    }

    private CallResponse ended(Task task) {
        var view = as.views().of(task);
        if (as.isWait() && view.end() instanceof TaskView.End.Cancelled) {
            return new CallResponse.ToolResult(as.words().cancelledBefore(task));
        }
        return as.isJoined() && view.end() instanceof TaskView.End.Result result
                ? new CallResponse.ToolResult(as.words().joined(task, result.result()))
                : new CallResponse.TaskOutcome(view);
    }

    private boolean asksWhatHostCannotShow(Task task) {
        return QuestionKinds.of(task.outstanding()).values().stream()
                .anyMatch(question -> QuestionKinds.missing(question, request.capabilities()) != null);
    }

    @Override
    public CallResponse gone(Task task) {
        return new CallResponse.ToolResult(as.words().unknown(task.id().value()));
    }

    @Override
    public Instant until() {
        return until;
    }

    @Override
    public Duration hold() {
        return hold;
    }
}
