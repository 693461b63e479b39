// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * What can happen to a task. Watchers read events by cursor; each dialect reports to its requestor the events that its
 * generation can express.
 */
public sealed interface Happening {

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

    record Created() implements Happening {}

    /** The work was started for the {@code attempt}th time, counted from 1. */
    record Started(int attempt) implements Happening {}

    record Progressed(Progress progress) implements Happening {}

    /** The status message changed. */
    record Said(String message) implements Happening {}

    /** A log line of the work; {@code level} is one of RFC 5424's, in lower case. */
    record Logged(String level, @Nullable String logger, Payload data) implements Happening {}

    /** A piece of partial output. */
    record Emitted(Payload output) implements Happening {}

    /** A named step was done once and for all; a later attempt takes {@code result} instead of doing it again. */
    record StepDone(String name, Payload result) implements Happening {

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

    record Asked(String key) implements Happening {}

    record Answered(String key) implements Happening {}

    /** The server died while the work ran. */
    record Crashed(int attempt) implements Happening {}

    /** A stopping server gave the task back, to be started again by the next one. */
    record HandedBack() implements Happening {}

    record Ended(Outcome outcome) implements Happening {}

    /** The work has stopped, after its task had ended earlier. */
    record WorkEnded() implements Happening {}
}
