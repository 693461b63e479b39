// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.receiver.plan.Receipt;
import io.longhaul.receiver.plan.Receipt.Event;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.task.AwaitedAnswer;
import io.longhaul.receiver.task.TaskViews;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /**
     * How long the host surely waits for a task.
     *
     * @param until {@link Instant#MAX} where the host always waits
     * @param quiet how long it waits without a message
     */
    record Hold(Task task, Instant until, Duration quiet) {}

    private final InboundRequest request;
    private final As as;
    private final Hold hold;
    private final AwaitedAnswer outcome;
    private final UndeliveredCalls undelivered;
    private final Runnable whenReceived;
    private Receipt receipt = Receipt.AWAITED;
    private @Nullable CallResponse result;

    /**
     * @param outcome      gives the answer where the request waits to the end
     * @param undelivered  the results that no client has received
     * @param whenReceived runs when the result of the task was received
     */
    HeldAnswer(
            InboundRequest request,
            As as,
            Hold hold,
            AwaitedAnswer outcome,
            UndeliveredCalls undelivered,
            Runnable whenReceived) {
        this.request = request;
        this.as = as;
        this.hold = hold;
        this.outcome = outcome;
        this.undelivered = undelivered;
        this.whenReceived = whenReceived;
    }

    @Override
    public Optional<CallResponse> current(Task task, boolean isTooLate) {
        if (task.state().isTerminal()) {
            result = ended(task);
            return Optional.of(result);
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
        return hold.until();
    }

    @Override
    public Duration hold() {
        return hold.quiet();
    }

    @Override
    public void sending(CallResponse given) {
        happens(given.equals(result) ? Event.RESULT : Event.OTHER_ANSWER);
    }

    @Override
    public void sent(CallResponse given, boolean isReceived) {
        if (!isReceived) {
            happens(Event.NOT_WRITTEN);
        } else if (given.equals(result)) {
            whenReceived.run();
        }
    }

    private void happens(Event event) {
        receipt = undelivered.happens(request, hold.task(), receipt, event);
    }
}
