// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.history;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * What can happen to a task. Watchers read events by cursor; each dialect reports to its requestor the events that its
 * generation can express.
 */
public sealed interface EventDetail {

    /** The size in bytes of the data that a backend gave for this event. */
    default int bytes() {
        return switch (this) {
            case Logged logged -> logged.data().size();
            case Emitted emitted -> emitted.output().size();
            case StepDone step -> step.result().size();
            case Ended(Outcome.Result result) -> result.body().size();
            default -> 0;
        };
    }

    record Created() implements EventDetail {}

    /** The work was started for the {@code attempt}th time, counted from 1. */
    record Started(int attempt) implements EventDetail {}

    record Progressed(Progress progress) implements EventDetail {}

    /** The status message changed. */
    record Said(String message) implements EventDetail {}

    /** A log line of the work; {@code level} is one of RFC 5424's, in lower case. */
    record Logged(String level, @Nullable String logger, Payload data) implements EventDetail {}

    /** A piece of partial output. */
    record Emitted(Payload output) implements EventDetail {}

    /** A named step was done once and for all; a later attempt takes {@code result} instead of doing it again. */
    record StepDone(String name, Payload result) implements EventDetail {

        /** No JSON text begins with this prefix. */
        private static final String CHILD = "task:";

        /** A call of other work: a step whose result is the child. */
        public static StepDone ofCall(String name, TaskId child) {
            return new StepDone(name, Payload.ofText(CHILD + child));
        }

        /** The child that was called; null where the step was no call. */
        public @Nullable TaskId child() {
            String text = result.size() == CHILD.length() + TaskId.LENGTH ? result.text() : "";
            return text.startsWith(CHILD) && TaskId.isWellFormed(text.substring(CHILD.length()))
                    ? new TaskId(text.substring(CHILD.length()))
                    : null;
        }
    }

    record Asked(String key) implements EventDetail {}

    record Answered(String key) implements EventDetail {}

    /** The server died while the work ran. */
    record Crashed(int attempt) implements EventDetail {}

    /** A stopping server gave the task back, to be started again by the next one. */
    record HandedBack() implements EventDetail {}

    record Ended(Outcome outcome) implements EventDetail {}

    /** The work has stopped, after its task had ended earlier. */
    record WorkEnded() implements EventDetail {}
}
