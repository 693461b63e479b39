// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.UnusableAnswerException;
import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskState;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on a {@link TestTask}. Each waits until what it says has come about, and fails when that takes longer than
 * {@link LonghaulExtension#patience}, or when the call has ended in another way: the message tells what was expected,
 * how the call stands and the history of its task.
 */
public final class TaskAssert extends AbstractAssert<TaskAssert, TestTask> {

    TaskAssert(TestTask actual) {
        super(actual, TaskAssert.class);
    }

    /** Its work runs, and waits for no answer. */
    public TaskAssert isWorking() {
        return isIn(TaskState.WORKING);
    }

    /** Its work waits for at least one answer. */
    public TaskAssert isWaitingForAnswers() {
        return isIn(TaskState.INPUT_REQUIRED);
    }

    /** It is stored, and its work has not begun, as where it waits for a slot. */
    public TaskAssert isSubmitted() {
        return isIn(TaskState.SUBMITTED);
    }

    private TaskAssert isIn(TaskState state) {
        return comesTo(
                "the task to be " + state,
                () -> actual.stored().map(task -> task.state() == state).orElse(false));
    }

    /**
     * It asks its client, or has asked, answered or not.
     *
     * @param question the key of the question, or a part of its words
     */
    public TaskAssert asked(String question) {
        return comesTo("\"" + question + "\" to be asked", () -> actual.hasAsked(question));
    }

    /** It has not asked that until now. */
    public TaskAssert hasNotAsked(String question) {
        if (actual.hasAsked(question)) {
            throw actual.failure("Expected \"" + question + "\" not to be asked.");
        }
        return this;
    }

    /** It has reported this much of its work, whatever the total and the message were. */
    public TaskAssert reportedProgress(double done) {
        return happened(
                "progress " + done,
                Happening.Progressed.class,
                told -> told.progress().current() == done);
    }

    /** It has reported this much of a total. */
    public TaskAssert reportedProgress(double done, double total) {
        return happened(
                "progress " + done + " of " + total,
                Happening.Progressed.class,
                told -> told.progress()
                        .equals(new Progress(done, total, told.progress().message())));
    }

    /** It has reported this much of a total, in these words. */
    public TaskAssert reportedProgress(double done, double total, @Nullable String message) {
        return happened(
                "progress " + done + " of " + total + " \"" + message + "\"",
                Happening.Progressed.class,
                told -> told.progress().equals(new Progress(done, total, message)));
    }

    /** It has said in one sentence what it does. */
    public TaskAssert said(String status) {
        return happened(
                "the status \"" + status + "\"",
                Happening.Said.class,
                told -> told.message().equals(status));
    }

    /** It has written a line of the log that contains this text. */
    public TaskAssert logged(String part) {
        return happened(
                "a log line with \"" + part + "\"",
                Happening.Logged.class,
                line -> line.data().text().contains(part));
    }

    /** It has stored a piece of partial output that contains this text. */
    public TaskAssert gavePartialOutput(String part) {
        return happened(
                "partial output with \"" + part + "\"",
                Happening.Emitted.class,
                piece -> piece.output().text().contains(part));
    }

    /** Its client has met trouble, such as a server that is down, and goes on trying. */
    public TaskAssert metTrouble() {
        return comesTo("its client to meet trouble", actual::hasTrouble);
    }

    /** It has done this step, whose result a later attempt takes over. */
    public TaskAssert didStep(String name) {
        return happened(
                "the step \"" + name + "\"",
                Happening.StepDone.class,
                step -> step.name().equals(name));
    }

    /** Its work has begun so many times: more than once only after a crash, or a stop of the server. */
    public TaskAssert hasStarted(int times) {
        return comesTo(
                "the work to have started " + times + " times",
                () -> happenings(Happening.Started.class).count() == times);
    }

    private <H extends Happening> TaskAssert happened(String what, Class<H> kind, Predicate<H> wanted) {
        return comesTo(what, () -> happenings(kind).anyMatch(wanted));
    }

    private <H extends Happening> Stream<H> happenings(Class<H> kind) {
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
     * @param expected the whole text where it is a {@link String}; else a value that the structured content is read
     *                 as, such as a record
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
            if (e.getCause() instanceof UnusableAnswerException unusable) {
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
     * The call has failed: the tool says so, or it has ended with a JSON-RPC error, as where it took too long.
     *
     * @param part of what the client is told
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

    /** The task did not come to an end of its own, for this reason. */
    public TaskAssert failedBecause(Outcome.FailureReason reason) {
        return happened(
                "the task to fail as " + reason,
                Happening.Ended.class,
                end -> end.outcome() instanceof Outcome.Failed failed && failed.reason() == reason);
    }

    /** The call was cancelled, whoever did that. */
    public TaskAssert wasCancelled() {
        return comesTo(
                "the call to be cancelled",
                () -> actual.stored()
                        .map(task -> task.state() == TaskState.CANCELLED)
                        .orElseGet(() -> actual.ended()
                                .filter(CallOutcome.Cancelled.class::isInstance)
                                .isPresent()));
    }

    /** Fails at once where the task has ended: nothing more happens to it then. */
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
