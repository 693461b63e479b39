// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static io.longhaul.server.OneHandlerEveryGenerationTest.related;
import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tasks of the revision 2025-11-25. */
class HandshakeTasksTest extends EachTool {

    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    private static final String WISH_WITH_TOKEN = "\"task\":{},\"_meta\":{\"progressToken\":\"p1\"}";
    private static final Map<String, String> ANSWERS = Map.of(
            "elicitation/create", ANSWER,
            "sampling/createMessage",
                    "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"x\"}}",
            "roots/list", "{\"roots\":[]}");

    private final Served.Handshake client = served.handshake("2025-11-25");

    @Test
    void tools_say_whether_they_can_be_tasks() {
        var tools = client.ask("tools/list", "{}").path("result").path("tools");
        assertThat(tools.path(0).path("name").asString()).isEqualTo("greet");
        assertThat(tools.path(0).has("execution")).isFalse();
        assertThat(support(tools.path(1))).isEqualTo("optional");
        assertThat(support(tools.path(3))).isEqualTo("required");
    }

    @Test
    void a_task_begins_as_working_with_its_times_and_its_ttl_raised_to_the_floor() {
        var task = create("waits", "{}", "\"task\":{\"ttl\":1000}");
        assertThat(task.path("status").asString()).isEqualTo("working");
        assertThat(task.path("ttl").asInt()).isEqualTo(60_000);
        assertThat(task.has("createdAt") && task.has("lastUpdatedAt")).isTrue();
    }

