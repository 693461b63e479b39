// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.CALLED;
import static io.longhaul.client.Scripts.HANDSHAKE;
import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.SECOND_SESSION;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.answeringAda;
import static io.longhaul.client.Scripts.cancelledReport;
import static io.longhaul.client.Scripts.report;
import static io.longhaul.client.Scripts.script;
import static io.longhaul.client.Scripts.task2025;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
@ExtendWith(Transcript.Played.class)
class HandshakeTasksTest {

    private static final String CREATED = "<- {\"task\":" + task2025("working") + "}";
    private static final String CANCELLED = "<- " + task2025("cancelled");
    private static final String UNKNOWN = "<! -32602 Unknown";
    private static final String RELATED = "\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"t1\"}}";
    private static final String ASKING = "->* tasks/get\n<- " + task2025("input_required");
    private static final String WAITED = """
            ->* tasks/get {"taskId":"t1"}
            <- %s
            -> tasks/result {"taskId":"t1"}
            .. {"method":"tasks/get"}
            <- {"content":[],"isError":false}
            -> GET {"Mcp-Session-Id":"one"}
            <= 405
            """.formatted(task2025("working"));
    private static final String QUESTION = """
            <~ {"id":"q1","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{},%s}}
            """.formatted(RELATED);
    private static final String ANSWER = """
            .. {"id":"q1","result":{"action":"accept","content":{"who":"Ada"},%s}}
            """.formatted(RELATED);

    private final TestTime time = new TestTime();
    private final AtomicInteger asked = new AtomicInteger();
    private final QuestionHandler ada = answeringAda(asked);

    /** The call gives its result after its questions were asked of a person {@code times} times. */
    private void assertAnswered(Transcript script, int times) throws Exception {
        assertThat(report(Scripts.over(script, time).answers(ada))).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(asked).hasValue(times);
    }

