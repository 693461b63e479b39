// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.hosted;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Questions that clients of 2025-11-25 run as tasks of their own: the server looks at these until each is answered. */
@Timeout(60)
class ClientTasksTest {

    private static final String FORMS = "{\"elicitation\":{},\"sampling\":{},"
            + "\"tasks\":{\"cancel\":{},\"requests\":{\"elicitation\":{\"create\":{}}}}}";
    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"},"
            + "\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"mine\"}}}";
    private static final String UNFIT = "{\"action\":\"accept\",\"content\":{\"name\":7}}";
    private static final Duration POLL = Duration.ofSeconds(5);

    private final FakeTime time = new FakeTime();

    @AutoClose
    private final Served served = Served.with(time, Tools.asks(), quick());

    private final Served.Handshake client = served.handshake("2025-11-25", FORMS);

    private static Tool quick() {
        return Tool.define("quick").handler((none, task) -> Tools.askName(task));
    }

    private static JsonNode next(MemoryReply stream, String method) {
        return Served.json(stream.nextContaining("\"" + method + "\"").data());
    }

    private static String task(String status) {
        return task(status, ",\"pollInterval\":" + POLL.toMillis());
    }

    private static String task(String status, String poll) {
        return "{\"taskId\":\"mine\",\"status\":\"" + status + "\",\"createdAt\":\"2026-01-01T00:00:00Z\","
                + "\"lastUpdatedAt\":\"2026-01-01T00:00:00Z\",\"ttl\":null" + poll + "}";
    }

    /** The client runs the next question on a stream as its task. */
    private JsonNode taken(MemoryReply stream) {
        var question = next(stream, "elicitation/create");
        client.answer(question, "{\"task\":" + task("working") + "}").status();
        return question;
    }

    /** Answers the next look, which comes when its time has come. */
    private JsonNode look(MemoryReply stream, String status) throws InterruptedException {
        time.advanceToAlarmIn(POLL);
        var look = next(stream, "tasks/get");
        assertThat(look.path("params").path("taskId").asString()).isEqualTo("mine");
        client.answer(look, task(status)).status();
        return look;
    }

    /** A question on the server's own stream waits a moment for a look at the task that asks. */
    private void bring() throws InterruptedException {
        time.awaitAlarmWithin(Duration.ofSeconds(2));
        time.advance(Duration.ofSeconds(2));
    }

    /** A task whose question the client has taken on a stream of the server. */
    private record Asking(String task, MemoryReply stream) {}

    private Asking asking() throws InterruptedException {
        var task = client.task("asks");
        var stream = client.get();
        bring();
        taken(stream);
        return new Asking(task, stream);
    }

    /** A call whose question the client has taken. */
    private MemoryReply asking(String tool) {
        var call = client.send("tools/call", Served.call(tool, "{}"));
        taken(call);
        return call;
    }

    private void give(MemoryReply stream) {
        var fetch = next(stream, "tasks/result");
        assertThat(fetch.path("params").path("taskId").asString()).isEqualTo("mine");
        client.answer(fetch, ANSWER).status();
    }

    @ParameterizedTest
    @ValueSource(strings = {"asks", "quick"})
    void a_question_becomes_a_task_that_is_polled_at_its_interval_and_its_result_is_the_answer(String tool)
            throws Exception {
        var call = client.send("tools/call", Served.call(tool, "{}"));
        var question = taken(call);
        assertThat(question.path("params").path("task").path("ttl").asLong())
                .isEqualTo(Duration.ofHours(25).toMillis());
        look(call, "working");
        look(call, "working");
        look(call, "completed");
        give(call);
        assertThat(Served.resultText(call)).isEqualTo("It is Ada");
    }

