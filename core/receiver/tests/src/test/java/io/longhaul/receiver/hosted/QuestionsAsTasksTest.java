// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.hosted;

import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.augmented;
import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.related;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Questions of a server that their receiver, the client, runs as tasks of its own, as SEP-1686 has them. */
@Timeout(60)
class QuestionsAsTasksTest {

    private static final String TASK = "modelcontextprotocol.io/task";
    private static final String FORMS = "{\"elicitation\":{},\"sampling\":{},"
            + "\"tasks\":{\"delete\":{},\"requests\":{\"elicitation\":{\"create\":{}}}}}";
    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    private final FakeTime time = new FakeTime();

    @AutoClose
    private final Served served = Served.with(time, Tools.asks());

    private final Served.Handshake client = served.handshake("2025-06-18", FORMS);

    private MemoryReply call() {
        return client.send("tools/call", augmented("asks", "{}", "mine"));
    }

    private static JsonNode question(MemoryReply reply) {
        for (var event = reply.next(); event.isPresent(); event = reply.next()) {
            if (event.get().data().contains("\"elicitation/create\"")
                    || event.get().data().contains("\"sampling/createMessage\"")) {
                return Served.json(event.get().data());
            }
        }
        throw new AssertionError("nothing was asked");
    }

    private static JsonNode task(JsonNode question) {
        return question.path("params").path("_meta").path(TASK);
    }

    @Test
    void a_question_asks_for_a_task_at_a_client_that_runs_such_questions_as_tasks() {
        var reply = call();
        var question = question(reply);
        assertThat(task(question).path("taskId").asString()).isNotEmpty();
        assertThat(task(question).path("keepAlive").asInt()).isEqualTo(3_600_000);
        assertThat(related(question.path("params"))).isEqualTo("mine");
        var created = client.post(Served.notification(
                "notifications/tasks/created",
                "{\"_meta\":{\"modelcontextprotocol.io/related-task\":" + task(question) + "}}"));
        assertThat(created.status()).isEqualTo(202);
        client.answer(question, ANSWER).status();
        assertThat(Served.resultText(reply)).isEqualTo("It is Ada");
    }

    @Test
    void a_task_that_the_client_has_told_of_is_looked_at_its_result_fetched_and_the_task_deleted() throws Exception {
        var reply = call();
        var id = told(question(reply));
        look(reply, id, Duration.ofSeconds(1), "working");
        look(reply, id, Duration.ofSeconds(7), "completed");
        var fetch = verb(reply, "tasks/result", id);
        client.answer(fetch, ANSWER).status();
        verb(reply, "tasks/delete", id);
        assertThat(Served.resultText(reply)).isEqualTo("It is Ada");
    }

    @Test
    void the_answer_to_the_question_itself_ends_the_looks_and_has_the_task_deleted() throws Exception {
        var reply = call();
        var question = question(reply);
        var id = told(question);
        look(reply, id, Duration.ofSeconds(1), "working");
        client.answer(question, ANSWER).status();
        verb(reply, "tasks/delete", id);
        assertThat(Served.resultText(reply)).isEqualTo("It is Ada");
    }

    @Test
    void a_task_that_failed_at_the_client_is_the_error_of_the_question() throws Exception {
        var reply = call();
        var id = told(question(reply));
        look(reply, id, Duration.ofSeconds(1), "failed\",\"error\":\"nobody is here");
        assertThat(reply.response()).contains("nobody is here");
    }

    @Test
    void a_question_whose_task_was_cancelled_at_the_client_is_put_again_as_it_is() throws Exception {
        var reply = call();
        var id = told(question(reply));
        look(reply, id, Duration.ofSeconds(1), "cancelled");
        var again = question(reply);
        assertThat(task(again).isMissingNode()).isTrue();
        client.answer(again, ANSWER).status();
        assertThat(Served.resultText(reply)).isEqualTo("It is Ada");
    }

    @Test
    void after_a_restart_the_task_is_looked_at_before_the_question_is_put_again() {
        var id = told(question(call()));
        served.restart();
        var reply = call();
        client.answer(verb(reply, "tasks/get", id), status(id, "completed")).status();
        client.answer(verb(reply, "tasks/result", id), ANSWER).status();
        assertThat(Served.resultText(reply)).isEqualTo("It is Ada");
    }

