// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.tasks1686;

import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.augmented;
import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.named;
import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.related;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.call.RequestKind;
import io.longhaul.server.McpException;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.Resource;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Requests that are no calls of long-running tools, as tasks that their senders name. */
@Timeout(60)
class RequestorTasksOfAnythingTest {

    private static final String READ =
            "{\"uri\":\"memo://slow\",\"_meta\":{\"modelcontextprotocol.io/task\":" + "{\"taskId\":\"mine\"}}}";
    private static final String GET = "{\"name\":\"hello\",\"arguments\":{\"who\":\"Ada\"},"
            + "\"_meta\":{\"modelcontextprotocol.io/task\":{\"taskId\":\"mine\"}}}";

    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(this::all);

    private final Served.Handshake client = served.handshake("2025-06-18");

    private McpServerBuilder all(McpServerBuilder server) {
        return offers(server).tasksOf(RequestKind.TOOL_CALL, RequestKind.RESOURCE_READ, RequestKind.PROMPT_GET);
    }

    private McpServerBuilder offers(McpServerBuilder server) {
        return server.tool(Tools.greet())
                .tool(Tool.define("asks").handler((none, task) -> {
                    task.progress(1, 2, "half");
                    var answer = task.elicit("Who?", Tools.Name.class);
                    return "It is " + answer.content().name();
                }))
                .tool(Tool.define("breaks").handler((none, task) -> {
                    throw new McpException(-32000, "out of paper");
                }))
                .resource(Resource.define("memo://slow").handler((request, call) -> {
                    gate.await();
                    return "read";
                }))
                .prompt(Prompt.define("hello")
                        .argument("who", "whom to greet")
                        .handler((arguments, call) -> List.of(PromptMessage.user("Hello, " + arguments.get("who")))));
    }

    private static JsonNode next(MemoryReply reply, String method) {
        var message = Served.json(reply.nextMessage());
        assertThat(message.path("method").asString()).isEqualTo(method);
        assertThat(related(message.path("params"))).isEqualTo("mine");
        return message;
    }

    @Test
    void a_resource_is_read_as_a_task_that_is_polled_beside_its_request() {
        var reply = client.send("resources/read", READ);
        next(reply, "notifications/tasks/created");
        assertThat(client.ask("tasks/get", named("mine"))
                        .path("result")
                        .path("status")
                        .asString())
                .isIn("submitted", "working");
        gate.countDown();
        var result = Served.json(reply.response()).path("result");
        assertThat(result.path("contents").path(0).path("text").asString()).isEqualTo("read");
        assertThat(related(result)).isEqualTo("mine");
        assertThat(client.ask("tasks/result", named("mine")).path("result")).isEqualTo(result);
        var other = served.handshake("2025-11-25").ask("tasks/result", "{\"taskId\":\"mine\"}");
        assertThat(other.path("result").path("contents")).isEqualTo(result.path("contents"));
    }

    @Test
    void a_prompt_is_got_as_a_task() {
        var client = served.handshake("2025-03-26");
        var reply = client.send("prompts/get", GET);
        next(reply, "notifications/tasks/created");
        var result = Served.json(reply.response()).path("result");
        assertThat(result.path("messages").toString()).contains("Hello, Ada");
        assertThat(related(result)).isEqualTo("mine");
        var again = client.ask("tasks/result", named("mine")).path("result");
        assertThat(again).isEqualTo(result);
    }

    @Test
    void a_quick_tool_reports_asks_and_answers_as_a_task() {
        var reply = client.send("tools/call", augmented("asks", "{}", "mine"));
        next(reply, "notifications/tasks/created");
        next(reply, "notifications/progress");
        var question = next(reply, "elicitation/create");
        client.answer(question, "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}")
                .status();
        assertThat(Served.resultText(reply)).isEqualTo("It is Ada");
    }

