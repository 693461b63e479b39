// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Something that a server has done for a caller, or has refused to do. Task ids are secrets of their owners; ids and
 * names that the server does not know are texts of strangers. No event contains arguments, results or tokens.
 * Immutable.
 */
public sealed interface ServerEvent {

    ObservedCaller caller();

    /** How a call came to its task. */
    enum Way {
        NEW,
        /** The call was made before, under the same key or name. */
        REPEATED,
        /** The session joins the task of another call. */
        JOINED,
        /** Another task has made the call. */
        CALLED
    }

    /** A call has its task. */
    record TaskCreated(ObservedCaller caller, String task, String tool, Way way) implements ServerEvent {}

    /** The caller receives the outcome, the partial output or the log lines of the task. */
    record ResultRead(ObservedCaller caller, String task, String tool) implements ServerEvent {}

    /** Answers to questions of the task are durable. */
    record AnswerTaken(ObservedCaller caller, String task, String tool) implements ServerEvent {}

    /** The task is durably cancelled. */
    record TaskCancelled(ObservedCaller caller, String task, String tool) implements ServerEvent {}

    record TaskDeleted(ObservedCaller caller, String task, String tool) implements ServerEvent {}

    /**
     * A message was refused.
     *
     * @param task the task id in the message, as it was sent; null where there is none
     * @param tool the tool name in the message, likewise
     */
    record Refused(
            ObservedCaller caller,
            Rule rule,
            @Nullable String task,
            @Nullable String tool) implements ServerEvent {}

    /**
     * The authorization of a caller is missing, invalid, or does not allow the request.
     *
     * @param status the HTTP status of the answer
     */
    record AccessDenied(ObservedCaller caller, int status) implements ServerEvent {}

    /**
     * A call of a tool has ended: at its answer where the call has no task, else at the end of the task, whether or not
     * a client waited. The caller at the end of a task has no address.
     *
     * @param task null where the call has no task
     */
    record CallEnded(
            ObservedCaller caller, String tool, @Nullable String task, CallStatus outcome, Duration took)
            implements ServerEvent {}

    /**
     * A recipient has not taken the notice of the end of a task, and the server stops trying.
     *
     * @param caller   the application itself
     * @param recipient the name of the recipient in the file of tools
     * @param tries    the number of attempts
     */
    record NoticeGivenUp(ObservedCaller caller, String task, String recipient, int tries) implements ServerEvent {}

    /** The kinds of HTTP streams. */
    enum StreamKind {
        /** The answer to one request, and the messages before the answer. */
        RESPONSE,
        /** Messages that belong to no request of the session. */
        SESSION,
        /** Changes that the client asked to be told of. */
        SUBSCRIPTION
    }

    record StreamOpened(ObservedCaller caller, StreamKind kind) implements ServerEvent {}

    record StreamClosed(ObservedCaller caller, StreamKind kind) implements ServerEvent {}

    /** Patterns that look like an attempt to find things of other callers. */
    enum Pattern {
        /** One caller names many ids that do not exist for that caller. */
        UNKNOWN_IDS,
        /** One caller is refused often, for any reason. */
        REFUSALS,
        /** Many requests of one address are without authorization, or with a wrong one. */
        DENIED_ACCESSES
    }

    /**
     * A pattern was seen. Each caller's pattern is told once in a window.
     *
     * @param count the number of such events so far in the window
     */
    record PatternSeen(ObservedCaller caller, Pattern pattern, int count, Duration window) implements ServerEvent {}
}
