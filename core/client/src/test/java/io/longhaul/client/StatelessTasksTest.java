// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.cancelledReport;
import static io.longhaul.client.Scripts.created;
import static io.longhaul.client.Scripts.report;
import static io.longhaul.client.Scripts.script;
import static io.longhaul.client.Scripts.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.Timeouts;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
@ExtendWith(Transcript.Played.class)
class StatelessTasksTest {

    private static final String FORM = """
            ,"inputRequests":{"name":{"method":"elicitation/create",\
            "params":{"mode":"form","message":"Who?","requestedSchema":{}}}}\
            """;
    private static final String PROGRESS = """
            ,"statusMessage":"42%: loaded",\
            "_meta":{"io.longhaul/progress":{"progress":42,"total":100,"message":"loaded"}}\
            """;
    private static final String DONE = ",\"result\":{\"content\":[],\"isError\":false}";

    private final TestTime time = new TestTime();

    @Test
    void a_call_that_became_a_task_is_looked_at_as_often_as_the_server_wants_until_its_result() throws Exception {
        var script = script(STATELESS, TOOLS, """
                -> tools/call {"name":"report",\
                "_meta":{"io.modelcontextprotocol/clientCapabilities":\
                {"extensions":{"io.modelcontextprotocol/tasks":{}}}}}
                -h Mcp-Method: tools/call
                -h Mcp-Name: report
                .. {"go":true}
                <- %s
                -> tasks/get {"taskId":"t1",\
                "_meta":{"io.modelcontextprotocol/clientCapabilities":\
                {"extensions":{"io.modelcontextprotocol/tasks":{}}}}}
                -h Mcp-Method: tasks/get
                -h Mcp-Name: t1
                <- %s
                -> tasks/get
                <- %s
                -> tasks/get
                <- %s
                -> tasks/get
                <- %s
                -> tasks/get
                <- %s
                """.formatted(
                        created(),
                        task("working", PROGRESS),
                        task("working", PROGRESS),
                        task("working", PROGRESS),
                        task("working", PROGRESS),
                        task("completed", DONE)));
        try (var client = Scripts.over(script, time).connect()) {
            var updates = new CopyOnWriteArrayList<CallUpdate>();
            var call = client.call("report", NO_ARGUMENTS);
            call.onUpdate(updates::add);

            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
            assertThat(call.reference().orElseThrow().taskId()).isEqualTo("t1");
            assertThat(call.reference().orElseThrow().generation()).isEqualTo(Generation.V2026_07_28);
            assertThat(updates.stream()
                            .filter(CallUpdate.Status.class::isInstance)
                            .map(CallUpdate.Status.class::cast)
                            .anyMatch(status -> status.progress() != null
                                    && status.progress().current() == 42))
                    .isTrue();
            assertThat(time.pauses()).extracting(Duration::toMillis).containsExactly(735L, 735L, 735L, 735L, 735L);
        }
        assertThat(script.received())
                .filteredOn(message -> message.has("method"))
                .isNotEmpty()
                .allSatisfy(message -> assertThat(
                                message.path("params").path("_meta").propertyNames())
                        .contains(
                                "io.modelcontextprotocol/protocolVersion",
                                "io.modelcontextprotocol/clientInfo",
                                "io.modelcontextprotocol/clientCapabilities"));
    }

    @Test
    void every_creation_carries_a_key_of_its_own_and_no_id_is_used_twice() throws Exception {
        var script = script(STATELESS, TOOLS, """
                -> tools/call
                <- {"content":[]}
                -> tools/call
                <- {"content":[]}
                """);
        try (var client = Scripts.over(script, time).connect()) {
            client.call("report", NO_ARGUMENTS).await();
            client.call("report", NO_ARGUMENTS).await();
        }
        for (String key : List.of("io.longhaul/creation-key", "progressToken")) {
            var given = script.received().stream()
                    .map(message -> message.path("params").path("_meta").path(key))
                    .filter(value -> !value.isMissingNode());
            assertThat(given).as(key).hasSize(2).doesNotHaveDuplicates();
        }
        assertThat(script.received().stream().map(message -> message.path("id").toString()))
                .doesNotHaveDuplicates();
    }

