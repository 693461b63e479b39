// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static io.longhaul.server.OneHandlerEveryGenerationTest.awaitStatus;
import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.server.ElicitRequest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The tasks extension of the revision 2026-07-28. */
class StatelessTasksTest {

    private static final String ADA = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    private final CountDownLatch gate = new CountDownLatch(1);
    private final Tool named = Tool.define("named")
            .description("Asks before there is a task")
            .longRunning(options -> options.elicitFirst("who", "Who?", Tools.Name.class))
            .handler((none, task) -> "Hi "
                    + task.elicitedFirst("who", Tools.Name.class).content().name());
    private final Tool two = Tool.define("two")
            .description("Asks two questions at once")
            .longRunning()
            .handler((none, task) -> task.elicitAll(java.util.List.of(
                                    ElicitRequest.of("a", "A?", Tools.Name.class),
                                    ElicitRequest.of("b", "B?", Tools.Name.class)))
                            .size()
                    + " answers");

    private final Tool talking = Tool.define("talking")
            .description("Asks or tells first, as it is told")
            .inputSchema("{\"type\":\"object\"}")
            .longRunning(options -> options.mayAskFirst())
            .handler((input, task) -> {
                if (input.has("tells")) {
                    task.log("debug", "begun");
                }
                var first = task.elicit("Who?", Tools.Name.class).content().name();
                task.progress(1, "asked");
                return first + " and "
                        + task.elicit("Who else?", Tools.Name.class).content().name();
            });
    private final Tool silent = Tool.define("silent")
            .description("Says nothing")
            .longRunning(options -> options.mayAskFirst())
            .handler((none, task) -> {
                gate.await();
                return "done";
            });

    @AutoClose
    private final Served served =
            Served.with(Tools.greet(), Tools.waits(gate), Tools.fails(), Tools.breaks(), named, two, talking, silent);

    private final Served.Stateless client = served.stateless(Served.TASKS);
    private final Served.Stateless undeclared = served.stateless(Served.ELICITS);

    @Test
    void a_quick_tool_answers_directly_and_ignores_a_wish_for_a_task() {
        var result = client.ask("tools/call", Served.and(Served.call("greet", Tools.NAME), "\"task\":{\"ttl\":1}"))
                .path("result");
        assertThat(result.path("resultType").asString()).isEqualTo("complete");
        assertThat(result.path("structuredContent").path("text").asString()).isEqualTo("Hello, Ada!");
    }

    @Test
    void a_client_that_did_not_declare_the_extension_gets_the_result_itself() {
        gate.countDown();
        var result = undeclared.ask("tools/call", Served.call("waits", "{}")).path("result");
        assertThat(text(result)).isEqualTo("done");
        assertThat(result.path("resultType").asString()).isEqualTo("complete");
    }

    @Test
    void a_tool_that_is_only_a_task_names_the_capability_that_is_missing() {
        var reply = undeclared.send("tools/call", Served.call("fails", "{}"));
        assertThat(reply.status()).isEqualTo(400);
        assertMissingTasks(Served.json(reply.response()));
    }

    @Test
    void verbs_and_subscriptions_without_the_extension_are_refused_before_the_id_is_looked_up() {
        for (String method : java.util.List.of("tasks/get", "tasks/cancel")) {
            var reply = undeclared.send(method, taskId("nonsense"));
            assertThat(reply.status()).isEqualTo(400);
            assertMissingTasks(Served.json(reply.response()));
        }
        assertMissingTasks(undeclared.ask("tasks/update", "{\"taskId\":\"x\",\"inputResponses\":{}}"));
        assertMissingTasks(undeclared.ask("subscriptions/listen", "{\"notifications\":{\"taskIds\":[\"x\"]}}"));
    }

    @Test
    void an_error_of_the_tool_is_a_completed_task_and_one_of_the_protocol_a_failed_one() throws Exception {
        var failed = awaitStatus(client, create("fails"), "completed");
        assertThat(failed.path("result").path("isError").asBoolean()).isTrue();
        var broken = awaitStatus(client, create("breaks"), "failed");
        assertThat(broken.path("error").path("code").asInt()).isEqualTo(-32000);
        assertThat(broken.has("result")).isFalse();
    }

    @Test
    void a_cancel_is_acknowledged_also_when_the_task_has_ended() throws Exception {
        String id = create("waits");
        var ack = client.ask("tasks/cancel", taskId(id)).path("result");
        assertThat(ack.path("resultType").asString()).isEqualTo("complete");
        assertThat(ack.has("status")).isFalse();
        awaitStatus(client, id, "cancelled");
        assertThat(client.ask("tasks/cancel", taskId(id)).has("result")).isTrue();
    }

