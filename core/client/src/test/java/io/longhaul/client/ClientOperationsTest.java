// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.answeringAda;
import static io.longhaul.client.Scripts.script;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.JsonTree;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations of SEP-1391, from the side of who calls. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class ClientOperationsTest {

    private static final String NEXT = """
            -> initialize {"protocolVersion":"next"}
            <h Mcp-Session-Id: one
            <- {"protocolVersion":"next","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"1"}}
            -> notifications/initialized
            -h MCP-Protocol-Version: next
            <= 202
            -> tools/list
            <- {"tools":[{"name":"report","inputSchema":{"type":"object"},"invocationMode":"async"},\
            {"name":"quick","inputSchema":{"type":"object"}}]}
            ->* DELETE {"Mcp-Session-Id":"one"}
            """;
    private static final String NO_STREAM = "->* GET\n<= 405\n";
    private static final String ACCEPTED = """
            -> tools/call {"name":"report","operation":{"token":"key-1"}}
            <- {"content":[{"type":"text","text":"Started."}],"operation":{"token":"key-1","keepAlive":3600,\
            "pollFrequency":5,"status":"submitted"}}
            """;
    private static final CallOptions KEYED = CallOptions.DEFAULT.withCreationKey("key-1");

    private final TestTime time = new TestTime();

    private McpClient connect(Transcript script) {
        return Scripts.over(script, time).generation(Generation.NEXT).connect();
    }

    private static String status(String status) {
        return "-> tools/async/status {\"token\":\"key-1\"}\n<- " + status;
    }

    @Test
    void a_result_that_does_not_fit_the_schema_of_its_tool_is_told_of_and_kept() throws Exception {
        var schema = "\"outputSchema\":{\"type\":\"object\",\"properties\":{\"rows\":{\"type\":\"integer\"}}},";
        var listed = NEXT.replace("\"invocationMode\"", schema + "\"invocationMode\"");
        var script = script(listed, NO_STREAM, ACCEPTED, status("{\"status\":\"completed\"}"), """
                -> tools/async/result
                <- {"result":{"content":[],"structuredContent":{"rows":"three"}}}
                """);
        try (var client = connect(script)) {
            var call = client.call("report", NO_ARGUMENTS, KEYED);
            assertThat(call.await())
                    .isInstanceOfSatisfying(
                            CallOutcome.ToolResult.class,
                            result -> assertThat(result.toString()).contains("three"));
            assertThat(call.warnings())
                    .singleElement()
                    .asString()
                    .contains("does not fit", "/rows: string found, integer expected");
        }
    }

    @Test
    void a_call_is_an_operation_under_the_token_that_makes_it_safe_to_repeat_and_is_polled_as_often_as_asked()
            throws Exception {
        var working = (status("{\"status\":\"working\"}") + "\n").repeat(4);
        var script = script(NEXT, NO_STREAM, ACCEPTED, working, """
                -> tools/async/status
                <- {"status":"completed"}
                -> tools/async/result {"token":"key-1"}
                <- {"result":{"content":[{"type":"text","text":"the report"}],"isError":false}}
                """);
        try (var client = connect(script)) {
            var outcome = client.call("report", NO_ARGUMENTS, KEYED).await();
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            CallOutcome.ToolResult.class,
                            result -> assertThat(result.toString()).contains("the report"));
        }
        assertThat(time.pauses()).extracting(Duration::toMillis).containsExactly(5250L, 5250L, 5250L, 5250L, 5250L);
    }

    @Test
    void the_time_that_a_result_shall_be_kept_is_said_in_seconds() throws Exception {
        var script = script(NEXT, NO_STREAM, """
                -> tools/call {"operation":{"token":"key-1","keepAlive":90}}
                <- {"content":[],"operation":{"token":"key-1","keepAlive":null,"status":"working"}}
                """, status("{\"status\":\"failed\",\"error\":\"out of paper\"}"));
        try (var client = connect(script)) {
            var call = client.call("report", NO_ARGUMENTS, KEYED.withTtl(Duration.ofSeconds(90)));
            assertThat(call.await()).isInstanceOf(CallOutcome.ProtocolError.class);
            assertThat(call.warnings()).isEmpty();
        }
    }

    @Test
    void the_immediate_result_is_given_to_the_caller_as_it_comes() throws Exception {
        var script = script(NEXT, NO_STREAM, ACCEPTED, """
                -> tools/async/status
                .. {"go":true}
                <- {"status":"canceled"}
                """);
        try (var client = connect(script)) {
            var updates = new CopyOnWriteArrayList<CallUpdate>();
            var call = client.call("report", NO_ARGUMENTS, KEYED);
            call.onUpdate(updates::add);
            call.reference();
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
            assertThat(updates).anyMatch(update -> update.toString().contains("Started."));
        }
    }

    @Test
    void a_tool_without_a_mode_is_called_without_a_token() throws Exception {
        var script = script(NEXT, """
                -> tools/call {"name":"quick"}
                <- {"content":[]}
                """);
        try (var client = connect(script)) {
            var call = client.call("quick", NO_ARGUMENTS, KEYED);
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
            assertThat(call.reference()).isEmpty();
        }
        assertThat(script.received().stream()
                        .filter(message -> message.path("params").has("operation")))
                .isEmpty();
    }

    private void assertGivesItsResult(Transcript script) throws InterruptedException {
        try (var client = connect(script)) {
            assertThat(client.call("report", NO_ARGUMENTS, KEYED).await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    @Test
    void a_token_of_the_servers_own_is_taken_where_it_gives_one() throws Exception {
        var script = script(NEXT, NO_STREAM, """
                -> tools/call
                <- {"content":[],"operation":{"token":"theirs","keepAlive":60,"status":"working"}}
                -> tools/async/status {"token":"theirs"}
                <- {"status":"completed"}
                -> tools/async/result {"token":"theirs"}
                <- {"result":{"content":[]}}
                """);
        assertGivesItsResult(script);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"keepAlive\":3600,\"pollFrequency\":5,\"status\":\"submitted\"}",
                "{\"token\":\"key-1\",\"keepAlive\":3600,\"pollFrequency\":5}",
                "{}"
            })
    void both_immediate_results_that_the_text_writes_down_are_taken_and_the_job_is_not_lost(String operation)
            throws Exception {
        var script = script(
                NEXT,
                NO_STREAM,
                "-> tools/call",
                "<- {\"content\":[],\"operation\":" + operation + "}",
                status("{\"status\":\"completed\"}"),
                "-> tools/async/result {\"token\":\"key-1\"}",
                "<- {\"result\":{\"content\":[]}}");
        try (var client = connect(script)) {
            var call = client.call("report", NO_ARGUMENTS, KEYED);
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
            assertThat(call.reference().orElseThrow().taskId()).isEqualTo("key-1");
        }
    }

    @Test
    void a_question_is_answered_with_the_token_that_it_came_with() throws Exception {
        var asked = new AtomicInteger();
        var ada = answeringAda(asked);
        var script = script(NEXT, """
                -> GET {"Mcp-Session-Id":"one"}
                .. {"method":"tools/call"}
                <~ {"id":"q1","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{},\
                "_operation":{"token":"key-1"}}}
                <.
                """, ACCEPTED, """
                -> tools/async/status
                .. {"id":"q1","result":{"action":"accept","content":{"who":"Ada"},"_operation":{"token":"key-1"}}}
                <- {"status":"completed"}
                -> tools/async/result
                <- {"result":{"content":[]}}
                """);
        try (var client = Scripts.over(script, time)
                .generation(Generation.NEXT)
                .answers(ada)
                .connect()) {
            assertThat(client.call("report", NO_ARGUMENTS, KEYED).await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
        assertThat(asked).hasValue(1);
    }

    @Test
    void an_operation_is_cancelled_by_giving_its_call_up_after_it_was_answered() throws Exception {
        var script = script(NEXT, NO_STREAM, ACCEPTED, """
                -> notifications/cancelled
                <= 202
                -> tools/async/status
                .. {"method":"notifications/cancelled"}
                <- {"status":"canceled"}
                """);
        try (var client = connect(script)) {
            var call = client.call("report", NO_ARGUMENTS, KEYED);
            call.reference();
            call.cancel();
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
        }
        var call = of(script, "tools/call").path("id");
        assertThat(of(script, "notifications/cancelled").path("params").path("requestId"))
                .isEqualTo(call);
    }

    @Test
    void an_operation_that_is_gone_after_its_call_was_given_up_was_cancelled() throws Exception {
        var script = script(NEXT, NO_STREAM, ACCEPTED, """
                -> notifications/cancelled
                <= 202
                -> tools/async/status
                .. {"method":"notifications/cancelled"}
                <! -32602 Unknown
                """);
        try (var client = connect(script)) {
            var call = client.call("report", NO_ARGUMENTS, KEYED);
            call.reference();
            call.cancel();
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"status\":\"failed\",\"error\":\"out of paper\"}|out of paper",
                "{\"status\":\"failed\"}|failed",
                "{\"status\":\"unknown\"}|does not know",
            })
    void what_has_failed_says_why_and_what_is_unknown_has_ended(String status, String why) throws Exception {
        var script = script(NEXT, NO_STREAM, ACCEPTED, status(status));
        try (var client = connect(script)) {
            assertThat(client.call("report", NO_ARGUMENTS, KEYED).await())
                    .isInstanceOfSatisfying(
                            CallOutcome.ProtocolError.class,
                            failed -> assertThat(failed.reason()).contains(why));
        }
    }

    @Test
    void a_call_whose_answer_was_lost_is_found_by_its_token_and_not_made_again() throws Exception {
        var script = script(NEXT, NO_STREAM, """
                -> tools/call {"operation":{"token":"key-1"}}
                <x
                """, status("{\"status\":\"working\"}"), """
                -> tools/async/status
                <- {"status":"completed"}
                -> tools/async/result {"token":"key-1"}
                <- {"result":{"content":[]}}
                """);
        assertGivesItsResult(script);
    }

    @Test
    void an_operation_that_has_completed_without_a_result_is_unusable() throws Exception {
        var script = script(NEXT, NO_STREAM, ACCEPTED, status("{\"status\":\"completed\"}"), """
                -> tools/async/result
                <- {}
                """);
        try (var client = connect(script)) {
            assertThat(client.call("report", NO_ARGUMENTS, KEYED).await()).isInstanceOf(CallOutcome.Unusable.class);
        }
    }

    @Test
    void a_token_that_the_server_does_not_find_ends_the_call() throws Exception {
        var script = script(NEXT, NO_STREAM, ACCEPTED, """
                ->* tools/async/status
                <! -32602 NotFound
                """);
        try (var client = connect(script)) {
            assertThat(client.call("report", NO_ARGUMENTS, KEYED).await())
                    .isNotInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    private static tools.jackson.databind.JsonNode of(Transcript script, String method) {
        return script.received().stream()
                .filter(message -> message.path("method").asString("").equals(method))
                .findFirst()
                .orElseGet(JsonTree::object);
    }
}