    @Test
    void a_question_that_is_shown_again_and_again_is_asked_and_answered_once() throws Exception {
        var script = script(STATELESS, TOOLS, """
                -> tools/call {"_meta":{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}}
                <- %s
                -> tasks/get
                <- %s
                -> tasks/get
                <- %s
                -> tasks/update {"taskId":"t1","inputResponses":{"name":{"action":"accept","content":{"who":"Ada"}}}}
                -h Mcp-Name: t1
                <- {"resultType":"complete"}
                -> tasks/get
                .. {"method":"tasks/update"}
                <- %s
                """.formatted(
                created(), task("input_required", FORM), task("input_required", FORM), task("completed", DONE)));
        var asked = new AtomicInteger();
        var answers = QuestionHandler.NONE.forms(form -> {
            asked.incrementAndGet();
            assertThat(form.server()).isEqualTo("script");
            assertThat(form.message()).isEqualTo("Who?");
            return new Reply.Accepted(Json.raw("{\"who\":\"Ada\"}"));
        });
        assertThat(report(Scripts.over(script, time).answers(answers))).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(asked).hasValue(1);
        assertThat(script.count("{\"method\":\"tasks/update\"}")).isEqualTo(1);
    }

    @Test
    void a_call_that_is_to_be_left_is_left_as_soon_as_it_is_a_task_and_answers_none_of_its_questions()
            throws Exception {
        var script = script(STATELESS, TOOLS, """
                -> tools/call
                <- %s
                """.formatted(created()));
        var answers = QuestionHandler.NONE.forms(form -> new Reply.Dismissed());
        try (var client = Scripts.over(script, time).answers(answers).connect()) {
            var call =
                    client.call("report", Json.EMPTY_OBJECT, CallOptions.DEFAULT.withTask(CallOptions.TaskUse.LEAVE));
            assertThat(call.await()).isInstanceOf(CallOutcome.Left.class);
            assertThat(call.reference()).isPresent();
            assertThat(call.detach()).isEqualTo(call.reference().orElseThrow());
        }
        assertThat(script.count("{\"method\":\"tasks/get\"}")).isZero();
    }

