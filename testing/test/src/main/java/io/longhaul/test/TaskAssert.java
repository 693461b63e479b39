// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.client.CallFailedException;
import io.longhaul.client.CallOutcome;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.TaskState;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on a {@link TestTask}. Each assertion waits until it holds, and fails when that takes longer than
 * {@link LonghaulExtension#patience}, or when the call has ended in another way. The message has the expectation, the
 * state of the call and the history of its task.
 */
public final class TaskAssert extends AbstractAssert<TaskAssert, TestTask> {

    TaskAssert(TestTask actual) {
        super(actual, TaskAssert.class);
    }

    /** The work of the task runs, and waits for no answer. */
    public TaskAssert isWorking() {
        return isIn(TaskState.WORKING);
    }

    /** The work of the task waits for at least one answer. */
    public TaskAssert isWaitingForAnswers() {
        return isIn(TaskState.INPUT_REQUIRED);
    }

    /** The task is stored, and its work has not begun, for example because it waits for a slot. */
    public TaskAssert isSubmitted() {
        return isIn(TaskState.SUBMITTED);
    }

    private TaskAssert isIn(TaskState state) {
        return comesTo(
                "the task to be " + state,
                () -> actual.stored().map(task -> task.state() == state).orElse(false));
    }

    /**
     * The task has asked its client this question, answered or not.
     *
     * @param question the key of the question, or a part of its words
     */
    public TaskAssert asked(String question) {
        return comesTo("\"" + question + "\" to be asked", () -> actual.hasAsked(question));
    }

    /** The task has not asked this question until now. */
    public TaskAssert hasNotAsked(String question) {
        if (actual.hasAsked(question)) {
            throw actual.failure("Expected \"" + question + "\" not to be asked.");
        }
        return this;
    }

    /** The task has reported this progress, with any total and message. */
    public TaskAssert reportedProgress(double done) {
        return happened(
                "progress " + done,
                EventDetail.Progressed.class,
                told -> told.progress().current() == done);
    }

    /** The task has reported this progress with this total, and any message. */
    public TaskAssert reportedProgress(double done, double total) {
        return happened(
                "progress " + done + " of " + total,
                EventDetail.Progressed.class,
                told -> told.progress()
                        .equals(new Progress(done, total, told.progress().message())));
    }

    /** The task has reported this progress with this total and message. */
    public TaskAssert reportedProgress(double done, double total, @Nullable String message) {
        return happened(
                "progress " + done + " of " + total + " \"" + message + "\"",
                EventDetail.Progressed.class,
                told -> told.progress().equals(new Progress(done, total, message)));
    }

    /** The task has set this status message. */
    public TaskAssert said(String status) {
        return happened(
                "the status \"" + status + "\"",
                EventDetail.Said.class,
                told -> told.message().equals(status));
    }

    /** The task has written a log line that contains this text. */
    public TaskAssert logged(String part) {
        return happened(
                "a log line with \"" + part + "\"",
                EventDetail.Logged.class,
                line -> line.data().text().contains(part));
    }

    /** The task has stored a piece of partial output that contains this text. */
    public TaskAssert gavePartialOutput(String part) {
        return happened(
                "partial output with \"" + part + "\"",
                EventDetail.Emitted.class,
                piece -> piece.output().text().contains(part));
    }

    /** The client has met trouble, such as a server that is down, and keeps retrying. */
    public TaskAssert metTrouble() {
        return comesTo("its client to meet trouble", actual::hasTrouble);
    }

    /** The task has recorded this step, whose result a later attempt reuses. */
    public TaskAssert didStep(String name) {
        return happened(
                "the step \"" + name + "\"",
                EventDetail.StepDone.class,
                step -> step.name().equals(name));
    }

    /** The work has begun this many times: more than once only after a crash or a stop of the server. */
    public TaskAssert hasStarted(int times) {
        return comesTo(
                "the work to have started " + times + " times",
                () -> happenings(EventDetail.Started.class).count() == times);
    }

    private <H extends EventDetail> TaskAssert happened(String what, Class<H> kind, Predicate<H> wanted) {
        return comesTo(what, () -> happenings(kind).anyMatch(wanted));
    }

    private <H extends EventDetail> Stream<H> happenings(Class<H> kind) {
        return actual.history().stream()
                .map(TaskEvent::what)
                .filter(kind::isInstance)
                .map(kind::cast);
    }

    /** The client has got a result that is no error. */
    public TaskAssert completed() {
        result();
        return this;
    }

    /**
     * The client has got this result.
     *
     * @param expected a {@link String} is compared with the whole text; any other value, such as a record, with the
     *                 structured content read as its type
     */
    public TaskAssert completedWith(Object expected) {
        result();
        var given = given(expected.getClass());
        if (!expected.equals(given)) {
            throw actual.failure("Expected the result\n  " + expected + "\nbut it is\n  " + given);
        }
        return this;
    }

    private Object given(Class<?> type) {
        try {
            return actual.call().as(type).future().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof CallFailedException unusable) {
                throw actual.failure("Expected another result: " + unusable.getMessage());
            }
            throw e;
        }
    }

    private void result() {
        if (!(actual.outcome() instanceof CallOutcome.ToolResult)) {
            throw actual.failure("Expected a result.");
        }
    }

    /**
     * The call has failed: its result is an error of the tool, or it has ended with a JSON-RPC error, for example by a
     * timeout.
     *
     * @param part a part of the text that the client has got
     */
    public TaskAssert failedWith(String part) {
        var failed = switch (actual.outcome()) {
            case CallOutcome.ToolError error -> error.reason();
            case CallOutcome.ProtocolError error -> error.reason();
            default -> throw actual.failure("Expected a failure with \"" + part + "\".");
        };
        if (!failed.contains(part)) {
            throw actual.failure(
                    "Expected a failure with \"" + part + "\", but the client was told \"" + failed + "\".");
        }
        return this;
    }

    /** The server ended the task, for this reason. */
    public TaskAssert failedBecause(Outcome.FailureReason reason) {
        return happened(
                "the task to fail as " + reason,
                EventDetail.Ended.class,
                end -> end.outcome() instanceof Outcome.Failed failed && failed.reason() == reason);
    }

    /** The call was cancelled, by any side. */
    public TaskAssert wasCancelled() {
        return comesTo(
                "the call to be cancelled",
                () -> actual.stored()
                        .map(task -> task.state() == TaskState.CANCELLED)
                        .orElseGet(() -> actual.ended()
                                .filter(CallOutcome.Cancelled.class::isInstance)
                                .isPresent()));
    }

    /** Waits for a condition; fails at once where the task has ended. */
    private TaskAssert comesTo(String what, BooleanSupplier isSo) {
        isNotNull();
        var come = actual.await(() -> {
            boolean over = isOver();
            boolean now = isSo.getAsBoolean();
            return now || over ? Optional.of(now) : Optional.empty();
        });
        if (come.isEmpty()) {
            throw actual.late(what);
        }
        if (!come.get()) {
            throw actual.failure("Expected " + what + ", and the call has ended.");
        }
        return this;
    }

    private boolean isOver() {
        return actual.stored()
                .map(task -> task.state().isTerminal())
                .orElseGet(() -> actual.ended().isPresent());
    }
}