    @ParameterizedTest
    @ValueSource(strings = {"asks", "quick"})
    void a_look_comes_no_sooner_than_the_client_said(String tool) throws Exception {
        var call = asking(tool);
        time.awaitAlarmIn(POLL);
        time.advance(POLL.minusMillis(1));
        assertThat(call.isQuiet()).isTrue();
        time.advance(Duration.ofMillis(1));
        assertThat(next(call, "tasks/get").path("id").isIntegralNumber()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"asks,,PT1S", "asks,99,PT0.1S", "asks,299000,PT4M59S", "asks,301000,PT5M", "quick,301000,PT5M"})
    void a_look_comes_after_a_second_where_the_client_says_nothing_and_within_five_minutes(
            String tool, @Nullable Long poll, Duration look) throws Exception {
        var call = client.send("tools/call", Served.call(tool, "{}"));
        var made = task("working", poll == null ? "" : ",\"pollInterval\":" + poll);
        client.answer(next(call, "elicitation/create"), "{\"task\":" + made + "}")
                .status();
        time.awaitAlarmIn(look);
        time.advance(look.minusMillis(1));
        assertThat(call.isQuiet()).isTrue();
        time.advance(Duration.ofMillis(1));
        next(call, "tasks/get");
    }

    @ParameterizedTest
    @ValueSource(strings = {"asks", "quick"})
    void a_look_without_a_response_is_followed_by_another_one_after_half_a_minute(String tool) throws Exception {
        var call = asking(tool);
        time.advanceToAlarmIn(POLL);
        next(call, "tasks/get");
        time.awaitAlarmIn(Duration.ofSeconds(30));
        time.advance(Duration.ofSeconds(30).minusMillis(1));
        assertThat(call.isQuiet()).isTrue();
        time.advance(Duration.ofMillis(1));
        client.answer(next(call, "tasks/get"), task("completed")).status();
        give(call);
        assertThat(Served.resultText(call)).isEqualTo("It is Ada");
    }

    @ParameterizedTest
    @ValueSource(strings = {"asks", "quick"})
    void a_client_that_answers_without_a_task_is_taken_at_its_word(String tool) throws Exception {
        var call = client.send("tools/call", Served.call(tool, "{}"));
        client.answer(next(call, "elicitation/create"), ANSWER).status();
        assertThat(Served.resultText(call)).isEqualTo("It is Ada");
    }

    @ParameterizedTest
    @ValueSource(strings = {"asks", "quick"})
    void a_task_that_tells_of_its_end_is_looked_at_at_once(String tool) throws Exception {
        var call = asking(tool);
        look(call, "working");
        client.post(Served.notification("notifications/tasks/status", task("completed")))
                .status();
        client.answer(next(call, "tasks/get"), task("completed")).status();
        give(call);
        assertThat(Served.resultText(call)).isEqualTo("It is Ada");
    }

    @ParameterizedTest
    @ValueSource(strings = {"asks", "quick"})
    void the_error_of_a_task_is_the_error_of_its_question(String tool) throws Exception {
        var call = asking(tool);
        look(call, "failed");
        var id = next(call, "tasks/result").path("id");
        client.post("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32602,\"message\":\"not me\"}}")
                .status();
        assertThat(call.response()).contains("not me");
    }

    @Test
    void a_question_whose_task_the_client_has_cancelled_is_asked_again_as_it_is() throws Exception {
        var call = asking("asks");
        look(call, "cancelled");
        answeredAsItIs(call);
    }

    @Test
    void a_quick_call_whose_client_has_cancelled_the_task_of_its_question_ends_with_an_error() throws Exception {
        var call = asking("quick");
        look(call, "cancelled");
        assertThat(call.response()).contains("-32603", "was not answered");
    }

    @Test
    void a_quick_call_whose_client_does_not_know_the_task_or_answers_otherwise_ends_with_an_error() throws Exception {
        var unknown = asking("quick");
        time.advanceToAlarmIn(POLL);
        refuse(next(unknown, "tasks/get"));
        assertThat(unknown.response()).contains("-32603", "was not answered");
        var unfit = asking("quick");
        look(unfit, "completed");
        client.answer(next(unfit, "tasks/result"), UNFIT).status();
        assertThat(unfit.response()).contains("-32602", "/name: integer found");
    }