    @Test
    void some_of_several_answers_leave_the_others_open() throws Exception {
        String id = create("two");
        awaitStatus(client, id, "input_required");
        client.ask("tasks/update", "{\"taskId\":\"" + id + "\",\"inputResponses\":{\"a\":" + ADA + "}}");
        var left = client.ask("tasks/get", taskId(id)).path("result");
        assertThat(left.path("status").asString()).isEqualTo("input_required");
        assertThat(left.path("inputRequests").propertyNames()).containsExactly("b");
        var bad = client.ask("tasks/update", "{\"taskId\":\"" + id + "\",\"inputResponses\":{\"b\":7}}");
        assertThat(bad.path("error").path("code").asInt()).isEqualTo(-32602);
        assertThat(bad.path("error").path("message").asString()).contains("inputResponses.b");
        client.ask("tasks/update", "{\"taskId\":\"" + id + "\",\"inputResponses\":{\"b\":" + ADA + "}}");
        assertThat(text(awaitStatus(client, id, "completed").path("result"))).isEqualTo("2 answers");
    }

    @Test
    void what_was_not_asked_is_ignored_beside_answers_whatever_its_value() throws Exception {
        String id = create("two");
        awaitStatus(client, id, "input_required");
        String extra = "\"text\":\"x\",\"number\":1,\"none\":null,\"list\":[]";
        var ack = client.ask(
                "tasks/update",
                "{\"taskId\":\"" + id + "\",\"inputResponses\":{" + extra + ",\"a\":" + ADA + ",\"b\":" + ADA + "}}");
        assertThat(ack.has("result")).isTrue();
        assertThat(text(awaitStatus(client, id, "completed").path("result"))).isEqualTo("2 answers");
        String call = Served.call("named", "{}");
        var asked = client.ask("tools/call", call).path("result");
        var responses =
                "\"inputResponses\":{" + extra + ",\"who\":" + ADA + "},\"requestState\":" + asked.path("requestState");
        var created = client.ask("tools/call", Served.and(call, responses));
        assertThat(created.path("result").path("resultType").asString()).isEqualTo("task");
    }

    @Test
    void a_question_before_the_task_is_asked_in_rounds_and_its_answer_reaches_the_handler() throws Exception {
        String call = Served.call("named", "{}");
        var first = client.ask("tools/call", call).path("result");
        assertThat(first.path("resultType").asString()).isEqualTo("input_required");
        assertThat(first.has("taskId")).isFalse();
        String state = "\"requestState\":" + first.path("requestState");
        var wrongKey = client.ask("tools/call", Served.and(call, "\"inputResponses\":{\"x\":" + ADA + "}," + state));
        assertThat(wrongKey.path("result").path("inputRequests").has("who")).isTrue();
        var created = client.ask("tools/call", Served.and(call, "\"inputResponses\":{\"who\":" + ADA + "}," + state))
                .path("result");
        assertThat(created.path("resultType").asString()).isEqualTo("task");
        assertThat(created.has("requestState")).isFalse();
        var ended = awaitStatus(client, created.path("taskId").asString(), "completed");
        assertThat(text(ended.path("result"))).isEqualTo("Hi Ada");
    }

    @Test
    void a_question_that_the_work_asks_before_it_tells_anything_is_a_round_of_the_call() throws Exception {
        String call = Served.call("talking", "{}");
        var first = client.ask("tools/call", call).path("result");
        assertThat(first.path("resultType").asString()).isEqualTo("input_required");
        assertThat(first.has("taskId")).isFalse();
        assertThat(first.path("inputRequests")).hasSize(1);
        String key = first.path("inputRequests").propertyNames().iterator().next();
        var answers = "\"inputResponses\":{\"" + key + "\":" + ADA + "},\"requestState\":" + first.path("requestState");
        var created = client.ask("tools/call", Served.and(call, answers)).path("result");
        assertThat(created.path("resultType").asString()).isEqualTo("task");
        assertThat(created.has("inputRequests")).isFalse();
        String id = created.path("taskId").asString();
        var second = awaitStatus(client, id, "input_required")
                .path("inputRequests")
                .propertyNames()
                .iterator()
                .next();
        client.ask("tasks/update", "{\"taskId\":\"" + id + "\",\"inputResponses\":{\"" + second + "\":" + ADA + "}}");
        assertThat(text(awaitStatus(client, id, "completed").path("result"))).isEqualTo("Ada and Ada");
    }

    @Test
    void a_question_that_the_work_asks_after_it_has_told_something_is_one_of_the_task() throws Exception {
        var created = client.ask("tools/call", Served.call("talking", "{\"tells\":true}"))
                .path("result");
        assertThat(created.path("resultType").asString()).isEqualTo("task");
        awaitStatus(client, created.path("taskId").asString(), "input_required");
    }

    @Test
    void work_that_says_nothing_is_a_task_after_a_while() throws Exception {
        String id = create("silent");
        assertThat(client.ask("tasks/get", taskId(id))
                        .path("result")
                        .path("status")
                        .asString())
                .isEqualTo("working");
        gate.countDown();
        awaitStatus(client, id, "completed");
    }

    @Test
    void a_call_whose_answers_do_not_come_is_repeated_by_its_key_and_asks_the_same() {
        String key = "\"_meta\":{\"io.longhaul/creation-key\":\"k2\"}";
        String call = Served.and(Served.call("talking", "{}"), key);
        var first = client.ask("tools/call", call).path("result").path("inputRequests");
        assertThat(first).hasSize(1);
        assertThat(client.ask("tools/call", call).path("result").path("inputRequests"))
                .isEqualTo(first);
    }

