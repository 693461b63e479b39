// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.tasks1686;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.task.EachTool;
import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tasks that requestors name, as SEP-1686 has them, over HTTP. */
@Timeout(60)
public class RequestorTasksTest extends EachTool {

    public static final String RELATED = "modelcontextprotocol.io/related-task";
    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    private final Served.Handshake client = served.handshake("2025-06-18");

    /** The params of a call that is to be a task of that name. */
    public static String augmented(String tool, String arguments, String id) {
        return augmented(tool, arguments, id, "\"keepAlive\":7200000");
    }

    public static String augmented(String tool, String arguments, String id, String more) {
        return Served.and(
                Served.call(tool, arguments),
                "\"_meta\":{\"progressToken\":\"p\",\"modelcontextprotocol.io/task\":{\"taskId\":\"" + id + "\"," + more
                        + "}}");
    }

    /** The params of a verb of a task, which name it twice. */
    public static String named(String id) {
        return "{\"taskId\":\"" + id + "\",\"_meta\":{\"" + RELATED + "\":{\"taskId\":\"" + id + "\"}}}";
    }

    public static String related(JsonNode object) {
        return object.path("_meta").path(RELATED).path("taskId").asString("");
    }

    private JsonNode get(String id) {
        return client.ask("tasks/get", named(id)).path("result");
    }

    private static JsonNode error(JsonNode response) {
        assertThat(response.path("error").path("code").asInt()).isEqualTo(-32602);
        return response.path("error").path("message");
    }

    @Test
    void the_stream_of_the_request_begins_with_the_creation_and_ends_with_the_result() {
        var reply = client.send("tools/call", augmented("waits", "{}", "mine"));
        var created = Served.json(reply.nextMessage());
        assertThat(created.path("method").asString()).isEqualTo("notifications/tasks/created");
        assertThat(related(created.path("params"))).isEqualTo("mine");
        assertThat(created.path("params").size()).isEqualTo(1);
        var progress = Served.json(reply.nextMessage());
        assertThat(progress.path("method").asString()).isEqualTo("notifications/progress");
        assertThat(related(progress.path("params"))).isEqualTo("mine");
        gate.countDown();
        var result = Served.json(reply.response()).path("result");
        assertThat(text(result)).isEqualTo("done");
        assertThat(related(result)).isEqualTo("mine");
    }

    @Test
    void a_task_is_polled_while_its_request_waits_and_its_result_is_there_when_it_has_completed() {
        var reply = client.send("tools/call", augmented("waits", "{}", "mine"));
        reply.nextMessage();
        reply.nextMessage();
        var task = get("mine");
        assertThat(task.path("taskId").asString()).isEqualTo("mine");
        assertThat(task.path("status").asString()).isEqualTo("working");
        assertThat(task.path("keepAlive").asInt()).isEqualTo(7_200_000);
        assertThat(task.path("pollFrequency").asInt()).isEqualTo(1_000);
        assertThat(related(task)).isEqualTo("mine");
        assertThat(error(client.ask("tasks/result", named("mine"))).asString())
                .isEqualTo("Cannot retrieve result: Task status is 'working', not 'completed'");
        gate.countDown();
        reply.response();
        assertThat(get("mine").path("status").asString()).isEqualTo("completed");
        for (int time = 0; time < 2; time++) {
            var result = client.ask("tasks/result", named("mine")).path("result");
            assertThat(text(result)).isEqualTo("done");
            assertThat(related(result)).isEqualTo("mine");
        }
    }

    @Test
    void a_short_keep_alive_is_raised_and_a_long_one_cut_and_the_real_one_is_told() {
        gate.countDown();
        client.send("tools/call", augmented("waits", "{}", "short", "\"keepAlive\":1"))
                .response();
        client.send("tools/call", augmented("waits", "{}", "long", "\"keepAlive\":1e15"))
                .response();
        assertThat(get("short").path("keepAlive").asLong()).isEqualTo(60_000);
        assertThat(get("long").path("keepAlive").asLong()).isEqualTo(7 * 86_400_000L);
    }