    private void refuse(JsonNode request) {
        var error = "{\"code\":-32602,\"message\":\"Unknown\"}";
        client.post("{\"jsonrpc\":\"2.0\",\"id\":" + request.path("id") + ",\"error\":" + error + "}")
                .status();
    }

    /** The client is asked once more, without a task, and answers. */
    private void answeredAsItIs(MemoryReply call) {
        var again = next(call, "elicitation/create");
        assertThat(again.path("params").has("task")).isFalse();
        client.answer(again, ANSWER).status();
        assertThat(Served.resultText(call)).isEqualTo("It is Ada");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tasks/get", "tasks/result"})
    void a_question_whose_task_the_client_does_not_know_any_more_is_asked_again_as_it_is(String asked)
            throws Exception {
        var call = client.send("tools/call", Served.call("asks", "{}"));
        var first = taken(call);
        if (asked.equals("tasks/result")) {
            look(call, "completed");
        } else {
            time.advanceToAlarmIn(POLL);
        }
        refuse(next(call, asked));
        var again = next(call, "elicitation/create");
        assertThat(again.path("id")).isEqualTo(first.path("id"));
        assertThat(again.path("params").has("task")).isFalse();
        client.answer(again, ANSWER).status();
        assertThat(Served.resultText(call)).isEqualTo("It is Ada");
    }

    @Test
    void an_answer_of_a_task_that_does_not_fit_the_question_has_it_asked_again_as_it_is() throws Exception {
        var call = asking("asks");
        look(call, "completed");
        client.answer(next(call, "tasks/result"), UNFIT).status();
        answeredAsItIs(call);
    }

    @Test
    void the_task_is_looked_at_on_the_next_stream_where_the_connection_was_lost() throws Exception {
        var asking = asking();
        asking.stream().leave();
        var second = client.get();
        look(second, "completed");
        give(second);
        client.await(asking.task(), "completed");
        assertThat(text(client.ask("tasks/result", taskId(asking.task())).path("result")))
                .isEqualTo("It is Ada");
    }

    @Test
    void a_server_that_was_restarted_looks_at_the_task_before_it_asks_anybody_again() throws Exception {
        var asking = asking();
        served.restart();
        var second = client.get();
        client.answer(next(second, "tasks/get"), task("completed")).status();
        give(second);
        client.await(asking.task(), "completed");
    }

    @Test
    void another_session_of_the_owner_that_waits_for_the_task_goes_on_with_it() throws Exception {
        var asking = asking();
        asking.stream().leave();
        client.delete().status();
        var next = served.handshake("2025-11-25", FORMS);
        var waiting = next.send("tasks/result", taskId(asking.task()));
        next.answer(next(waiting, "tasks/get"), task("completed")).status();
        next.answer(next(waiting, "tasks/result"), ANSWER).status();
        assertThat(Served.resultText(waiting)).isEqualTo("It is Ada");
    }

    @Test
    void the_task_of_a_question_is_cancelled_with_the_task_that_asked() throws Exception {
        var asking = asking();
        client.ask("tasks/cancel", taskId(asking.task()));
        var cancel = Served.json(asking.stream().nextContaining("\"mine\"").data());
        assertThat(cancel.path("method").asString()).isEqualTo("tasks/cancel");
        assertThat(cancel.path("params").path("taskId").asString()).isEqualTo("mine");
    }

    @Test
    void the_task_of_a_question_is_cancelled_with_the_quick_call_that_asked() throws Exception {
        var call = client.post(Served.request(77, "tools/call", Served.call("quick", "{}")));
        taken(call);
        look(call, "working");
        client.post(Served.cancelled(77)).status();
        assertThat(next(call, "tasks/cancel").path("params").path("taskId").asString())
                .isEqualTo("mine");
    }

    @Test
    void the_task_of_a_question_that_was_answered_elsewhere_is_cancelled() throws Exception {
        var asking = asking();
        var other = served.stateless(Served.TASKS);
        var key = other.ask("tasks/get", taskId(asking.task()))
                .at("/result/inputRequests")
                .propertyNames()
                .iterator()
                .next();
        var given = "{\"action\":\"decline\"}";
        other.ask(
                "tasks/update",
                "{\"taskId\":\"" + asking.task() + "\",\"inputResponses\":{\"" + key + "\":" + given + "}}");
        assertThat(next(asking.stream(), "tasks/cancel")
                        .path("params")
                        .path("taskId")
                        .asString())
                .isEqualTo("mine");
        client.await(asking.task(), "completed");
    }

    @Test
    void a_client_that_takes_no_cancel_is_sent_none() throws Exception {
        var silent = served.handshake("2025-11-25", FORMS.replace("\"cancel\":{},", ""));
        var task = silent.task("asks");
        var stream = silent.get();
        bring();
        silent.answer(next(stream, "elicitation/create"), "{\"task\":" + task("working") + "}")
                .status();
        silent.ask("tasks/cancel", taskId(task));
        var told = stream.nextContaining("\"cancelled\"").data();
        assertThat(told).contains("notifications/tasks/status").doesNotContain("mine");
    }

    @Test
    void an_answer_that_comes_twice_answers_once() throws Exception {
        var gate = new CountDownLatch(1);
        var twice = Tool.define("twice").handler((none, task) -> {
            var first = Tools.askName(task);
            gate.await();
            return first;
        });
        try (var more = Served.with(time, twice)) {
            var caller = more.handshake("2025-11-25", FORMS);
            var call = caller.send("tools/call", Served.call("twice", "{}"));
            caller.answer(next(call, "elicitation/create"), "{\"task\":" + task("working") + "}")
                    .status();
            time.advanceToAlarmIn(POLL);
            caller.answer(next(call, "tasks/get"), task("completed")).status();
            var fetch = next(call, "tasks/result");
            assertThat(caller.answer(fetch, ANSWER).status()).isEqualTo(202);
            assertThat(caller.answer(fetch, ANSWER.replace("Ada", "Bob")).status())
                    .isEqualTo(202);
            gate.countDown();
            assertThat(Served.resultText(call)).isEqualTo("It is Ada");
        }
    }

    @Test
    void an_answer_that_finds_no_room_is_fetched_again_and_not_asked_for_anew() throws Exception {
        var store = new FaultyTaskStore(new MemoryTaskStore(), 1);
        try (var full = Served.on(store, time, Tools.asks())) {
            var caller = full.handshake("2025-11-25", FORMS);
            var call = caller.send("tools/call", Served.call("asks", "{}"));
            caller.answer(next(call, "elicitation/create"), "{\"task\":" + task("completed") + "}")
                    .status();
            time.awaitAlarmIn(POLL);
            time.advance(POLL);
            caller.answer(next(call, "tasks/get"), task("completed")).status();
            store.fill();
            assertThat(caller.answer(next(call, "tasks/result"), ANSWER).status())
                    .isEqualTo(503);
            store.free();
            time.awaitAlarmWithin(POLL);
            time.advance(POLL);
            var again = Served.json(call.nextContaining("\"method\"").data());
            assertThat(again.path("method").asString()).isEqualTo("tasks/get");
            caller.answer(again, task("completed")).status();
            caller.answer(next(call, "tasks/result"), ANSWER).status();
            assertThat(Served.resultText(call)).isEqualTo("It is Ada");
        }
    }

    @Test
    void a_kind_of_question_that_the_client_did_not_declare_is_put_as_it_is() throws Exception {
        var samples = Tool.define("samples")
                .handler((none, task) ->
                        task.sample(new CreateMessageRequest("Hello?", 10)).text());
        try (var more = Served.with(samples)) {
            var call = more.handshake("2025-11-25", FORMS).send("tools/call", Served.call("samples", "{}"));
            assertThat(next(call, "sampling/createMessage").path("params").has("task"))
                    .isFalse();
        }
    }
}