    @Test
    void an_error_of_a_handler_is_that_of_the_request_and_of_its_failed_task() {
        var reply = client.send("tools/call", augmented("breaks", "{}", "mine"));
        var response = Served.json(reply.response());
        assertThat(response.path("error").path("code").asInt()).isEqualTo(-32000);
        var task = client.ask("tasks/get", named("mine")).path("result");
        assertThat(task.path("status").asString()).isEqualTo("failed");
        assertThat(task.path("error").asString()).isEqualTo("out of paper");
    }

    @Test
    void the_same_id_for_the_same_request_is_safe_and_for_another_kind_of_request_refused() {
        gate.countDown();
        client.send("resources/read", READ).response();
        var again = Served.json(client.send("resources/read", READ).response());
        assertThat(again.path("result").path("contents").size()).isEqualTo(1);
        var refused = client.ask("prompts/get", GET).path("error");
        assertThat(refused.path("message").asString()).isEqualTo("Task ID already exists: mine");
    }

    @Test
    void what_cannot_be_a_task_is_answered_as_it_is_and_told_in_the_same_words() {
        gate.countDown();
        try (var served = Served.with(this::offers)) {
            var client = served.handshake("2025-06-18");
            var read = client.ask("resources/read", READ).path("result");
            assertThat(read.path("contents").path(0).path("text").asString()).isEqualTo("read");
            assertThat(related(read)).isEmpty();
            assertThat(client.ask("prompts/get", GET).path("result").has("messages"))
                    .isTrue();
            assertThat(client.ask("tasks/get", named("mine")).has("error")).isTrue();
        }
    }

    @Test
    void metadata_that_nobody_can_read_is_ignored_where_a_request_cannot_be_a_task_and_refused_where_it_can() {
        gate.countDown();
        String read = READ.replace("\"mine\"", "7");
        String get = GET.replace("{\"taskId\":\"mine\"}", "7");
        try (var served = Served.with(this::offers)) {
            var client = served.handshake("2025-06-18");
            assertThat(client.ask("resources/read", read).path("result").has("contents"))
                    .isTrue();
            assertThat(client.ask("prompts/get", get).path("result").has("messages"))
                    .isTrue();
        }
        assertThat(List.of(
                        client.ask("resources/read", read),
                        client.ask("prompts/get", get),
                        client.ask("tools/call", augmented("greet", Tools.NAME, "m", "\"keepAlive\":-1"))))
                .allMatch(refused -> refused.path("error").path("code").asInt() == -32602);
    }

    @Test
    void a_request_for_what_there_is_not_is_refused_and_makes_no_task() {
        var read = client.ask("resources/read", READ.replace("slow", "none"));
        assertThat(read.path("error").path("code").asInt()).isEqualTo(-32002);
        var get = client.ask("prompts/get", GET.replace("\"who\":\"Ada\"", ""));
        assertThat(get.path("error").path("code").asInt()).isEqualTo(-32602);
        assertThat(client.ask("tasks/list", "{}").path("result").path("tasks").size())
                .isZero();
    }

    @Test
    void what_was_running_when_the_server_stopped_has_failed_as_interrupted_and_its_stream_says_so() {
        String last = client.send("resources/read", READ).next().orElseThrow().id();
        served.restart();
        var end = Served.json(client.resume(last).messages().getLast());
        assertThat(end.path("error").path("code").asInt()).isEqualTo(-32603);
        var task = client.ask("tasks/get", named("mine")).path("result");
        assertThat(task.path("status").asString()).isEqualTo("failed");
        assertThat(task.path("error").asString()).isNotEmpty();
    }

    @Test
    void a_session_is_told_which_requests_can_be_tasks() {
        var connection = served.connect();
        connection.send(Served.initialize("2025-06-18", "{}"));
        assertThat(connection.next())
                .contains("\"tasks\":{\"list\":{},\"delete\":{},\"requests\":{\"tools\":{\"call\":{}},"
                        + "\"resources\":{\"read\":{}},\"prompts\":{\"get\":{}}}}");
    }

    @Test
    void tasks_of_any_request_need_a_store() {
        assertThatThrownBy(() -> McpServer.builder("t", "1")
                        .tasksOf(RequestKind.RESOURCE_READ)
                        .serve(new MemoryTransport()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("store");
    }
}
