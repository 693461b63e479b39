// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks of the drafts: SEP-1686, SEP-1391 and tools/async. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class DraftTasksTest {

    private static final String OPENED = """
            -> initialize
            <h Mcp-Session-Id: one
            <- {"protocolVersion":"%s","capabilities":{"tools":{},"async":{}},"serverInfo":{"name":"s","version":"1"}}
            -> notifications/initialized
            <= 202
            ->* GET
            <= 405
            ->* DELETE
            """;
    private static final String CALLABLE = """
            -> tools/list
            <- {"tools":[{"name":"report","inputSchema":{"type":"object"},"invocationMode":"async",\
            "annotations":{"preferAsync":true}}]}
            """;
    private static final String ACCEPTED = "<- {\"accepted\":true,\"token\":\"t\",\"keepAlive\":60}";
    private static final String RELATED = "\"_meta\":{\"modelcontextprotocol.io/related-task\":{\"taskId\":\"k\"}}";
    private static final String CREATED =
            "<~ {\"method\":\"notifications/tasks/created\",\"params\":{" + RELATED + "}}";

    private final TestTime time = new TestTime();
    private final CallOptions options = CallOptions.DEFAULT.withCreationKey("k").withTtl(Duration.ofMinutes(1));

    private static Transcript script(String version, String... lines) {
        return Scripts.script(OPENED.formatted(version) + CALLABLE, String.join("\n", lines));
    }

    /** A session that joins the call {@code t} and waits for it. */
    private CallOutcome joined(Consumer<RemoteCall<?>> listener, String... waited) throws Exception {
        var script = Scripts.script(
                OPENED.formatted("2025-06-18"),
                "-> tools/async/join {\"token\":\"t\"}",
                ACCEPTED,
                "-> tools/async/get {\"token\":\"t\"}",
                String.join("\n", waited));
        try (var client = over(script, Generation.TOOLS_ASYNC).connect()) {
            var call = client.attach(TaskReference.parse("longhaul-task/1/tools-async/t/http://script.test/mcp"));
            listener.accept(call);
            return call.await();
        }
    }

    private McpClientBuilder over(Transcript script, Generation generation) {
        return Scripts.over(script, time).generation(generation);
    }

    private CallOutcome outcome(Generation generation, String... lines) throws Exception {
        try (var client = over(script("2025-06-18", lines), generation).connect()) {
            return client.call("report", NO_ARGUMENTS, options).await();
        }
    }

    private static void onProgress(RemoteCall<?> call, Consumer<Double> listener) {
        call.onUpdate(update -> {
            if (update instanceof CallUpdate.Status status && status.progress() != null) {
                listener.accept(status.progress().current());
            }
        });
    }

    private static String text(CallOutcome outcome) {
        return ((CallOutcome.ToolResult) outcome).result().toString();
    }

    @Test
    void a_task_that_is_told_of_is_looked_at_while_its_call_stays_open() throws Exception {
        var outcome = outcome(
                Generation.SEP_1686,
                "-> tools/call {\"_meta\":{\"modelcontextprotocol.io/task\":"
                        + "{\"taskId\":\"k\",\"keepAlive\":60000}}}",
                CREATED,
                "<.",
                "-> tasks/get {\"taskId\":\"k\"," + RELATED + "}",
                "<- {\"taskId\":\"k\",\"status\":\"working\",\"keepAlive\":60000,\"pollFrequency\":100}",
                "-> tasks/get",
                "<- {\"taskId\":\"k\",\"status\":\"completed\",\"keepAlive\":60000}",
                "-> tasks/result {\"taskId\":\"k\"}",
                "<- {\"content\":[{\"type\":\"text\",\"text\":\"by looking\"}]}");
        assertThat(text(outcome)).contains("by looking");
    }

    @Test
    void the_answer_of_the_call_ends_it_when_it_comes_first() throws Exception {
        var outcome = outcome(
                Generation.SEP_1686,
                "-> tools/call",
                CREATED,
                ".. {\"method\":\"tasks/get\"}",
                "<- {\"content\":[{\"type\":\"text\",\"text\":\"by the call\"}]}",
                "->* tasks/get",
                "<- {\"taskId\":\"k\",\"status\":\"working\",\"keepAlive\":null}");
        assertThat(text(outcome)).contains("by the call");
    }

    @Test
    void a_server_that_knows_no_tasks_answers_the_call_and_that_is_all() throws Exception {
        var outcome = outcome(Generation.SEP_1686, "-> tools/call", "<- {\"content\":[]}");
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void a_call_whose_connection_broke_is_found_by_the_id_that_was_chosen() throws Exception {
        var outcome = outcome(
                Generation.SEP_1686,
                "-> tools/call",
                "<x",
                "-> tasks/get {\"taskId\":\"k\"}",
                "<- {\"taskId\":\"k\",\"status\":\"working\",\"keepAlive\":null}",
                "-> tasks/get",
                "<- {\"taskId\":\"k\",\"status\":\"failed\",\"keepAlive\":null,\"error\":\"out of paper\"}");
        assertThat(outcome)
                .isEqualTo(new CallOutcome.ProtocolError(new RpcError(RpcError.INTERNAL_ERROR, "out of paper")));
    }

    @Test
    void a_task_is_cancelled_by_giving_up_its_call_and_looked_at_until_it_is() throws Exception {
        var script = script(
                "2025-06-18",
                "-> tools/call",
                CREATED,
                "<.",
                "-> tasks/get",
                ".. {\"method\":\"notifications/cancelled\"}",
                "<- {\"taskId\":\"k\",\"status\":\"working\",\"keepAlive\":null}",
                "-> tasks/get",
                "<- {\"taskId\":\"k\",\"status\":\"cancelled\",\"keepAlive\":null}",
                "-> notifications/cancelled {\"requestId\":3}",
                "<= 202");
        try (var client = over(script, Generation.SEP_1686).connect()) {
            var call = client.call("report", NO_ARGUMENTS, options);
            assertThat(Scripts.cancelled(call, script, "{\"method\":\"tasks/get\"}"))
                    .isInstanceOf(CallOutcome.Cancelled.class);
        }
    }

    @Test
    void an_operation_is_called_under_a_token_and_its_immediate_result_is_a_part() throws Exception {
        var script = script(
                "next",
                "-> tools/call {\"operation\":{\"token\":\"k\",\"keepAlive\":60}}",
                "-h MCP-Protocol-Version: next",
                "<- {\"content\":[{\"type\":\"text\",\"text\":\"begun\"}],"
                        + "\"operation\":{\"token\":\"k\",\"keepAlive\":60,"
                        + "\"pollFrequency\":0.1,\"status\":\"submitted\"}}",
                "-> tools/async/status {\"token\":\"k\"}",
                "<- {\"status\":\"completed\"}",
                "-> tools/async/result {\"token\":\"k\"}",
                "<- {\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}}");
        try (var client = over(script, Generation.NEXT).connect()) {
            var call = client.call("report", NO_ARGUMENTS, options);
            var parts = Scripts.updates(call, CallUpdate.Part.class);
            assertThat(text(call.await())).contains("done");
            assertThat(parts).singleElement().asString().contains("begun");
        }
    }

    @Test
    void a_question_of_an_operation_is_answered_with_its_token() throws Exception {
        var script = script(
                "next",
                "-> tools/call",
                "<~ {\"id\":\"q1\",\"method\":\"elicitation/create\",\"params\":"
                        + "{\"message\":\"Who?\",\"requestedSchema\":{},\"_operation\":{\"token\":\"k\"}}}",
                ".. {\"id\":\"q1\",\"result\":{\"action\":\"accept\",\"_operation\":{\"token\":\"k\"}}}",
                "<- {\"content\":[],\"operation\":{\"token\":\"k\",\"keepAlive\":60,\"status\":\"working\"}}",
                "-> tools/async/status",
                "<- {\"status\":\"canceled\"}");
        try (var client = over(script, Generation.NEXT)
                .answers(QuestionHandler.NONE.forms(form -> new Reply.Accepted(Json.raw("{}"))))
                .connect()) {
            assertThat(client.call("report", NO_ARGUMENTS, options).await()).isInstanceOf(CallOutcome.Cancelled.class);
        }
    }

    @Test
    void an_asynchronous_call_is_waited_for_a_while_at_a_time_under_a_token_of_any_type() throws Exception {
        var outcome = outcome(
                Generation.TOOLS_ASYNC,
                "-> tools/async/call {\"name\":\"report\",\"arguments\":{},\"keepAlive\":60}",
                "<- {\"accepted\":true,\"token\":7,\"keepAlive\":60}",
                "-> tools/async/get {\"token\":7,\"timeout\":20}",
                "<- {\"content\":[],\"isPending\":true}",
                "-> tools/async/get {\"token\":7}",
                "<- {\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}");
        assertThat(text(outcome)).contains("done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807", "-170141183460469231731687303715884105728", "\"#5\"", "5"})
    void a_token_is_a_string_or_an_integer_of_any_size_and_goes_back_as_it_came(String token) throws Exception {
        outcome(
                Generation.TOOLS_ASYNC,
                "-> tools/async/call",
                "<- {\"accepted\":true,\"token\":" + token + ",\"keepAlive\":60}",
                "-> tools/async/get {\"token\":" + token + "}",
                "<- {\"content\":[]}");
    }

    @Test
    void progress_of_an_asynchronous_call_is_told_while_the_client_waits_and_it_does_not_poll_meanwhile()
            throws Exception {
        var script = script(
                "2025-06-18",
                "-> tools/async/call {\"_meta\":{\"progressToken\":\"longhaul-1\"}}",
                ACCEPTED,
                "-> tools/async/get {\"token\":\"t\",\"timeout\":20}",
                "<~ {\"method\":\"notifications/progress\",\"params\":"
                        + "{\"progressToken\":\"longhaul-1\",\"progress\":1,\"total\":3}}",
                "<- {\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}");
        var steps = new CopyOnWriteArrayList<Double>();
        try (var client = over(script, Generation.TOOLS_ASYNC).connect()) {
            var call = client.call("report", NO_ARGUMENTS, options);
            onProgress(call, steps::add);
            assertThat(text(call.await())).contains("done");
        }
        assertThat(steps).containsExactly(1.0);
        assertThat(script.count("{\"method\":\"tools/async/get\"}")).isEqualTo(1);
    }

    @Test
    void why_an_asynchronous_call_was_not_accepted_is_asked_under_its_token() throws Exception {
        var outcome = outcome(
                Generation.TOOLS_ASYNC,
                "-> tools/async/call",
                "<- {\"accepted\":false,\"token\":\"no\",\"keepAlive\":60}",
                "-> tools/async/get {\"token\":\"no\"}",
                "<- {\"content\":[{\"type\":\"text\",\"text\":\"too busy\"}],\"isError\":true}");
        assertThat(((CallOutcome.ToolError) outcome).reason()).isEqualTo("too busy");
    }

    @Test
    void a_call_that_another_one_has_cancelled_ends_as_cancelled() throws Exception {
        var outcome = outcome(
                Generation.TOOLS_ASYNC,
                "-> tools/async/call",
                ACCEPTED,
                "-> tools/async/get",
                "<~ {\"method\":\"notifications/cancelled\",\"params\":" + "{\"requestId\":3,\"reason\":\"enough\"}}",
                "<- {\"content\":[],\"isError\":true}");
        assertThat(outcome).isInstanceOf(CallOutcome.Cancelled.class);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"202", "400"})
    void an_asynchronous_call_that_is_gone_after_one_cancellation_was_cancelled(String status) throws Exception {
        var script = script(
                "2025-06-18",
                "-> tools/async/call",
                ACCEPTED,
                "-> tools/async/cancel {\"token\":\"t\"}",
                "<= " + status,
                "-> tools/async/get",
                ".. {\"method\":\"tools/async/cancel\"}",
                "<! -32602 Unknown");
        var outcome = Scripts.cancelledReport(over(script, Generation.TOOLS_ASYNC), options);
        assertThat(outcome).isInstanceOf(CallOutcome.Cancelled.class);
        assertThat(script.count("{\"method\":\"tools/async/cancel\"}")).isEqualTo(1);
    }

    @Test
    void progress_of_a_call_that_was_joined_is_told() throws Exception {
        var steps = new CopyOnWriteArrayList<Double>();
        var outcome = joined(
                call -> onProgress(call, steps::add),
                "<~ {\"method\":\"notifications/progress\",\"params\":"
                        + "{\"progressToken\":\"longhaul-join-t\",\"progress\":2,\"total\":3}}",
                "<- {\"content\":[]}");
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(steps).containsExactly(2.0);
    }

    @Test
    void whoever_cannot_join_because_the_server_fails_joins_later() throws Exception {
        var script = Scripts.script(
                OPENED.formatted("2025-06-18"),
                "-> tools/async/join {\"token\":\"t\"}\n<! -32603 None",
                "-> tools/async/join {\"token\":\"t\"}",
                ACCEPTED,
                "-> tools/async/get {\"token\":\"t\"}\n<- {\"content\":[]}");
        try (var client = over(script, Generation.TOOLS_ASYNC).connect()) {
            var call = client.attach(TaskReference.parse("longhaul-task/1/tools-async/t/http://script.test/mcp"));
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    @Test
    void whoever_attaches_to_an_asynchronous_call_joins_it() throws Exception {
        assertThat(joined(call -> {}, "<- {\"content\":[]}")).isInstanceOf(CallOutcome.ToolResult.class);
    }
}
