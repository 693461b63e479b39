// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.CALLED;
import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.created;
import static io.longhaul.client.Scripts.task;
import static io.longhaul.client.Scripts.task2025;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.dialect.Generation;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Tasks that a server has made just now, and of which another process of the server does not know yet. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class NewTasksTest {

    private static final String NOT_FOUND = "<! -32602 Unknown";
    private static final String SESSION = """
            -> initialize
            <- {"protocolVersion":"%s","capabilities":{"tools":{},"async":{}},"serverInfo":{"name":"s","version":"1"}}
            -> notifications/initialized
            <= 202
            -> tools/list
            <- {"tools":[{"name":"report","inputSchema":{"type":"object"},"invocationMode":"async",\
            "annotations":{"preferAsync":true}}]}
            -> tools/call
            """;
    private static final String ACCEPTED = """
            -> tools/async/call
            <- {"accepted":true,"token":"t1","keepAlive":60}
            """;
    private static final String OPERATION =
            "<- {\"content\":[],\"operation\":{\"token\":\"k\",\"status\":\"working\"}}";
    private static final String TOLD = "<~ {\"method\":\"notifications/tasks/created\",\"params\":"
            + "{\"_meta\":{\"modelcontextprotocol.io/related-task\":{\"taskId\":\"k\"}}}}\n";
    private static final CallOptions KEYED = CallOptions.DEFAULT.withCreationKey("k");

    /** In which the minute does not end after which a wait is made again. */
    private final TestTime time = new TestTime(Duration.ofMinutes(1));

    /** The call of a tool, of which the server has made a task. */
    private static String made(Generation generation) {
        return switch (generation) {
            case V2026_07_28 -> STATELESS + TOOLS + "-> tools/call\n<- " + created();
            case V2025_11_25 -> CALLED;
            case NEXT -> SESSION.formatted("next") + OPERATION;
            case SEP_1686 -> SESSION.formatted("2025-06-18") + TOLD;
            case TOOLS_ASYNC -> SESSION.formatted("2025-06-18").replace("-> tools/call\n", ACCEPTED);
            default -> throw new IllegalArgumentException("no tasks");
        };
    }

    /** How the client looks at the task. */
    private static String look(Generation generation) {
        return switch (generation) {
            case NEXT -> "tools/async/status\n";
            case TOOLS_ASYNC -> "tools/async/get\n";
            default -> "tasks/get\n";
        };
    }

    private static String completed(Generation generation) {
        return switch (generation) {
            case V2026_07_28 -> "-> tasks/get\n<- " + task("completed", ",\"result\":{\"content\":[]}");
            case V2025_11_25 -> "->* tasks/get\n<- " + task2025("completed") + "\n-> tasks/result\n<- {\"content\":[]}";
            case NEXT ->
                "-> tools/async/status\n<- {\"status\":\"completed\"}\n"
                        + "-> tools/async/result\n<- {\"result\":{\"content\":[]}}";
            case SEP_1686 ->
                "-> tasks/get\n<- {\"taskId\":\"k\",\"status\":\"completed\",\"keepAlive\":null}\n"
                        + "-> tasks/result\n<- {\"content\":[]}";
            case TOOLS_ASYNC -> "-> tools/async/get\n<- {\"content\":[]}";
            default -> throw new IllegalArgumentException("no tasks");
        };
    }

    private CallOutcome call(Generation generation, String... lines) throws Exception {
        var script = new Transcript(String.join("\n", lines));
        var builder = Scripts.over(script, time);
        try (var client =
                (made(generation).contains("server/discover") ? builder : builder.generation(generation)).connect()) {
            return client.call("report", NO_ARGUMENTS, KEYED).await();
        }
    }

    /** How long the client has paused between its looks, without the minute before a wait is made again. */
    private Duration paused() {
        return time.pauses().stream()
                .filter(pause -> pause.compareTo(Duration.ofMinutes(1)) < 0)
                .reduce(Duration.ZERO, Duration::plus);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.INCLUDE,
            names = {"V2026_07_28", "V2025_11_25", "NEXT", "SEP_1686", "TOOLS_ASYNC"})
    void a_task_that_is_not_found_yet_is_looked_for_again(Generation generation) throws Exception {
        var early = generation == Generation.V2025_11_25 ? "-> tasks/result\n" + NOT_FOUND : "";
        var outcome = call(
                generation,
                made(generation),
                early,
                ("-> " + look(generation) + NOT_FOUND + "\n").repeat(3),
                completed(generation));
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.INCLUDE,
            names = {"V2026_07_28", "V2025_11_25", "NEXT", "SEP_1686"})
    void a_task_that_does_not_appear_within_some_seconds_is_lost(Generation generation) throws Exception {
        var outcome = call(
                generation,
                made(generation),
                generation == Generation.SEP_1686 ? "<x" : "",
                generation == Generation.V2025_11_25 ? "->* tasks/result\n" + NOT_FOUND : "",
                "->* " + look(generation) + NOT_FOUND);
        assertThat(outcome).isInstanceOf(CallOutcome.Lost.class);
        assertThat(paused()).isGreaterThan(Duration.ofSeconds(5));
        if (generation != Generation.SEP_1686) {
            assertThat(paused()).isLessThan(Duration.ofSeconds(30));
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.INCLUDE,
            names = {"V2026_07_28", "V2025_11_25", "NEXT", "SEP_1686", "TOOLS_ASYNC"})
    void a_task_that_gives_no_result_where_its_result_should_be_is_unusable(Generation generation) throws Exception {
        var outcome = call(
                generation,
                made(generation),
                generation == Generation.SEP_1686 ? "<x" : "",
                // Until the client knows that the call has broken, the call may still give the result.
                completed(generation)
                        .replace("{\"content\":[]}", "7")
                        .replace("-> tasks/", generation == Generation.SEP_1686 ? "->* tasks/" : "-> tasks/"));
        assertThat(outcome).isInstanceOf(CallOutcome.Unusable.class);
    }

    /** An error in place of the outcome is the error of the call, and may be sent under the code of an unknown one. */
    @Test
    void a_call_of_tools_async_that_does_not_appear_within_some_seconds_has_failed() throws Exception {
        var outcome = call(
                Generation.TOOLS_ASYNC,
                made(Generation.TOOLS_ASYNC),
                "->* " + look(Generation.TOOLS_ASYNC) + NOT_FOUND);
        assertThat(outcome).isInstanceOf(CallOutcome.ProtocolError.class);
        assertThat(paused()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(30));
    }

    @Test
    void a_task_that_was_shown_once_and_is_not_found_any_more_is_lost_at_once() throws Exception {
        var outcome = call(
                Generation.V2026_07_28,
                made(Generation.V2026_07_28),
                "-> tasks/get\n<- " + task("working", ""),
                "-> tasks/get\n" + NOT_FOUND);
        assertThat(outcome).isInstanceOf(CallOutcome.Lost.class);
    }

    @Test
    void a_task_that_is_refused_with_another_error_than_not_found_is_lost_at_once() throws Exception {
        var outcome = call(Generation.V2026_07_28, made(Generation.V2026_07_28), "-> tasks/get\n<! -32000 Forbidden");
        assertThat(outcome).isInstanceOf(CallOutcome.Lost.class);
    }

    @Test
    void a_task_of_an_earlier_process_that_is_not_found_is_lost_at_once() throws Exception {
        var script = new Transcript(STATELESS + "-> tasks/get\n" + NOT_FOUND);
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.attach(TaskReference.parse("longhaul-task/1/2026-07-28/t1/http://script.test/mcp"));
            assertThat(call.await()).isInstanceOf(CallOutcome.Lost.class);
        }
    }
}