    @Test
    void a_result_that_says_it_is_an_error_is_a_completed_task() {
        client.send("tools/call", augmented("fails", "{}", "bad")).response();
        assertThat(get("bad").path("status").asString()).isEqualTo("completed");
        var result = client.ask("tasks/result", named("bad")).path("result");
        assertThat(result.path("isError").asBoolean()).isTrue();
    }

    @Test
    void a_json_rpc_error_is_a_failed_task_that_says_why_and_has_no_result() {
        var response = Served.json(
                client.send("tools/call", augmented("breaks", "{}", "bad")).response());
        assertThat(response.path("error").path("code").asInt()).isEqualTo(-32000);
        assertThat(get("bad").path("status").asString()).isEqualTo("failed");
        assertThat(get("bad").path("error").asString()).isEqualTo("out of paper");
        assertThat(error(client.ask("tasks/result", named("bad"))).asString()).contains("'failed'");
    }

    @Test
    void a_quick_tool_ignores_the_metadata_and_makes_no_task() {
        var result = client.ask("tools/call", augmented("greet", Tools.NAME, "quick"))
                .path("result");
        assertThat(text(result)).contains("Hello, Ada!");
        assertThat(related(result)).isEmpty();
        assertThat(error(client.ask("tasks/get", named("quick"))).asString())
                .isEqualTo("Failed to retrieve task: Task not found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "null", "{}", "{\"taskId\":7}", "{\"taskId\":\"a\",\"keepAlive\":-1}"})
    void a_quick_tool_ignores_metadata_that_nobody_can_read(String metadata) {
        var params = Served.and(
                Served.call("greet", Tools.NAME), "\"_meta\":{\"modelcontextprotocol.io/task\":" + metadata + "}");
        assertThat(text(client.ask("tools/call", params).path("result"))).contains("Hello, Ada!");
    }

    @Test
    void the_same_request_with_the_same_id_is_answered_again_and_runs_once() {
        var first = client.send("tools/call", augmented("waits", "{}", "mine"));
        first.nextMessage();
        var second = client.send("tools/call", augmented("waits", "{}", "mine"));
        assertThat(second.nextMessage()).contains("notifications/tasks/created");
        gate.countDown();
        assertThat(Served.resultText(first)).isEqualTo("done");
        assertThat(Served.resultText(second)).isEqualTo("done");
        assertThat(client.ask("tasks/list", "{}").path("result").path("tasks").size())
                .isEqualTo(1);
    }

    @Test
    void another_request_with_an_id_that_was_used_is_refused() {
        client.send("tools/call", augmented("waits", "{}", "mine")).nextMessage();
        var refused = client.ask("tools/call", augmented("asks", "{}", "mine"));
        assertThat(error(refused).asString()).isEqualTo("Task ID already exists: mine");
    }

    @Test
    void the_own_id_of_a_task_is_taken_for_that_task_and_another_request_with_it_refused() {
        client.send("tools/call", augmented("waits", "{}", "mine")).nextMessage();
        String own = served.handshake("2025-11-25").onlyTask();
        assertThat(own).isNotEqualTo("mine");
        var again = client.send("tools/call", augmented("waits", "{}", own));
        assertThat(related(Served.json(again.nextMessage()).path("params"))).isEqualTo(own);
        assertThat(error(client.ask("tools/call", augmented("asks", "{}", own))).asString())
                .isEqualTo("Task ID already exists: " + own);
        gate.countDown();
        var result = Served.json(again.response()).path("result");
        assertThat(text(result)).isEqualTo("done");
        assertThat(related(result)).isEqualTo(own);
        assertThat(client.ask("tasks/list", "{}").path("result").path("tasks").size())
                .isEqualTo(1);
    }

    @Test
    void a_cancelled_request_cancels_its_task_and_gets_no_response() {
        var reply = client.send("tools/call", augmented("waits", "{}", "mine"));
        reply.nextMessage();
        client.post(Served.cancelled(1)).status();
        assertThat(reply.messages()).noneMatch(message -> message.contains("\"result\""));
        assertThat(get("mine").path("status").asString()).isEqualTo("cancelled");
        assertThat(error(client.ask("tasks/result", named("mine"))).asString()).contains("'cancelled'");
    }

    @Test
    void a_task_that_asks_is_cancelled_by_its_request_and_the_answer_comes_too_late() {
        var reply = client.send("tools/call", augmented("asks", "{}", "mine"));
        reply.nextMessage();
        var question = Served.json(reply.nextMessage());
        assertThat(related(question.path("params"))).isEqualTo("mine");
        assertThat(get("mine").path("status").asString()).isEqualTo("input_required");
        client.post(Served.cancelled(1)).status();
        assertThat(reply.messages()).noneMatch(message -> message.contains("\"result\""));
        client.answer(question, ANSWER).status();
        assertThat(get("mine").path("status").asString()).isEqualTo("cancelled");
    }

    @Test
    void a_task_that_has_ended_is_deleted_with_its_result_and_its_id_is_free_again() {
        gate.countDown();
        client.send("tools/call", augmented("waits", "{}", "mine")).response();
        var deleted = client.ask("tasks/delete", named("mine"));
        assertThat(related(deleted.path("result"))).isEqualTo("mine");
        assertThat(error(client.ask("tasks/result", named("mine"))).asString())
                .isEqualTo("Failed to retrieve result: Task not found");
        assertThat(error(client.ask("tasks/delete", named("mine"))).asString())
                .isEqualTo("Failed to delete task: Task not found");
        assertThat(client.send("tools/call", augmented("waits", "{}", "mine")).nextMessage())
                .contains("notifications/tasks/created");
    }

    @Test
    void a_live_task_is_not_deleted() {
        client.send("tools/call", augmented("waits", "{}", "mine")).nextMessage();
        assertThat(error(client.ask("tasks/delete", named("mine"))).asString())
                .startsWith("Cannot delete task: Task status is '");
    }

    @Test
    void a_cancel_that_comes_after_the_end_changes_nothing() {
        gate.countDown();
        client.send("tools/call", augmented("waits", "{}", "mine")).response();
        client.post(Served.cancelled(1)).status();
        assertThat(get("mine").path("status").asString()).isEqualTo("completed");
        assertThat(text(client.ask("tasks/result", named("mine")).path("result")))
                .isEqualTo("done");
    }

    @Test
    void a_list_shows_fifty_tasks_a_page_newest_first() {
        gate.countDown();
        var time = new FakeTime();
        try (var later = Served.with(time, Tools.waits(gate))) {
            var lister = later.handshake("2025-06-18");
            var newestFirst = new ArrayList<String>();
            for (int i = 0; i < 51; i++) {
                lister.send("tools/call", augmented("waits", "{}", "task-" + i)).response();
                newestFirst.addFirst("task-" + i);
                time.advance(Duration.ofMillis(1));
            }
            var first = lister.ask("tasks/list", "{}").path("result");
            assertThat(first.path("tasks").findValuesAsString("taskId")).isEqualTo(newestFirst.subList(0, 50));
            var last = lister.ask("tasks/list", "{\"cursor\":" + first.path("nextCursor") + "}")
                    .path("result");
            assertThat(last.path("tasks").findValuesAsString("taskId")).containsExactly("task-0");
            assertThat(last.has("nextCursor")).isFalse();
        }
    }

    @Test
    void an_anonymous_caller_is_offered_no_list_and_gets_none() {
        var anybody = served.connect(Principal.ANONYMOUS);
        anybody.send(Served.initialize("2025-06-18", "{}"));
        var declared =
                Served.json(anybody.next()).path("result").path("capabilities").path("tasks");
        assertThat(declared.has("requests")).isTrue();
        assertThat(declared.has("list")).isFalse();
        anybody.send(Served.request(1, "tasks/list", "{}"));
        assertThat(Served.json(anybody.next()).path("error").path("code").asInt())
                .isEqualTo(-32601);
    }

    @Test
    void a_list_shows_the_ids_that_were_chosen_and_refuses_a_cursor_that_it_did_not_give() {
        gate.countDown();
        client.send("tools/call", augmented("waits", "{}", "one")).response();
        client.send("tools/call", augmented("waits", "{}", "two")).response();
        var page = client.ask("tasks/list", "{}").path("result");
        assertThat(page.path("tasks").findValuesAsString("taskId")).containsExactlyInAnyOrder("one", "two");
        assertThat(page.has("nextCursor")).isFalse();
        error(client.ask("tasks/list", "{\"cursor\":\"made-up\"}"));
    }
}
