// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Something that a server has done for a caller, or has refused to do. Task ids are secrets of their owners; ids and
 * names that the server does not know are texts of strangers. Arguments, results and tokens are in no event. Immutable.
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

    /** The caller is given what the task came to, or what the task has put out or logged. */
    record ResultRead(ObservedCaller caller, String task, String tool) implements ServerEvent {}

    /** Answers to questions of the task are durable. */
    record AnswerTaken(ObservedCaller caller, String task, String tool) implements ServerEvent {}

    /** The task is durably cancelled. */
    record TaskCancelled(ObservedCaller caller, String task, String tool) implements ServerEvent {}

    record TaskDeleted(ObservedCaller caller, String task, String tool) implements ServerEvent {}

    /**
     * A message was refused.
     *
     * @param task the id that the message named, as it was sent; null where it named none
     * @param tool likewise
     */
    record Refused(
            ObservedCaller caller,
            Rule rule,
            @Nullable String task,
            @Nullable String tool) implements ServerEvent {}

    /**
     * A caller has shown no authorization, none that is good, or one that does not allow this.
     *
     * @param status the HTTP status that says so
     */
    record AccessDenied(ObservedCaller caller, int status) implements ServerEvent {}

    /**
     * A call of a tool has ended: one without a task when it was answered, and one with a task when the task ended,
     * whether a client waited for that or not. The end of a task has no address.
     *
     * @param task null where the call has none
     */
    record CallEnded(
            ObservedCaller caller, String tool, @Nullable String task, CallOutcome outcome, Duration took)
            implements ServerEvent {}

    /**
     * A recipient that was to be told of the end of a task has not taken that, and is told no more.
     *
     * @param caller   the application itself
     * @param recipient by its name in the file of tools
     * @param tries    how often it was told
     */
    record NoticeGivenUp(ObservedCaller caller, String task, String recipient, int tries) implements ServerEvent {}

    /** What a stream of HTTP is for. */
    enum StreamKind {
        /** The answer to one request, with what goes before it. */
        RESPONSE,
        /** What belongs to no request of a session. */
        SESSION,
        /** Changes that the client asked to be told of. */
        SUBSCRIPTION
    }

    record StreamOpened(ObservedCaller caller, StreamKind kind) implements ServerEvent {}

    record StreamClosed(ObservedCaller caller, StreamKind kind) implements ServerEvent {}

    /** What looks like an attempt to find out what is not the caller's. */
    enum Pattern {
        /** One caller names many ids that do not exist for it. */
        UNKNOWN_IDS,
        /** One caller is refused often, whatever the reason. */
        REFUSALS,
        /** Many requests of one address are without authorization, or with a wrong one. */
        DENIED_ACCESSES
    }

    /**
     * A pattern was seen; told once in a window of each caller.
     *
     * @param count of such events so far in the window
     */
    record PatternSeen(ObservedCaller caller, Pattern pattern, int count, Duration window) implements ServerEvent {}
}
