// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What one generation must say, as its text has it. Not thread-safe. */
final class Truth {

    static final String NO_PARTS =
            "The revision has no words for partial output. It is kept with the task, and told to those that have.";

    /** A moment in the life of a call. */
    enum State {
        QUEUED,
        RUNNING,
        ASKING
    }

    /** An end of a call. */
    enum End {
        RESULT,
        TOOL_ERROR,
        PROTOCOL_ERROR,
        CANCELLED,
        /** Somebody else has cancelled it, so that its caller still waits for a response. */
        CANCELLED_ELSEWHERE,
        INTERRUPTED
    }

    /** When retention begins. */
    enum Kept {
        FROM_CREATION,
        FROM_END,
        FROM_LEAVING
    }

    private final Map<State, String> states = new EnumMap<>(State.class);
    private final Map<End, Told> ends = new EnumMap<>(End.class);
    private final Map<Cell, String> impossible = new EnumMap<>(Cell.class);
    private final Map<Verb, String> verbs = new EnumMap<>(Verb.class);
    private String cancelled = "";
    private String cancelledLate = "";
    private final Map<String, String> unknown = new LinkedHashMap<>();
    private String otherCreation = "";
    private Kept kept = Kept.FROM_END;

    /** A generation that has no states: what its client has of a call that runs or asks, and in the end the answer. */
    static Truth ofAnswers(String running, String asking) {
        return new Truth()
                .says(State.RUNNING, running)
                .says(State.ASKING, asking)
                .returns("", "")
                .failsWithItsError("");
    }

    Truth says(State state, String word) {
        states.put(state, word);
        return this;
    }

    /** A generation with states: what is said of a call before it has ended. */
    static Truth ofStates(String queued, String running, String asking) {
        return new Truth()
                .says(State.QUEUED, queued)
                .says(State.RUNNING, running)
                .says(State.ASKING, asking);
    }

    /** The state of a call that has given its result, and of one whose tool says that it failed. */
    Truth returns(String result, String toolError) {
        return says(End.RESULT, result, "\"done\"").says(End.TOOL_ERROR, toolError, "`isError` \"it did not work\"");
    }

    /** The error of a call is told as it is, in this state, and that of an interrupted one too. */
    Truth failsWithItsError(String status) {
        return says(End.PROTOCOL_ERROR, status, "-32000 \"out of paper\"")
                .says(End.INTERRUPTED, status, "-32603 \"" + Works.INTERRUPTED + "\"");
    }

    Truth says(End end, String status, String outcome) {
        ends.put(end, new Told(status, outcome));
        return this;
    }

    /** By which method a task of any generation can be dealt with in this one. */
    Truth has(String method, Verb... served) {
        Stream.of(served).forEach(verb -> verbs.put(verb, method));
        return this;
    }

    /** What is said to a wish to cancel what runs, and what has ended. */
    Truth saysToCancel(String running, String ended) {
        cancelled = running;
        cancelledLate = ended;
        return this;
    }

    /** What verbs say of a call that is not there. */
    Truth saysOfUnknown(String error, String... ofVerbs) {
        Stream.of(ofVerbs).forEach(verb -> unknown.put(verb, error));
        return this;
    }

    /** What is said to another creation under the key of one before. */
    Truth saysToOtherCreation(String error) {
        otherCreation = error;
        return this;
    }

    Truth keeps(Kept from) {
        kept = from;
        return this;
    }

    Truth cannotBe(Cell cell, String reason) {
        impossible.put(cell, reason);
        return this;
    }

    Map<Verb, String> verbs() {
        return verbs;
    }

    String of(State state) {
        return states.get(state);
    }

    Told of(End end) {
        return end == End.CANCELLED_ELSEWHERE && !ends.containsKey(end) ? ends.get(End.CANCELLED) : ends.get(end);
    }

    String cancelled() {
        return cancelled;
    }

    String cancelledLate() {
        return cancelledLate;
    }

    /** By verb: what is said of a call that is not there. */
    Map<String, String> unknown() {
        return unknown;
    }

    String otherCreation() {
        return otherCreation;
    }

    /**
     * How long a call is kept after its client has left.
     *
     * @param asked what was asked for
     * @param ran   how long it ran
     * @param stays how long after that its client stayed
     */
    Duration keptAfterLeaving(Duration asked, Duration ran, Duration stays) {
        return switch (kept) {
            case FROM_CREATION -> asked.minus(ran).minus(stays);
            case FROM_END -> asked.minus(stays);
            case FROM_LEAVING -> asked;
        };
    }

    Optional<String> impossible(Cell cell) {
        return Optional.ofNullable(impossible.get(cell));
    }
}