    @Test
    void a_call_asks_for_a_task_with_its_time_to_live_and_waits_for_its_result() throws Exception {
        var script = script(HANDSHAKE, TOOLS, """
                -> tools/call {"name":"report","task":{"ttl":60000}}
                -h Mcp-Session-Id: one
                """, CREATED, WAITED);
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS, CallOptions.DEFAULT.withTtl(Duration.ofMinutes(1)));
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
            assertThat(call.warnings()).isEmpty();
        }
    }

    @Test
    void a_task_is_looked_at_as_often_as_the_server_wants_beside_the_wait_for_its_result() throws Exception {
        var seldom = task2025("working").replace("\"pollInterval\":700", "\"pollInterval\":7000");
        var script = script(CALLED, """
                ->* tasks/get
                <- %s
                -> tasks/result
                .. {"go":true}
                <- {"content":[]}
                """.formatted(seldom));
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            time.await(pauses -> pauses.size() >= 4);
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
        assertThat(time.pauses())
                .extracting(Duration::toMillis)
                .startsWith(735L, 7350L, 7350L, 7350L)
                .allMatch(pause -> pause >= 735);
    }

    private static String looks(String... answers) {
        return "-> tasks/get\n" + String.join("\n-> tasks/get\n", answers) + "\n->* tasks/get\n<- "
                + task2025("working");
    }

    @ParameterizedTest
    @ValueSource(strings = {UNKNOWN, "<- {}", "<- 7"})
    void looks_go_on_beside_the_wait_though_one_of_them_fails(String look) throws Exception {
        var script = script(
                CALLED,
                looks("<- " + task2025("working"), look),
                "-> tasks/result\n.. {\"go\":true}\n<- {\"content\":[]}");
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            time.await(pauses -> pauses.size() >= 6);
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    @Test
    void a_wait_is_made_again_where_the_server_goes_on_not_to_show_the_task() throws Exception {
        var script = script(
                CALLED,
                looks(".. {\"method\":\"tasks/result\"}\n<- " + task2025("working"), UNKNOWN, UNKNOWN),
                "-> tasks/result\n<.",
                "-> tasks/result\n<- {\"content\":[]}");
        assertThat(report(Scripts.over(script, time))).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(time.pauses()).contains(Timeouts.DEFAULT.request());
    }

    @Test
    void a_question_on_the_stream_of_the_waiting_request_is_answered_for_the_task() throws Exception {
        var script = script(CALLED, ASKING, "-> tasks/result", QUESTION, ANSWER, "<- {\"content\":[]}");
        assertAnswered(script, 1);
    }

    @Test
    void a_question_on_the_servers_own_stream_is_answered_too() throws Exception {
        var script = script(
                CALLED,
                ASKING,
                "-> GET {\"Mcp-Session-Id\":\"one\"}",
                QUESTION,
                "<.",
                "-> tasks/result",
                ANSWER,
                "<- {\"content\":[]}");
        assertAnswered(script, 1);
    }

    @Test
    void a_question_that_comes_again_after_a_broken_wait_gets_the_same_answer_without_being_asked_again()
            throws Exception {
        var script = script(
                CALLED,
                ASKING,
                "-> tasks/result",
                QUESTION,
                ANSWER,
                "<x",
                "-> tasks/result",
                QUESTION,
                "<- {\"content\":[]}");
        assertAnswered(script, 1);
    }

    @Test
    void a_question_that_nobody_can_answer_is_refused_and_what_no_client_answers_too() throws Exception {
        var script = script(CALLED, "->* tasks/get\n<- " + task2025("working"), """
                -> tasks/result
                <~ {"id":5,"method":"sampling/createMessage","params":{}}
                .. {"id":5,"error":{"code":-32601}}
                <~ {"id":6,"method":"ping"}
                .. {"id":6,"result":{}}
                <- {"content":[]}
                """);
        assertAnswered(script, 0);
    }

    @Test
    void a_session_that_the_server_forgot_is_opened_again_and_the_task_goes_on() throws Exception {
        var script = script(CALLED, """
                ->* tasks/get
                <- %s
                -> tasks/result
                -h Mcp-Session-Id: one
                <= 404
                """.formatted(task2025("working")), SECOND_SESSION, """
                -> tasks/result {"taskId":"t1"}
                -h Mcp-Session-Id: two
                <- {"content":[]}
                """);
        assertThat(report(Scripts.over(script, time))).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void every_message_after_the_first_names_the_session_and_the_last_ends_it() throws Exception {
        var script = script(HANDSHAKE.replace("->* DELETE {\"Mcp-Session-Id\":\"one\"}\n", ""), """
                -> tools/list
                -h Mcp-Session-Id: one
                <- {"tools":[{"name":"report","inputSchema":{},"execution":{"taskSupport":"optional"}}]}
                -> tools/call
                -h Mcp-Session-Id: one
                %s
                ->* GET {"Mcp-Session-Id":"one"}
                <= 405
                ->* tasks/get
                -h Mcp-Session-Id: one
                <- %s
                -> tasks/result
                -h Mcp-Session-Id: one
                <- {"content":[]}
                -> tasks/list
                -h Mcp-Session-Id: one
                <- {"tasks":[]}
                -> DELETE {"Mcp-Session-Id":"one"}
                """.formatted(
                        CREATED, task2025("working")));
        try (var client = Scripts.over(script, time).connect()) {
            client.call("report", NO_ARGUMENTS).await();
            client.tasks().list();
        }
    }

    /** A task that is to be cancelled: what the server says to that, and then of its result and of its state. */
    private static Transcript cancelling(String reply, String result, String state) {
        return script(CALLED, """
                ->* tasks/cancel {"taskId":"t1"}
                %s
                ->* tasks/result
                .. {"method":"tasks/cancel"}
                %s
                ->* tasks/get
                .. {"method":"tasks/cancel"}
                %s
                """.formatted(reply, result, state));
    }

    @Test
    void cancelling_a_task_gives_cancelled_and_not_the_error_of_its_result() throws Exception {
        var script = cancelling(CANCELLED, "<! -32603 Cancelled", CANCELLED);
        assertThat(cancelledReport(Scripts.over(script, time))).isInstanceOf(CallOutcome.Cancelled.class);
        assertThat(script.count("{\"method\":\"notifications/cancelled\"}")).isZero();
    }

    @Test
    void a_cancelled_task_that_the_server_did_not_keep_was_cancelled_all_the_same() throws Exception {
        var script = cancelling(CANCELLED, UNKNOWN, UNKNOWN);
        assertThat(cancelledReport(Scripts.over(script, time))).isInstanceOf(CallOutcome.Cancelled.class);
    }

    @Test
    void a_server_that_cannot_cancel_tasks_is_not_asked_and_the_caller_is_told() throws Exception {
        var script = script(CALLED.replace("\"cancel\":{},", ""), """
                ->* tasks/get
                <- %s
                -> tasks/result
                .. {"go":true}
                <- {"content":[]}
                """.formatted(task2025("working")));
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            var trouble = new CompletableFuture<CallUpdate>();
            call.onUpdate(update -> {
                if (update instanceof CallUpdate.Trouble) {
                    trouble.complete(update);
                }
            });
            call.reference();
            call.cancel();
            assertThat(trouble.get()).isEqualTo(new CallUpdate.Trouble("This server cannot cancel tasks; it goes on."));
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"refused", "completed"})
    void a_task_that_was_not_cancelled_and_is_gone_has_failed(String reply) throws Exception {
        var said = reply.equals("refused") ? "<! -32602 Ended" : "<- " + task2025(reply);
        var script = cancelling(said, UNKNOWN, UNKNOWN);
        assertThat(cancelledReport(Scripts.over(script, time)))
                .isInstanceOfAny(CallOutcome.Lost.class, CallOutcome.ProtocolError.class);
    }

    @Test
    void a_client_that_did_not_create_the_task_is_told_of_progress_under_a_token_of_its_own() throws Exception {
        var script = script(HANDSHAKE, """
                ->* tasks/get
                <- %s
                -> tasks/result {"taskId":"t1","_meta":{"progressToken":"longhaul-wait-t1"}}
                .. {"go":true}
                <~ {"method":"notifications/progress","params":{"progressToken":"longhaul-wait-t1","progress":2}}
                <- {"content":[]}
                """.formatted(task2025("working")));
        try (var client = Scripts.over(script, time).connect()) {
            var updates = new CopyOnWriteArrayList<CallUpdate>();
            var call = client.attach(TaskReference.parse("longhaul-task/1/2025-11-25/t1/http://script.test/mcp"));
            call.onUpdate(updates::add);
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
            assertThat(updates)
                    .anyMatch(update -> update instanceof CallUpdate.Status status
                            && status.progress() != null
                            && status.progress().current() == 2);
        }
    }

    @Test
    void a_tool_without_task_support_is_called_plainly_and_its_stream_resumed_when_it_breaks() throws Exception {
        var script = script(HANDSHAKE, """
                -> tools/list
                <- {"tools":[{"name":"plain","inputSchema":{"type":"object"}}]}
                -> tools/call {"name":"plain"}
                .. {"go":true}
                <# e1
                <~ {"method":"notifications/progress","params":{"progressToken":"longhaul-1","progress":1,"total":3}}
                <r 3000
                <x
                -> GET {"Last-Event-ID":"e1","Mcp-Session-Id":"one"}
                <0
                -> GET {"Last-Event-ID":"e1"}
                <~ {"id":3,"result":{"crossed":true}}
                <~ {"id":4,"result":{"content":[],"isError":true}}
                """);
        try (var client = Scripts.over(script, time).connect()) {
            var updates = new CopyOnWriteArrayList<CallUpdate>();
            var call = client.call("plain", NO_ARGUMENTS);
            call.onUpdate(updates::add);
            script.go();
            assertThat(call.await())
                    .isInstanceOfSatisfying(
                            CallOutcome.ToolError.class,
                            error -> assertThat(error.reason()).isEqualTo("The tool failed."));
            assertThat(call.reference()).isEmpty();
            assertThat(updates).anyMatch(CallUpdate.Trouble.class::isInstance);
        }
        assertThat(script.received().stream()
                        .filter(message -> message.path("params").has("task")))
                .isEmpty();
        assertThat(time.pauses()).allMatch(pause -> pause.compareTo(Duration.ofSeconds(3)) >= 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"tools\":{}}",
                "{\"tools\":{},\"tasks\":{}}",
                "{\"tools\":{},\"tasks\":{\"list\":{},\"cancel\":{}}}",
                "{\"tools\":{},\"tasks\":{\"requests\":{}}}",
                "{\"tools\":{},\"tasks\":{\"requests\":{\"sampling\":{\"createMessage\":{}}}}}"
            })
    void a_tool_is_called_plainly_where_the_server_did_not_declare_tasks_of_calls(String capabilities)
            throws Exception {
        var script = script(
                HANDSHAKE.substring(0, HANDSHAKE.indexOf("\"capabilities\":")) + "\"capabilities\":" + capabilities
                        + "," + HANDSHAKE.substring(HANDSHAKE.indexOf("\"serverInfo\"")),
                "-> tools/call\n<- {\"content\":[]}");
        assertThat(report(Scripts.over(script, time))).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(script.received())
                .noneMatch(message -> message.path("params").has("task"));
    }

    @Test
    void a_tool_that_runs_only_as_a_task_is_called_as_one() throws Exception {
        var script = script(
                HANDSHAKE,
                TOOLS.replace("\"optional\"", "\"required\""),
                "-> tools/call {\"name\":\"report\",\"task\":{}}",
                CREATED,
                "->* tasks/get\n<- " + task2025("working"),
                "-> tasks/result\n<- {\"content\":[]}");
        assertThat(report(Scripts.over(script, time))).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void a_client_that_receives_no_tasks_declares_none() {
        var script = script(HANDSHAKE);
        try (var client = Scripts.over(script, time)
                .answers(QuestionHandler.NONE.roots(List::of))
                .connect()) {
            assertThat(client.server().name()).isEqualTo("script");
        }
        var opened = script.received().stream()
                .filter(message -> message.path("method").asString("").equals("initialize"))
                .toList();
        assertThat(opened).singleElement().satisfies(message -> {
            var declared = message.path("params").path("capabilities");
            assertThat(declared.has("roots")).isTrue();
            assertThat(declared.has("tasks")).isFalse();
        });
    }

    @Test
    void giving_up_a_plain_call_tells_the_server_which_request_it_was() throws Exception {
        var script = script(HANDSHAKE, """
                -> tools/list
                <- {"tools":[{"name":"plain","inputSchema":{"type":"object"}}]}
                -> tools/call
                <.
                -> notifications/cancelled {"requestId":4}
                <= 202
                """);
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("plain", NO_ARGUMENTS);
            script.await(JsonTree.read(Json.raw("{\"method\":\"tools/call\"}")));
            call.cancel();
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
            assertThatThrownBy(call::detach).isInstanceOf(UnsupportedByServerException.class);
        }
    }

    @Test
    void the_params_of_a_request_name_the_task_and_its_meta_does_not() throws Exception {
        var script = script(CALLED, WAITED, """
                -> tasks/list
                <- {"tasks":[]}
                -> tasks/cancel {"taskId":"t1"}
                <- %s
                """.formatted(task2025("cancelled")));
        try (var client = Scripts.over(script, time).connect()) {
            client.call("report", NO_ARGUMENTS, CallOptions.DEFAULT).await();
            client.tasks().list();
            client.tasks().cancel("t1");
        }
        var asked = script.received().stream()
                .filter(message -> message.path("method").asString("").startsWith("tasks/"))
                .toList();
        assertThat(asked)
                .hasSizeGreaterThanOrEqualTo(4)
                .noneMatch(message -> message.toString().contains("related-task"));
    }

    @Test
    void the_verbs_of_tasks_work_where_the_generation_has_them() throws Exception {
        var script = script(HANDSHAKE, """
                -> tasks/list
                <- {"tasks":[%s],"nextCursor":"more"}
                -> tasks/list {"cursor":"more"}
                <- {"tasks":[]}
                -> tasks/get {"taskId":"t1"}
                <- %s
                -> tasks/cancel {"taskId":"t1"}
                <! -32602 ended
                -> tasks/get
                <- %s
                """.formatted(task2025("working"), task2025("working"), task2025("completed")));
        try (var client = Scripts.over(script, time).connect()) {
            var tasks = client.tasks();
            assertThat(tasks.list()).hasSize(1);
            assertThat(tasks.get("t1").status().state()).isEqualTo(State.WORKING);
            assertThat(tasks.cancel("t1").status().state()).isEqualTo(State.COMPLETED);
            assertThatThrownBy(() -> tasks.answer("t1", Map.of("k", Json.EMPTY_OBJECT)))
                    .isInstanceOf(UnsupportedByServerException.class)
                    .hasMessageContaining("attach");
        }
    }
}