    @ParameterizedTest
    @ValueSource(strings = {"made up", "0123456789abcdefghijklmnopqrstuv0123/ask-1"})
    void a_task_that_nobody_asked_for_is_not_looked_at(String id) {
        var reply = call();
        var question = question(reply);
        assertThat(tell(id).status()).isEqualTo(202);
        client.answer(question, ANSWER).status();
        assertThat(reply.messages()).noneMatch(message -> message.contains("\"tasks/"));
    }

    /** The client says that it runs a question as a task, and gives the id of that. */
    private String told(JsonNode question) {
        var id = task(question).path("taskId").asString();
        tell(id).status();
        return id;
    }

    private MemoryReply tell(String id) {
        return client.post(Served.notification(
                "notifications/tasks/created",
                "{\"_meta\":{\"modelcontextprotocol.io/related-task\":{\"taskId\":\"" + id + "\"}}}"));
    }

    private void look(MemoryReply reply, String id, Duration after, String status) throws InterruptedException {
        time.advanceToAlarmIn(after);
        client.answer(verb(reply, "tasks/get", id), status(id, status)).status();
    }

    private static String status(String id, String status) {
        return "{\"taskId\":\"" + id + "\",\"keepAlive\":60000,\"pollFrequency\":7000,\"status\":\"" + status + "\"}";
    }

    /** The next request about a task, which names the task in its params and its metadata. */
    private static JsonNode verb(MemoryReply reply, String method, String id) {
        var request = Served.json(reply.nextContaining("\"" + method + "\"").data());
        assertThat(request.path("params").path("taskId").asString()).isEqualTo(id);
        assertThat(related(request.path("params"))).isEqualTo(id);
        return request;
    }

    @Test
    void the_same_question_has_the_same_task_when_it_is_asked_again_after_a_restart() {
        var first = question(call());
        served.restart();
        var again = question(call());
        assertThat(task(again)).isEqualTo(task(first));
    }

    @Test
    void each_question_of_a_quick_tool_has_a_task_of_its_own() {
        var asks = Tool.define("quick").handler((none, task) -> {
            var first = task.elicit("Who?", Tools.Name.class);
            var second = task.elicit("Who?", Tools.Name.class);
            return first.content().name() + second.content().name();
        });
        try (var served = Served.with(asks)) {
            var client = served.handshake("2025-06-18", FORMS);
            var reply = client.send("tools/call", Served.call("quick", "{}"));
            var first = question(reply);
            client.answer(first, ANSWER).status();
            var second = question(reply);
            assertThat(task(first).path("taskId").asString()).isNotEmpty();
            assertThat(task(second)).isNotEqualTo(task(first));
            client.answer(second, ANSWER).status();
            assertThat(Served.resultText(reply)).isEqualTo("AdaAda");
        }
    }

    @Test
    void a_kind_of_question_that_the_client_did_not_declare_is_put_as_it_is() {
        var samples = Tool.define("samples")
                .handler((none, task) ->
                        task.sample(new CreateMessageRequest("Hello?", 10)).text());
        try (var served = Served.with(samples)) {
            var client = served.handshake("2025-06-18", FORMS);
            var question = question(client.send("tools/call", Served.call("samples", "{}")));
            assertThat(task(question).isMissingNode()).isTrue();
        }
    }

    @Test
    void in_a_session_with_tasks_of_its_own_the_declaration_means_those() {
        var client = served.handshake("2025-11-25", FORMS);
        var question = question(client.send("tools/call", augmented("asks", "{}", "mine")));
        assertThat(task(question).isMissingNode()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "{\"requests\":[]}", "{\"requests\":{\"elicitation\":true}}", "{\"requests\":null}"})
    void a_declaration_that_makes_no_sense_declares_nothing(String tasks) {
        var client = served.handshake("2025-06-18", "{\"elicitation\":{},\"tasks\":" + tasks + "}");
        var question = question(client.send("tools/call", augmented("asks", "{}", "mine")));
        assertThat(task(question).isMissingNode()).isTrue();
    }
}
