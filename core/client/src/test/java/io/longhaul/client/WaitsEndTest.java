// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.CALLED;
import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.report;
import static io.longhaul.client.Scripts.script;
import static io.longhaul.client.Scripts.task2025;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.Timeouts;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every wait of a client ends when what it waits for cannot come any more, and says why. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class WaitsEndTest {

    private static final String PLAIN = """
            -> initialize {"protocolVersion":"2025-06-18"}
            <h Mcp-Session-Id: one
            <- {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}
            -> notifications/initialized
            <= 202
            ->* DELETE
            """;

    private final TestTime time = new TestTime();

    private McpClient pipe(Transcript script) {
        return Scripts.overStdio(script, time)
                .generation(Generation.V2025_06_18)
                .connect();
    }

    private McpClient http(Transcript script) {
        return Scripts.over(script, time).generation(Generation.V2025_06_18).connect();
    }

    private static String reason(RemoteCall<?> call) throws Exception {
        var outcome = call.await();
        assertThat(outcome).isInstanceOf(CallOutcome.Failed.class);
        return ((CallOutcome.Failed) outcome).reason();
    }

    private static Json message(String json) {
        return Json.raw(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<u 2",
                "<t {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[}",
                "<t {\"jsonrpc\":\"2.0\",\"result\":{\"id\":7},\"id\":2}}",
                "<t {\"id\":2,\"result\":{}}"
            })
    void a_result_that_cannot_be_read_ends_its_call_and_no_other(String result) throws Exception {
        var script = script(PLAIN, "-> tools/call {\"name\":\"a\"}", ".. {\"go\":true}", result, """
                -> tools/call {"name":"b"}
                .. {"go":"on"}
                <- {"content":[]}
                """);
        try (var client = pipe(script)) {
            var broken = client.call("a", NO_ARGUMENTS);
            script.await(JsonTree.read(message("{\"params\":{\"name\":\"a\"}}")));
            var whole = client.call("b", NO_ARGUMENTS);
            script.await(JsonTree.read(message("{\"params\":{\"name\":\"b\"}}")));
            script.go();
            assertThat(reason(broken)).isNotEmpty();
            script.take("response", JsonTree.object().put("go", "on"));
            assertThat(whole.await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"99", "\"2\"", "1"})
    void an_answer_to_another_request_than_was_made_ends_the_call_and_says_so(String id) throws Exception {
        var answer = "-> tools/call\n<~ {\"id\":" + id + ",\"result\":{\"content\":[]}}";
        try (var client = pipe(script(PLAIN, answer))) {
            assertThat(reason(client.call("report", NO_ARGUMENTS))).contains("answered request " + id);
        }
        try (var client = http(script(PLAIN, answer))) {
            assertThat(reason(client.call("report", NO_ARGUMENTS)))
                    .contains("answered request " + id + " in place of request 2");
        }
    }

    @Test
    void an_answer_to_a_call_that_was_given_up_ends_no_other() throws Exception {
        var script = script(PLAIN, """
                -> tools/call {"name":"a"}
                .. {"params":{"name":"b"}}
                <- {"content":[]}
                -> notifications/cancelled
                -> tools/call {"name":"b"}
                .. {"go":true}
                <- {"content":[]}
                """);
        try (var client = pipe(script)) {
            var given = client.call("a", NO_ARGUMENTS);
            script.await(JsonTree.read(message("{\"params\":{\"name\":\"a\"}}")));
            given.cancel();
            assertThat(given.await()).isInstanceOf(CallOutcome.Cancelled.class);
            var other = client.call("b", NO_ARGUMENTS);
            script.go();
            assertThat(other.await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":2,\"error\":\"out of paper\"}",
                "{\"id\":2,\"result\":null,\"error\":\"out of paper\"}",
                "{\"id\":null,\"error\":{\"code\":-32700,\"message\":\"out of paper\"}}",
                "{\"error\":{\"message\":\"out of paper\"}}"
            })
    void an_error_of_any_shape_ends_the_call_and_is_told(String error) throws Exception {
        var answer = "-> tools/call\n<~ " + error;
        try (var client = pipe(script(PLAIN, answer))) {
            assertThat(client.call("report", NO_ARGUMENTS).await().toString()).contains("out of paper");
        }
        try (var client = http(script(PLAIN, answer))) {
            assertThat(client.call("report", NO_ARGUMENTS).await().toString()).contains("out of paper");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"the report\"", "{\"type\":\"text\",\"text\":\"the report\"}"})
    void content_that_is_no_array_is_not_lost(String content) throws Exception {
        try (var client = pipe(script(PLAIN, "-> tools/call\n<- {\"content\":" + content + "}"))) {
            assertThat(client.call("report", NO_ARGUMENTS).await())
                    .isEqualTo(new CallOutcome.ToolResult(
                            Json.raw("{\"content\":[{\"type\":\"text\",\"text\":\"the report\"}]}")));
        }
    }

    @Test
    void a_server_that_writes_its_log_to_standard_output_is_told_so() throws Exception {
        var noise = "<t listening\n".repeat(100);
        try (var client = pipe(script(PLAIN, "-> tools/call\n" + noise))) {
            assertThat(reason(client.call("report", NO_ARGUMENTS))).contains("standard error");
        }
    }

    @Test
    void a_server_that_forgets_each_session_at_once_gets_a_new_one_and_then_pauses_and_an_end() throws Exception {
        var script = script(PLAIN, "->* tools/call\n<= 404", PLAIN.replace("-> ", "->* "));
        try (var client = Scripts.over(script, time)
                .generation(Generation.V2025_06_18)
                .timeouts(Timeouts.DEFAULT.withTrouble(Duration.ofSeconds(8)))
                .connect()) {
            assertThat(reason(client.call("report", NO_ARGUMENTS))).contains("404");
        }
        assertThat(script.count("{\"method\":\"tools/call\"}")).isBetween(3L, 12L);
        assertThat(time.pauses()).isNotEmpty().isSorted();
    }

    @Test
    void an_error_that_comes_as_404_in_a_new_session_too_is_the_answer() throws Exception {
        var script = script(PLAIN, "->* tools/call\n<= 404\n<! -32601 NoSuchTool", PLAIN.replace("-> ", "->* "));
        try (var client = http(script)) {
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ProtocolError.class);
        }
        assertThat(script.count("{\"method\":\"tools/call\"}")).isEqualTo(2);
    }

    @Test
    void a_message_without_an_answer_is_told_with_pauses_to_a_server_that_forgets_each_session() throws Exception {
        var script = script(PLAIN, """
                -> tools/call
                <~ {"id":"q1","method":"ping"}
                .. {"go":true}
                <- {"content":[]}
                ->* response
                <= 404
                """, PLAIN.replace("-> ", "->* "));
        try (var client = Scripts.over(script, time)
                .generation(Generation.V2025_06_18)
                .timeouts(Timeouts.DEFAULT.withTrouble(Duration.ofSeconds(8)))
                .connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            time.await(pauses -> pauses.size() >= 3);
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
        assertThat(script.count("{\"result\":{}}")).isLessThan(13);
    }

    @Test
    void a_server_that_speaks_another_version_now_is_asked_again_in_that() throws Exception {
        var script = script(STATELESS, TOOLS, """
                -> tools/call
                <= 400
                <! -32022 Unsupported {"supported":["2099-01-01","2025-06-18"]}
                """, PLAIN, "-> tools/call\n<- {\"content\":[]}");
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ToolResult.class);
            assertThat(client.server().generation()).isEqualTo(Generation.V2025_06_18);
        }
    }

    @Test
    void a_server_that_names_the_refused_version_itself_is_asked_once_more() {
        var refusal = "-> server/discover\n<= 400\n<! -32022 Unsupported {\"supported\":[\"2026-07-28\"]}\n";
        try (var client = Scripts.over(script(refusal, STATELESS), time).connect()) {
            assertThat(client.server().generation()).isEqualTo(Generation.V2026_07_28);
        }
        assertThatThrownBy(() -> Scripts.over(script(refusal, refusal), time).connect())
                .isInstanceOf(UnsupportedByServerException.class);
    }

    @Test
    void a_handshake_that_is_refused_is_tried_in_a_version_that_the_error_names() {
        var script = script("""
                -> server/discover
                <= 400
                -> initialize {"protocolVersion":"2025-11-25"}
                <! -32602 Unsupported {"supported":["2025-06-18"]}
                """, PLAIN);
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.server().generation()).isEqualTo(Generation.V2025_06_18);
        }
    }

    @Test
    void a_version_that_no_request_can_be_made_in_after_all_ends_the_call() throws Exception {
        var refusal = "->* tools/call\n<= 400\n<! -32022 Unsupported {\"supported\":[\"2026-07-28\"]}\n";
        try (var client = Scripts.over(script(STATELESS, TOOLS, refusal, STATELESS.replace("-> ", "->* ")), time)
                .timeouts(Timeouts.DEFAULT.withTrouble(Duration.ofSeconds(8)))
                .connect()) {
            assertThat(reason(client.call("report", NO_ARGUMENTS))).contains("refuses each protocol version");
        }
    }

    @Test
    void a_result_that_is_refused_while_the_task_goes_on_is_asked_for_again() throws Exception {
        var script = script(CALLED, """
                -> tasks/result
                <! -32603 Oops
                -> tasks/result
                <! -32603 Oops
                -> tasks/result
                <- {"content":[]}
                ->* GET
                <= 405
                ->* tasks/get
                """, "<- " + task2025("working"));
        assertThat(report(Scripts.over(script, time))).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void a_result_that_is_refused_again_and_again_after_the_task_has_completed_ends_the_call() throws Exception {
        var script = script(CALLED, """
                ->* tasks/result
                <! -32603 Oops
                ->* GET
                <= 405
                ->* tasks/get
                """, "<- " + task2025("completed"));
        assertThat(report(Scripts.over(script, time))).isInstanceOf(CallOutcome.ProtocolError.class);
        assertThat(script.count("{\"method\":\"tasks/result\"}")).isEqualTo(3);
    }

    @Test
    void a_look_at_a_task_that_fails_for_a_reason_of_the_servers_is_taken_again() throws Exception {
        var script = script(STATELESS, """
                -> tasks/get
                <! -32603 Oops
                -> tasks/get
                <- {"resultType":"complete","taskId":"t1","status":"cancelled"}
                """);
        var reference = TaskReference.parse("longhaul-task/1/2026-07-28/t1/http://script.test/mcp");
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.attach(reference).await()).isInstanceOf(CallOutcome.Cancelled.class);
        }
    }

    @Test
    void a_wait_for_the_result_of_a_task_that_has_ended_does_not_go_on_for_ever() throws Exception {
        var script = script(CALLED, """
                ->* tasks/result
                <.
                ->* GET
                <= 405
                ->* notifications/cancelled
                <= 202
                ->* tasks/get
                """, "<- " + task2025("completed"));
        try (var client = Scripts.over(script, time)
                .timeouts(Timeouts.DEFAULT.withTrouble(Duration.ofSeconds(8)))
                .connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            call.reference();
            var ringing = Thread.ofVirtual().start(() -> {
                while (!Thread.interrupted()) {
                    time.ring(Timeouts.DEFAULT.request());
                    Thread.yield();
                }
            });
            assertThat(reason(call)).contains("did not answer in time");
            ringing.interrupt();
        }
    }

    @Test
    void a_request_whose_reply_does_not_even_begin_is_given_up_in_time() throws Exception {
        var script = script(STATELESS, "-> tools/list\n<w\n-> tools/list\n<- {\"tools\":[]}");
        try (var client = Scripts.over(script, time).connect()) {
            var tools = new FutureTask<>(client::tools);
            Thread.ofVirtual().start(tools);
            script.await(JsonTree.read(message("{\"method\":\"tools/list\"}")));
            time.ringOnceSet(Timeouts.DEFAULT.request());
            assertThat(tools.get()).isEmpty();
        }
    }

    @Test
    void a_call_whose_reply_does_not_even_begin_can_be_cancelled() throws Exception {
        var script = script(STATELESS, TOOLS, "-> tools/call\n<w");
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS, CallOptions.DEFAULT.withTask(CallOptions.TaskUse.REFUSE));
            script.await(JsonTree.read(message("{\"method\":\"tools/call\"}")));
            call.cancel();
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
        }
    }

    @Test
    void a_call_is_given_up_though_its_server_does_not_take_the_cancellation() throws Exception {
        var script = script(PLAIN, "-> tools/call\n<.", "-> notifications/cancelled\n<w");
        try (var client = http(script)) {
            var call = client.call("report", NO_ARGUMENTS);
            script.await(JsonTree.read(message("{\"method\":\"tools/call\"}")));
            call.cancel();
            script.await(JsonTree.read(message("{\"method\":\"notifications/cancelled\"}")));
            time.ringOnceSet(Duration.ofSeconds(3));
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
            time.ringOnceSet(Timeouts.DEFAULT.request());
        }
    }

    @Test
    void a_server_that_takes_no_farewell_does_not_keep_the_client() throws Exception {
        var script = script(PLAIN.replace("->* DELETE", "->* DELETE\n<w"));
        var closing = Thread.ofVirtual().start(http(script)::close);
        time.ringOnceSet(Timeouts.DEFAULT.probe());
        assertThat(closing.join(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void a_wait_that_is_pending_at_once_again_and_again_is_not_asked_without_a_pause() throws Exception {
        var pending = "-> tools/async/get\n<- {\"content\":[],\"isPending\":true}\n";
        var script = script(
                PLAIN.replace("\"tools\":{}", "\"tools\":{},\"async\":{}"),
                """
                ->* tools/list
                <- {"tools":[{"name":"report","inputSchema":{},"annotations":{"preferAsync":true}}]}
                ->* GET
                <= 405
                -> tools/async/call
                <- {"accepted":true,"token":7}
                """,
                pending.repeat(3),
                "-> tools/async/get\n<- {\"content\":[]}");
        try (var client =
                Scripts.over(script, time).generation(Generation.TOOLS_ASYNC).connect()) {
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
        assertThat(time.pauses()).hasSize(3).allMatch(pause -> pause.toSeconds() >= 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 502, 503, 504, 524})
    void a_stream_that_a_busy_server_does_not_resume_now_is_resumed_later(int busy) throws Exception {
        var script = script(PLAIN, """
                -> tools/call
                <# e1
                <~ {"method":"notifications/message","params":{"level":"info","data":"begun"}}
                <x
                -> GET {"Last-Event-ID":"e1"}
                <h Retry-After: 30
                <= %d
                -> GET {"Last-Event-ID":"e1"}
                <~ {"id":2,"result":{"content":[]}}
                """.formatted(busy));
        try (var client = http(script)) {
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
        assertThat(time.pauses()).hasSize(2).last().isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void a_call_whose_stream_can_no_longer_be_resumed_is_not_made_a_second_time() throws Exception {
        var script = script(PLAIN, """
                -> tools/call
                <# e1
                <~ {"method":"notifications/message","params":{"level":"info","data":"begun"}}
                <x
                ->* GET {"Last-Event-ID":"e1"}
                <0
                """);
        try (var client = Scripts.over(script, time)
                .generation(Generation.V2025_06_18)
                .timeouts(Timeouts.DEFAULT.withTrouble(Duration.ofSeconds(8)))
                .connect()) {
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.OutcomeUnknown.class);
        }
        assertThat(script.count("{\"method\":\"tools/call\"}")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<= 429", "<= 429\n<! -32603 SlowDown", "<= 503\n<! -32603 Overloaded"})
    void a_call_that_a_server_puts_off_is_made_again_when_the_server_wants_it(String putOff) throws Exception {
        var script =
                script(PLAIN, "-> tools/call\n<h Retry-After: 30\n" + putOff, "-> tools/call\n<- {\"content\":[]}");
        try (var client = http(script)) {
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
        assertThat(time.pauses()).containsExactly(Duration.ofSeconds(30));
    }

    @Test
    void a_call_that_waits_until_its_stream_may_be_resumed_can_be_cancelled() throws Exception {
        var standing = new TestTime(Duration.ofMinutes(5));
        var script = script(PLAIN, """
                -> tools/call
                <# e1
                <r 300000
                <x
                -> notifications/cancelled
                <= 202
                """);
        try (var client = Scripts.over(script, standing)
                .generation(Generation.V2025_06_18)
                .connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            standing.await(pauses -> !pauses.isEmpty());
            call.cancel();
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
        }
    }

    @Test
    void a_server_that_wants_to_be_asked_again_in_a_month_is_asked_before() throws Exception {
        var script = script(PLAIN, """
                -> tools/call
                <# e1
                <r 999999999
                <x
                -> GET {"Last-Event-ID":"e1"}
                <~ {"id":2,"result":{"content":[]}}
                """);
        try (var client = http(script)) {
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
        assertThat(time.pauses()).containsExactly(Duration.ofMinutes(5));
    }
}
