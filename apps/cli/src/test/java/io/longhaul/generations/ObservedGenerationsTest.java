// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.receiver.observe.CallStatus;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerEvent.AnswerTaken;
import io.longhaul.receiver.observe.ServerEvent.CallEnded;
import io.longhaul.receiver.observe.ServerEvent.Refused;
import io.longhaul.receiver.observe.ServerEvent.ResultRead;
import io.longhaul.receiver.observe.ServerEvent.TaskCancelled;
import io.longhaul.receiver.observe.ServerEvent.TaskCreated;
import io.longhaul.receiver.observe.ServerEvent.Way;
import io.longhaul.testkit.Case;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What observers of a server are told, whatever generation the caller speaks. */
class ObservedGenerationsTest {

    /**
     * What must be told in a case.
     *
     * @param cell what happens
     * @param what happens to be said of it, for people
     */
    private record Row(Cell cell, String what, Predicate<ServerEvent> event) {}

    private static Row row(Cell cell, String what, Predicate<ServerEvent> event) {
        return new Row(cell, what, event);
    }

    private static final List<Row> ROWS = List.of(
            row(Cell.COMPLETES, "a creation", event -> isCreated(event, Way.NEW)),
            row(Cell.COMPLETES, "a read of the result", event -> event instanceof ResultRead),
            row(Cell.COMPLETES, "the end of the call", event -> isEnded(event, CallStatus.RESULT)),
            row(Cell.TOOL_ERROR, "that the tool failed", event -> isEnded(event, CallStatus.TOOL_ERROR)),
            row(Cell.PROTOCOL_ERROR, "the error", event -> isEnded(event, CallStatus.ERROR)),
            row(Cell.KILLED, "that work was interrupted", event -> isEnded(event, CallStatus.FAILED)),
            row(Cell.CANCELLED, "a cancellation", event -> event instanceof TaskCancelled),
            row(Cell.CANCELLED, "the end of what was cancelled", event -> isEnded(event, CallStatus.CANCELLED)),
            row(Cell.ANSWERED, "an answer", event -> event instanceof AnswerTaken),
            row(Cell.UNKNOWN_ID, "an unknown id", event -> isRefused(event, "UNKNOWN_ID")),
            row(Cell.FOREIGN_OWNER, "a foreign id", event -> isRefused(event, "UNKNOWN_ID")),
            row(Cell.MALFORMED, "bad params", event -> isRefused(event, "BAD_PARAMS")),
            row(Cell.RETRIED, "a creation that is repeated", event -> isCreated(event, Way.REPEATED)),
            row(Cell.RETRIED, "a key that is used again", event -> isRefused(event, "KEY_REUSED")));

    private static boolean isCreated(ServerEvent event, Way way) {
        return event instanceof TaskCreated created && created.way() == way;
    }

    private static boolean isEnded(ServerEvent event, CallStatus outcome) {
        return event instanceof CallEnded ended && ended.task() != null && ended.outcome() == outcome;
    }

    private static boolean isRefused(ServerEvent event, String rule) {
        return event instanceof Refused refused && refused.rule().name().equals(rule);
    }

    @TestFactory
    Stream<DynamicTest> observers_are_told_in_every_generation() {
        return Arrays.stream(Tongue.values())
                .flatMap(tongue -> ROWS.stream()
                        .map(row -> Case.named(tongue + ": " + row.what(), () -> assertTold(tongue, row))));
    }

    private static void assertTold(Tongue tongue, Row row) throws Exception {
        try (var scenarios = new Scenarios(tongue, new InProcess(new MemoryWay()))) {
            assumeTrue(scenarios.show(row.cell()) instanceof Shown.Held, "the generation has no such case");
            assertThat(scenarios.events()).anyMatch(row.event());
            assertThat(scenarios.events())
                    .as("who it was, and in which words")
                    .allSatisfy(event -> assertThat(event.caller().principal()).isNotNull());
        }
    }

    @TestFactory
    Stream<DynamicTest> each_call_ends_once() {
        return Arrays.stream(Tongue.values())
                .map(tongue -> Case.named(tongue.toString(), () -> assertEndsOnce(tongue)));
    }

    /** A call of a companion tool is a call of its own. */
    private static void assertEndsOnce(Tongue tongue) throws Exception {
        try (var scenarios = new Scenarios(tongue, new InProcess(new MemoryWay()))) {
            scenarios.show(Cell.COMPLETES);
            assertThat(scenarios.events())
                    .filteredOn(event ->
                            event instanceof CallEnded ended && ended.tool().equals("report"))
                    .singleElement()
                    .satisfies(event -> assertThat(((CallEnded) event).task()).isNotNull())
                    .satisfies(event -> assertThat(event.caller().generation()).isNotNull());
        }
    }
}