    @Test
    void a_tool_that_runs_as_tasks_alone_is_listed_as_one_that_does() {
        for (var one : client.ask("tools/list", "{}").path("result").path("tools")) {
            boolean isTaskOnly = one.path("name").asString().equals("fails");
            assertThat(one.path("_meta").path("io.longhaul/task-support").asString(""))
                    .isEqualTo(isTaskOnly ? "required" : "");
        }
    }

    @Test
    void a_state_that_was_changed_or_belongs_to_another_call_or_caller_is_refused() {
        String call = Served.call("named", "{}");
        var state = client.ask("tools/call", call)
                .path("result")
                .path("requestState")
                .asString();
        var responses = "\"inputResponses\":{\"who\":" + ADA + "},\"requestState\":\"";
        assertRefused(client.ask("tools/call", Served.and(call, responses + state + "x\"")));
        assertRefused(client.ask("tools/call", Served.and(Served.call("two", "{}"), responses + state + "\"")));
        var bob = served.stateless(Served.TASKS, Served.BOB);
        assertRefused(bob.ask("tools/call", Served.and(call, responses + state + "\"")));
    }

    @Test
    void a_repeated_creation_key_is_the_same_task_and_with_other_arguments_refused() {
        String key = "\"_meta\":{\"io.longhaul/creation-key\":\"k1\"}";
        var first = client.ask("tools/call", Served.and(Served.call("waits", "{}"), key));
        var again = client.ask("tools/call", Served.and(Served.call("waits", "{}"), key));
        assertThat(again.path("result").path("taskId"))
                .isEqualTo(first.path("result").path("taskId"));
        assertRefused(client.ask("tools/call", Served.and(Served.call("two", "{}"), key)));
    }

    @Test
    void closing_the_response_cancels_a_plain_call() throws Exception {
        var reply = undeclared.send(
                "tools/call", Served.and(Served.call("waits", "{}"), "\"_meta\":{\"progressToken\":7}"));
        assertThat(Served.json(reply.nextMessage())
                        .path("params")
                        .path("progress")
                        .asInt())
                .isEqualTo(1);
        String id = served.handshake("2025-11-25").onlyTask();
        reply.leave();
        awaitStatus(client, id, "cancelled");
    }

    @Test
    void closing_the_response_of_a_keyed_call_leaves_it_running_for_who_comes_back_with_the_key() {
        var keyed = Served.and(
                Served.call("waits", "{}"), "\"_meta\":{\"progressToken\":7,\"io.longhaul/creation-key\":\"k\"}");
        var reply = undeclared.send("tools/call", keyed);
        reply.nextMessage();
        reply.leave();
        gate.countDown();
        assertThat(text(undeclared.ask("tools/call", keyed).path("result"))).isEqualTo("done");
        var tasks = served.handshake("2025-11-25").ask("tasks/list", "{}").path("result");
        assertThat(tasks.path("tasks")).hasSize(1);
    }

    @Test
    void a_subscription_acknowledges_only_tasks_of_its_owner_and_ends_with_a_response() {
        String mine = create("waits");
        var reply = client.send(
                "subscriptions/listen",
                "{\"notifications\":{\"toolsListChanged\":true,\"taskIds\":[\"" + mine + "\",\"unknown\"]}}");
        var ack = Served.json(reply.nextMessage());
        assertThat(ack.path("method").asString()).isEqualTo("notifications/subscriptions/acknowledged");
        assertThat(ack.path("params").path("notifications").toString())
                .isEqualTo("{\"toolsListChanged\":true,\"taskIds\":[\"" + mine + "\"]}");
        var state = Served.json(reply.nextMessage()).path("params");
        assertThat(state.path("taskId").asString()).isEqualTo(mine);
        assertThat(state.path("_meta").has("io.modelcontextprotocol/subscriptionId"))
                .isTrue();
        served.close();
        assertThat(Served.json(reply.response())
                        .path("result")
                        .path("resultType")
                        .asString())
                .isEqualTo("complete");
    }

    @Test
    void subscriptions_of_one_owner_are_limited() {
        for (int i = 0; i < 10; i++) {
            client.send("subscriptions/listen", "{\"notifications\":{\"toolsListChanged\":true}}")
                    .nextMessage();
        }
        var reply = client.ask("subscriptions/listen", "{\"notifications\":{\"toolsListChanged\":true}}");
        assertThat(reply.has("error")).isTrue();
    }

    private String create(String tool) {
        return client.ask("tools/call", Served.call(tool, "{}"))
                .path("result")
                .path("taskId")
                .asString();
    }

    private static void assertRefused(JsonNode response) {
        assertThat(response.path("error").path("code").asInt()).isEqualTo(-32602);
    }

    private static void assertMissingTasks(JsonNode response) {
        Served.assertRequires(response, "extensions", "io.modelcontextprotocol/tasks");
    }
}