    @Test
    void a_quick_tool_is_no_task() {
        var error = client.ask("tools/call", Served.and(Served.call("greet", Tools.NAME), "\"task\":{}"))
                .path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32601);
    }

    @Test
    void a_lifetime_that_makes_no_sense_is_refused_with_the_name_of_its_field() {
        for (String wish : new String[] {"{\"ttl\":\"1h\"}", "{\"ttl\":-1}"}) {
            var error = client.ask("tools/call", Served.and(Served.call("waits", "{}"), "\"task\":" + wish))
                    .path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32602);
            assertThat(error.path("message").asString()).startsWith("params.task.ttl must ");
        }
    }

    @Test
    void a_server_that_announces_no_tasks_ignores_a_wish_for_one() {
        try (var quick = Served.with(Tools.greet())) {
            var caller = quick.handshake("2025-11-25");
            for (String wish : new String[] {"{}", "{\"ttl\":60000}", "{\"ttl\":-1}", "null"}) {
                var reply = caller.ask("tools/call", Served.and(Served.call("greet", Tools.NAME), "\"task\":" + wish));
                assertThat(text(reply.path("result"))).as(wish).contains("Hello, Ada!");
            }
        }
    }

    @Test
    void the_status_of_a_failed_task_has_the_first_line_of_what_the_tool_reported() {
        var tool = Tool.define("reports").longRunning().handler((none, task) -> {
            task.status("counting");
            throw new ToolException("\n  3 tests failed  \nreport_test.py:17\n");
        });
        var silent = Tool.define("silent").longRunning().handler((none, task) -> {
            task.status("counting");
            throw new ToolException("");
        });
        var wordy = Tool.define("long").longRunning().handler((none, task) -> {
            throw new ToolException("x".repeat(501));
        });
        var full = Tool.define("full").longRunning().handler((none, task) -> {
            throw new ToolException("x".repeat(500));
        });
        try (var failing = Served.with(tool, silent, wordy, full)) {
            var caller = failing.handshake("2025-11-25");
            assertThat(statusMessage(caller, "reports")).isEqualTo("3 tests failed");
            assertThat(statusMessage(caller, "silent")).isEqualTo("counting");
            assertThat(statusMessage(caller, "long")).isEqualTo("x".repeat(499) + "…");
            assertThat(statusMessage(caller, "full")).isEqualTo("x".repeat(500));
        }
    }

    private static String statusMessage(Served.Handshake caller, String tool) {
        String id = caller.task(tool);
        caller.ask("tasks/result", taskId(id));
        return caller.ask("tasks/get", taskId(id))
                .path("result")
                .path("statusMessage")
                .asString("");
    }

    @Test
    void a_tool_that_is_only_a_task_is_no_plain_call() {
        var error = client.ask("tools/call", Served.call("fails", "{}")).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32601);
    }

    @Test
    void a_result_that_says_it_is_an_error_is_a_failed_task_and_tasks_result_gives_that_result() {
        String id = client.task("fails");
        var result = client.ask("tasks/result", taskId(id)).path("result");
        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(text(result)).isEqualTo("it did not work");
        assertThat(related(result)).isEqualTo(id);
        assertThat(status(id)).isEqualTo("failed");
    }

    @Test
    void a_json_rpc_error_is_a_failed_task_and_tasks_result_gives_that_error() {
        String id = client.task("breaks");
        var error = client.ask("tasks/result", taskId(id)).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32000);
        assertThat(error.path("message").asString()).isEqualTo("out of paper");
        assertThat(status(id)).isEqualTo("failed");
    }

    @Test
    void a_cancelled_task_is_cancelled_in_the_reply_and_cannot_be_cancelled_again() {
        String id = client.task("waits");
        var reply = client.ask("tasks/cancel", taskId(id)).path("result");
        assertThat(reply.path("status").asString()).isEqualTo("cancelled");
        var again = client.ask("tasks/cancel", taskId(id)).path("error");
        assertThat(again.path("code").asInt()).isEqualTo(-32602);
        var error = client.ask("tasks/result", taskId(id)).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32603);
    }

    @Test
    void tasks_get_is_never_a_stream_even_with_a_question_open() throws Exception {
        String id = client.task("asks");
        var waiting = client.send("tasks/result", taskId(id));
        waiting.nextMessage();
        var reply = client.send("tasks/get", taskId(id));
        assertThat(reply.isStream()).isFalse();
        assertThat(Served.json(reply.response()).path("result").path("status").asString())
                .isEqualTo("input_required");
    }

    private static MemoryReply waitingForOutcome(Served fake) {
        var caller = fake.handshake("2025-11-25");
        return caller.send("tasks/result", taskId(caller.task("waits")));
    }

    @Test
    void a_request_for_an_outcome_that_is_there_soon_is_answered_without_a_stream() throws Exception {
        var time = new FakeTime();
        try (var fake = Served.with(time, Tools.waits(gate))) {
            var waiting = waitingForOutcome(fake);
            time.awaitAlarmIn(Duration.ofMillis(20));
            gate.countDown();
            assertThat(waiting.isStream()).isFalse();
            assertThat(Served.json(waiting.response()).has("result")).isTrue();
        }
    }

    @Test
    void a_request_for_an_outcome_that_takes_longer_has_a_stream() throws Exception {
        var time = new FakeTime();
        try (var fake = Served.with(time, Tools.waits(gate))) {
            var waiting = waitingForOutcome(fake);
            time.advanceToAlarmIn(Duration.ofMillis(20));
            assertThat(waiting.isStream()).isTrue();
            gate.countDown();
            assertThat(Served.json(waiting.response()).has("result")).isTrue();
        }
    }

    @Test
    void a_question_is_held_until_a_get_stream_is_open_and_put_there_once() {
        String id = client.task("asks");
        var side = client.get();
        JsonNode question = nextRequest(side);
        assertThat(related(question.path("params"))).isEqualTo(id);
        var second = client.send("tasks/result", taskId(id));
        client.answer(question, ANSWER).status();
        assertThat(second.messages()).hasSize(1);
        side.leave();
    }

    @Test
    void an_answer_that_does_not_fit_the_question_is_refused_and_the_question_stays_open() {
        String id = client.task("asks");
        var waiting = client.send("tasks/result", taskId(id));
        var question = Served.json(waiting.nextMessage());
        var refused = client.answer(question, "{\"action\":\"accept\",\"content\":{\"name\":1}}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(status(id)).isEqualTo("input_required");
        assertThat(client.answer(question, ANSWER).status()).isEqualTo(202);
        assertThat(Served.resultText(waiting)).isEqualTo("It is Ada");
    }

    @Test
    void a_client_may_answer_with_an_error() {
        String id = client.task("asks");
        var waiting = client.send("tasks/result", taskId(id));
        var question = Served.json(waiting.nextMessage());
        client.post("{\"jsonrpc\":\"2.0\",\"id\":" + question.path("id")
                        + ",\"error\":{\"code\":-1,\"message\":\"no user here\"}}")
                .status();
        var error = Served.json(waiting.response()).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-1);
        assertThat(error.path("message").asString()).isEqualTo("no user here");
    }

    @Test
    void progress_keeps_the_token_of_the_creating_request() {
        var side = client.get();
        side.isStream();
        String id = create("waits", "{}", "\"task\":{},\"_meta\":{\"progressToken\":\"p1\"}")
                .path("taskId")
                .asString();
        var progress = Served.json(side.nextMessage()).path("params");
        assertThat(progress.path("progressToken").asString()).isEqualTo("p1");
        assertThat(progress.path("progress").asInt()).isEqualTo(1);
        assertThat(related(progress)).isEqualTo(id);
        gate.countDown();
        var changed = Served.json(side.nextMessage());
        assertThat(changed.path("method").asString()).isEqualTo("notifications/tasks/status");
        assertThat(changed.path("params").path("status").asString()).isEqualTo("completed");
        side.leave();
    }

    @Test
    void every_message_of_a_task_names_it_but_what_tells_only_of_its_state() {
        var asksAll = Tool.define("asks_all").description("Asks").longRunning().handler((none, task) -> {
            task.elicit("Who?", Tools.Name.class);
            task.progress(1, 2, "half");
            task.log("info", "a line");
            task.sample(new CreateMessageRequest("Hi", 10));
            task.listRoots();
            return "done";
        });
        try (var other = Served.with(asksAll)) {
            var asked = other.handshake("2025-11-25");
            String id = asked.ask("tools/call", Served.and(Served.call("asks_all", "{}"), WISH_WITH_TOKEN))
                    .path("result")
                    .path("task")
                    .path("taskId")
                    .asString();
            var waiting = asked.send("tasks/result", taskId(id));
            var methods = new TreeSet<String>();
            while (true) {
                var message = Served.json(waiting.nextMessage());
                assertThat(related(message.has("result") ? message.path("result") : message.path("params")))
                        .as(message.toString())
                        .isEqualTo(id);
                if (message.has("result")) {
                    break;
                }
                methods.add(message.path("method").asString());
                if (message.has("id")) {
                    asked.answer(message, ANSWERS.get(message.path("method").asString()));
                }
            }
            assertThat(methods)
                    .contains("elicitation/create", "sampling/createMessage", "roots/list")
                    .contains("notifications/progress", "notifications/message");
        }
    }

    @Test
    void what_get_list_and_cancel_say_of_a_task_does_not_name_it_in_their_meta() {
        String id = client.task("waits");
        for (String method : List.of("tasks/get", "tasks/list", "tasks/cancel")) {
            assertThat(client.ask(method, taskId(id)).toString()).contains(id).doesNotContain("related-task");
        }
    }

    @Test
    void a_list_goes_on_page_by_page_until_every_task_was_shown_once() {
        var created = new TreeSet<String>();
        for (int i = 0; i < 51; i++) {
            created.add(client.task("waits"));
        }
        var listed = new ArrayList<String>();
        var first = client.ask("tasks/list", "{}").path("result");
        first.path("tasks").forEach(task -> listed.add(task.path("taskId").asString()));
        assertThat(listed).hasSize(50);
        var last = client.ask("tasks/list", "{\"cursor\":" + first.path("nextCursor") + "}")
                .path("result");
        last.path("tasks").forEach(task -> listed.add(task.path("taskId").asString()));
        assertThat(listed).containsExactlyInAnyOrderElementsOf(created);
        assertThat(last.has("nextCursor")).isFalse();
    }

    @Test
    void tasks_are_listed_newest_first_and_a_false_cursor_is_refused() {
        var time = new FakeTime();
        try (var later = Served.with(time, Tools.waits(gate))) {
            var lister = later.handshake("2025-11-25");
            String first = lister.task("waits");
            time.advance(Duration.ofMillis(1));
            String second = lister.task("waits");
            var tasks = lister.ask("tasks/list", "{}").path("result").path("tasks");
            assertThat(tasks.path(0).path("taskId").asString()).isEqualTo(second);
            assertThat(tasks.path(1).path("taskId").asString()).isEqualTo(first);
            var error = lister.ask("tasks/list", "{\"cursor\":\"nonsense\"}").path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32602);
        }
    }

    private JsonNode create(String tool, String arguments, String more) {
        var reply = client.ask("tools/call", Served.and(Served.call(tool, arguments), more));
        return reply.path("result").path("task");
    }

    private String status(String id) {
        return client.ask("tasks/get", taskId(id)).path("result").path("status").asString();
    }

    private static JsonNode nextRequest(io.longhaul.fakes.MemoryReply side) {
        while (true) {
            var message = Served.json(side.nextMessage());
            if (message.has("id")) {
                return message;
            }
        }
    }

    private static String support(JsonNode tool) {
        return tool.path("execution").path("taskSupport").asString("");
    }
}