    @Test
    void each_kind_of_question_of_a_task_is_answered_by_the_handler_that_answers_it_elsewhere() throws Exception {
        var questions = """
                ,"inputRequests":{\
                "form":{"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":{}}},\
                "link":{"method":"elicitation/create","params":{"mode":"url","message":"Go","elicitationId":"e",\
                "url":"https://x.example/"}},\
                "model":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":5}},\
                "folders":{"method":"roots/list"}}\
                """;
        var script =
                script(STATELESS, TOOLS, """
                -> tools/call
                <- %s
                -> tasks/get
                <- %s
                -> tasks/update {"taskId":"t1"}
                <- {"resultType":"complete"}
                ->* tasks/update {"taskId":"t1"}
                <- {"resultType":"complete"}
                """.formatted(created(), task("input_required", questions)), """
                -> tasks/get
                .. {"params":{"inputResponses":{"form":{}}}}
                .. {"params":{"inputResponses":{"link":{}}}}
                .. {"params":{"inputResponses":{"model":{}}}}
                .. {"params":{"inputResponses":{"folders":{}}}}
                <- %s
                """.formatted(
                                task("completed", DONE)));
        var answers = QuestionHandler.NONE
                .forms(form -> new Reply.Declined())
                .links(link -> new Reply.Accepted(Json.EMPTY_OBJECT))
                .sampling(params -> Json.raw("{\"role\":\"assistant\"}"))
                .roots(() -> List.of(new QuestionHandler.Root(URI.create("file:///work"), "work")));
        assertThat(report(Scripts.over(script, time).answers(answers))).isInstanceOf(CallOutcome.ToolResult.class);
        var given = new TreeMap<String, String>();
        script.received().stream()
                .map(message -> message.path("params").path("inputResponses"))
                .forEach(responses -> responses.forEachEntry((key, response) -> given.put(key, response.toString())));
        assertThat(given)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "form", "{\"action\":\"decline\"}",
                        "link", "{\"action\":\"accept\"}",
                        "model", "{\"role\":\"assistant\"}",
                        "folders", "{\"roots\":[{\"uri\":\"file:///work\",\"name\":\"work\"}]}"));
    }

    @Test
    void questions_before_the_creation_are_answered_with_the_servers_state_unchanged_and_a_new_id() throws Exception {
        var script = script(STATELESS, TOOLS, """
                -> tools/call
                <- {"resultType":"input_required","requestState":"a\\"b\\u0000 é",\
                "inputRequests":{"k":{"method":"elicitation/create","params":{"message":"Go?","requestedSchema":{}}}}}
                -> tools/call {"name":"report","requestState":"a\\"b\\u0000 é",\
                "inputResponses":{"k":{"action":"decline"}}}
                <- {"resultType":"complete","content":[]}
                """);
        var answers = QuestionHandler.NONE.forms(form -> new Reply.Declined());
        assertThat(report(Scripts.over(script, time).answers(answers))).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(script.received().stream().map(message -> message.path("id").toString()))
                .doesNotHaveDuplicates();
    }

    @Test
    void an_error_in_a_tools_result_is_the_tools_and_an_error_of_the_task_is_the_protocols() throws Exception {
        var script = script(STATELESS, TOOLS, """
                -> tools/call
                <- %s
                -> tasks/get
                <- %s
                -> tools/call
                <- %s
                -> tasks/get
                <- %s
                """.formatted(
                        created(),
                        task("completed", ",\"result\":{\"content\":[],\"isError\":true}"),
                        created(),
                        task("failed", ",\"error\":{\"code\":-32603,\"message\":\"boom\"}")));
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.call("report", NO_ARGUMENTS).await())
                    .isInstanceOfSatisfying(
                            CallOutcome.ToolError.class,
                            error -> assertThat(error.reason()).isEqualTo("The tool failed."));
            assertThat(client.call("report", NO_ARGUMENTS).await())
                    .isInstanceOfSatisfying(
                            CallOutcome.ProtocolError.class,
                            failed -> assertThat(failed.error().message()).isEqualTo("boom"));
        }
    }

    @Test
    void a_task_that_has_completed_without_a_result_is_unusable() throws Exception {
        var script =
                script(STATELESS, TOOLS, "-> tools/call\n<- " + created(), "-> tasks/get\n<- " + task("completed", ""));
        assertThat(report(Scripts.over(script, time))).isInstanceOf(CallOutcome.Unusable.class);
    }

    @Test
    void a_result_type_that_nobody_knows_is_an_error_and_an_absent_one_means_complete() throws Exception {
        var script = script(STATELESS, TOOLS, """
                -> tools/call
                <- {"resultType":"surprise","content":[]}
                -> tools/call
                <- {"content":[]}
                -> tasks/get
                <- {"resultType":"surprise","taskId":"t1","status":"working"}
                """);
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.Unusable.class);
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ToolResult.class);
            assertThatThrownBy(() -> client.tasks().get("t1")).isInstanceOf(UnusableAnswerException.class);
        }
    }

    @Test
    void a_handler_answers_the_questions_of_a_task_that_somebody_else_made() {
        var script = script(STATELESS, """
                -> tasks/get {"taskId":"t1"}
                <- %s
                -> tasks/update {"taskId":"t1","inputResponses":{"name":{"action":"accept","content":{"name":"Ada"}}}}
                <- {"resultType":"complete"}
                -> tasks/get
                <- %s
                -> tasks/get
                <- %s
                """.formatted(
                        task("input_required", FORM), task("input_required", FORM), task("working", "")));
        try (var client = Scripts.over(script, time).connect()) {
            var fills = QuestionHandler.NONE.forms(form -> new Reply.Accepted(Json.raw("{\"name\":\"Ada\"}")));
            assertThat(client.tasks().answer("t1", fills)).isTrue();
            var leaves = QuestionHandler.NONE.forms(form -> new Reply.LeftOpen());
            assertThat(client.tasks().answer("t1", leaves))
                    .as("nothing is sent")
                    .isFalse();
            assertThat(client.tasks().answer("t1", leaves))
                    .as("nothing is asked")
                    .isTrue();
        }
    }

    /** "Clients MUST treat a `CreateTaskResult` in response to any other request as invalid." */
    @ParameterizedTest
    @ValueSource(strings = {"tools/list", "tasks/get", "tasks/update", "tasks/cancel"})
    void a_task_in_place_of_any_other_answer_is_no_answer(String method) {
        var script = script(STATELESS, "-> " + method + "\n<- " + created());
        try (var client = Scripts.over(script, time).connect()) {
            assertThatThrownBy(() -> {
                        switch (method) {
                            case "tools/list" -> client.tools();
                            case "tasks/get" -> client.tasks().get("t1");
                            case "tasks/update" -> client.tasks().answer("t1", Map.of("k", Json.EMPTY_OBJECT));
                            default -> client.tasks().cancel("t1");
                        }
                    })
                    .isInstanceOf(UnusableAnswerException.class);
        }
    }

    @Test
    void a_call_that_refuses_a_task_does_not_declare_the_extension_and_takes_none() throws Exception {
        var script = script(STATELESS, TOOLS, "-> tools/call\n<- " + created());
        try (var client = Scripts.over(script, time).connect()) {
            var options = CallOptions.DEFAULT.withTask(CallOptions.TaskUse.REFUSE);
            assertThat(client.call("report", NO_ARGUMENTS, options).await()).isInstanceOf(CallOutcome.Unusable.class);
        }
        assertThat(script.received().getLast().toString()).doesNotContain("io.modelcontextprotocol/tasks");
    }

    @Test
    void a_lost_creation_answer_is_asked_for_again_with_the_same_key() throws Exception {
        var script = script(STATELESS, TOOLS, """
                -> tools/call {"_meta":{"io.longhaul/creation-key":"mine"}}
                <x
                -> tools/call {"_meta":{"io.longhaul/creation-key":"mine"}}
                <0
                -> tools/call {"_meta":{"io.longhaul/creation-key":"mine"}}
                <- {"content":[]}
                """);
        try (var client = Scripts.over(script, time).connect()) {
            var options = CallOptions.DEFAULT.withCreationKey("mine");
            assertThat(client.call("report", NO_ARGUMENTS, options).await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    @Test
    void a_lost_creation_answer_is_never_asked_for_again_at_a_server_that_knows_no_keys() throws Exception {
        var script = script(
                STATELESS.replace("\"io.longhaul/creation-key\":{}", "\"other\":{}"), TOOLS, "-> tools/call\n<x");
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.call("report", NO_ARGUMENTS).await())
                    .isInstanceOfSatisfying(
                            CallOutcome.OutcomeUnknown.class,
                            unknown -> assertThat(unknown.reason()).contains("was not repeated"));
        }
        assertThat(script.count("{\"method\":\"tools/call\"}")).isEqualTo(1);
    }

    @Test
    void polling_outlives_a_server_that_is_away_for_a_while_and_gives_up_after_the_clients_timeout() throws Exception {
        var script = script(
                STATELESS,
                TOOLS,
                "-> tools/call\n.. {\"go\":true}\n<- " + created(),
                "-> tasks/get\n<0\n-> tasks/get\n<x\n-> tasks/get\n<= 503\n-> tasks/get\n<- " + task("working", ""),
                "->* tasks/get\n<0");
        try (var client = Scripts.over(script, time)
                .timeouts(Timeouts.DEFAULT.withTrouble(Duration.ofMinutes(1)))
                .connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            var troubles = Scripts.updates(call, CallUpdate.Trouble.class);
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.Lost.class);
            assertThat(troubles).hasSizeGreaterThan(3);
            assertThat(time.pauses()).allMatch(pause -> pause.toSeconds() <= 15);
        }
    }

    @Test
    void cancelling_a_task_asks_the_server_and_takes_what_becomes_of_it() throws Exception {
        var script = script(STATELESS, TOOLS, "-> tools/call\n<- " + created(), """
                -> tasks/cancel {"taskId":"t1"}
                -h Mcp-Name: t1
                <- {"resultType":"complete"}
                -> tasks/get
                .. {"method":"tasks/cancel"}
                <- %s
                """.formatted(task("cancelled", "")));
        assertThat(cancelledReport(Scripts.over(script, time))).isInstanceOf(CallOutcome.Cancelled.class);
        assertThat(script.count("{\"method\":\"notifications/cancelled\"}")).isZero();
    }

    @Test
    void a_task_that_is_gone_after_its_cancellation_was_acknowledged_was_cancelled() throws Exception {
        var script = script(STATELESS, TOOLS, "-> tools/call\n<- " + created(), """
                -> tasks/cancel {"taskId":"t1"}
                <- {"resultType":"complete"}
                -> tasks/get
                .. {"method":"tasks/cancel"}
                <! -32602 Unknown
                """);
        assertThat(cancelledReport(Scripts.over(script, time))).isInstanceOf(CallOutcome.Cancelled.class);
    }

    @Test
    void a_task_that_is_gone_after_the_verb_has_cancelled_it_is_cancelled() throws Exception {
        var script = script(STATELESS, """
                -> tasks/cancel {"taskId":"t1"}
                <- {"resultType":"complete"}
                -> tasks/get
                <! -32602 Unknown
                """);
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.tasks().cancel("t1").status().state()).isEqualTo(State.CANCELLED);
        }
    }

    @Test
    void a_call_that_is_no_task_is_cancelled_by_closing_its_response() throws Exception {
        var script = script(STATELESS, TOOLS, "-> tools/call\n<.");
        try (var client = Scripts.over(script, time).connect()) {
            var options = CallOptions.DEFAULT.withTask(CallOptions.TaskUse.REFUSE);
            var call = client.call("report", NO_ARGUMENTS, options);
            script.await(io.longhaul.protocol.json.JsonTree.read(Json.raw("{\"method\":\"tools/call\"}")));
            call.cancel();
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
            assertThat(call.reference()).isEmpty();
        }
        assertThat(script.count("{\"method\":\"notifications/cancelled\"}")).isZero();
    }

    @Test
    void a_call_that_was_cancelled_while_a_task_could_come_of_it_and_has_a_result_is_given_up_no_more()
            throws Exception {
        var script = script(STATELESS, TOOLS, "-> tools/call\n.. {\"go\":true}\n<- {\"content\":[]}");
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            script.await(io.longhaul.protocol.json.JsonTree.read(Json.raw("{\"method\":\"tools/call\"}")));
            call.cancel();
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    @Test
    void a_time_to_live_that_cannot_be_asked_for_is_a_warning() throws Exception {
        var script = script(STATELESS, TOOLS, "-> tools/call\n<- {\"content\":[]}");
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS, CallOptions.DEFAULT.withTtl(Duration.ofHours(1)));
            call.await();
            assertThat(call.warnings()).hasSize(1);
        }
    }

    @Test
    void another_client_goes_on_with_a_task_from_its_printed_reference() throws Exception {
        var script = script(STATELESS, "-> tasks/get {\"taskId\":\"t1\"}\n<- " + task("completed", DONE));
        var reference = TaskReference.parse("longhaul-task/1/2026-07-28/t1/http://script.test/mcp");
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.attach(reference).await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    @Test
    void leaving_a_task_keeps_it_running() throws Exception {
        var script =
                script(STATELESS, TOOLS, "-> tools/call\n<- " + created(), "->* tasks/get\n<- " + task("working", ""));
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            var looked = new CountDownLatch(1);
            call.onUpdate(update -> {
                if (update instanceof CallUpdate.Created) {
                    looked.countDown();
                }
            });
            looked.await();
            assertThat(call.detach().taskId()).isEqualTo("t1");
            assertThat(call.await()).isInstanceOf(CallOutcome.Left.class);
        }
        assertThat(script.count("{\"method\":\"tasks/cancel\"}")).isZero();
    }
}
