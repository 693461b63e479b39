// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.resume;

import static io.longhaul.receiver.ext.resume.ResumeTokensTest.CALL;
import static io.longhaul.receiver.ext.resume.ResumeTokensTest.resume;
import static io.longhaul.receiver.ext.resume.ResumeTokensTest.texts;
import static io.longhaul.receiver.ext.resume.ResumeTokensTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.server.LongRunning;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Results part by part where every request stands alone: 2026-07-28, and any process behind a balancer (SEP-1003). */
@Timeout(60)
class StatelessResumeTokensTest {

    private static final String KNOWS = "{\"elicitation\":{},\"experimental\":{\"resumeTokens\":{}}}";

    private final MemoryTaskStore store = new MemoryTaskStore();
    private final FakeTime time = new FakeTime();

    private Served serve(Tool... tools) {
        return Served.on(store, time, tools);
    }

    private List<Task> tasks() {
        return store.list(TaskFilter.of(new Owner(Served.ALICE.name())), null, 10)
                .tasks();
    }

    private static void assertRefused(JsonNode response, String why) {
        assertThat(response.path("error").path("code").asInt()).isEqualTo(-32602);
        assertThat(response.path("error").path("message").asString()).contains(why);
    }

    @Test
    void a_call_goes_on_by_each_token_until_there_is_none() {
        try (var served = serve(ResumeTokensTest.pages())) {
            var client = served.stateless(KNOWS);
            var first = client.ask("tools/call", CALL);
            assertThat(texts(first)).first().isEqualTo("page 1");
            assertThat(first.path("result").path("resultType").asString()).isEqualTo("complete");
            var second = client.ask("tools/call", resume(token(first)));
            assertThat(texts(second)).containsExactly("page 2");
            var third = client.ask("tools/call", resume(token(second)));
            var last = client.ask("tools/call", resume(token(third)));
            assertThat(texts(last)).containsExactly("3 pages for Ada");
            assertThat(last.path("result").has("nextResumeToken")).isFalse();
            assertThat(tasks()).as("the work has run once").hasSize(1);
        }
    }

    @Test
    void another_process_behind_the_balancer_goes_on() {
        try (var served = serve(ResumeTokensTest.pages())) {
            String token = token(served.stateless(KNOWS).ask("tools/call", CALL));
            served.restart();
            assertThat(texts(served.stateless("{}").ask("tools/call", resume(token))))
                    .containsExactly("page 2");
        }
    }

    @Test
    void a_token_in_meta_is_answered_with_one_in_meta() {
        try (var served = serve(ResumeTokensTest.pages())) {
            var client = served.stateless("{}");
            var first = token(served.stateless(KNOWS).ask("tools/call", CALL));
            var second = client.ask("tools/call", Served.and(CALL, "\"_meta\":{\"resumeToken\":\"" + first + "\"}"));
            assertThat(texts(second)).containsExactly("page 2");
            assertThat(second.at("/result/_meta/nextResumeToken").isString()).isTrue();
        }
    }

    @Test
    void a_token_that_is_none_or_of_another_caller_is_refused_and_no_work_runs() {
        try (var served = serve(ResumeTokensTest.pages())) {
            var token = token(served.stateless(KNOWS).ask("tools/call", CALL));
            for (var client :
                    List.of(served.stateless(KNOWS), served.stateless("{}"), served.stateless(Served.TASKS))) {
                assertRefused(client.ask("tools/call", resume("adef50")), "resumeToken is not one that");
                assertRefused(
                        client.ask("tools/call", Served.and(CALL, "\"resumeToken\":7")),
                        "params.resumeToken must be a string");
            }
            var bob = served.stateless(KNOWS, Served.BOB);
            assertRefused(bob.ask("tools/call", resume(token)), "resumeToken is not one that");
            assertThat(tasks()).hasSize(1);
        }
    }

    @Test
    void a_client_that_takes_tasks_gets_a_task_but_goes_on_where_it_brings_a_token() {
        try (var served = serve(ResumeTokensTest.pages())) {
            var both = served.stateless("{\"experimental\":{\"resumeTokens\":{}},"
                    + "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}");
            assertThat(both.ask("tools/call", CALL)
                            .path("result")
                            .path("resultType")
                            .asString())
                    .isEqualTo("task");
            var token = token(served.stateless(KNOWS).ask("tools/call", CALL));
            assertThat(texts(both.ask("tools/call", resume(token)))).containsExactly("page 2");
        }
    }

    @Test
    void a_tool_can_answer_in_parts_whoever_does_not_take_tasks() {
        var always = Tool.define("pages").longRunning(LongRunning::resumeAlways).handler((none, task) -> {
            task.partial("page 1");
            return "all";
        });
        try (var served = serve(always)) {
            var call = Served.call("pages", "{}");
            var client = served.stateless("{}");
            var first = client.ask("tools/call", call);
            assertThat(texts(first)).first().isEqualTo("page 1");
            assertThat(texts(client.ask("tools/call", resume(call, token(first)))))
                    .containsExactly("all");
            assertThat(served.stateless(Served.TASKS)
                            .ask("tools/call", call)
                            .path("result")
                            .path("resultType")
                            .asString())
                    .isEqualTo("task");
        }
    }

    @Test
    void the_server_says_that_it_gives_resume_tokens() {
        try (var served = serve(ResumeTokensTest.pages())) {
            for (var client : List.of(served.stateless("{}"), served.stateless(Served.TASKS))) {
                assertThat(client.ask("server/discover", "{}")
                                .at("/result/capabilities/experimental/resumeTokens")
                                .isObject())
                        .isTrue();
            }
        }
        try (var quick = Served.with(Tools.greet())) {
            assertThat(quick.stateless("{}").ask("server/discover", "{}").at("/result/capabilities/experimental"))
                    .isEmpty();
        }
    }

    @Test
    void a_question_comes_instead_of_a_part_and_its_answer_with_the_same_call() {
        try (var served = serve(asksTwice())) {
            var client = served.stateless(KNOWS);
            var call = Served.call("asks", "{}");
            var asked = client.ask("tools/call", call).path("result");
            assertThat(asked.path("resultType").asString()).isEqualTo("input_required");
            var first = client.ask("tools/call", answered(call, asked, "Ada"));
            assertThat(texts(first)).first().isEqualTo("hello Ada");
            var resumed = resume(call, token(first));
            var again = client.ask("tools/call", resumed).path("result");
            assertThat(again.path("resultType").asString()).isEqualTo("input_required");
            var second = client.ask("tools/call", answered(resumed, again, "Eve"));
            assertThat(texts(second)).containsExactly("hello Eve");
            assertThat(texts(client.ask("tools/call", resume(call, token(second)))))
                    .containsExactly("both");
            assertThat(tasks()).as("the work has run once").hasSize(1);
        }
    }

    @Test
    void an_answer_that_is_carried_beside_the_token_of_another_call_is_refused() {
        try (var served = serve(asksTwice())) {
            var client = served.stateless(KNOWS);
            var call = Served.call("asks", "{}");
            var one = client.ask("tools/call", call).path("result");
            var other = client.ask("tools/call", call).path("result");
            var token = token(client.ask("tools/call", answered(call, one, "Ada")));
            assertRefused(
                    client.ask("tools/call", answered(resume(call, token), other, "Eve")),
                    "params.requestState is of another call than params.resumeToken");
        }
    }

    private static Tool asksTwice() {
        return Tool.define("asks").longRunning().handler((none, task) -> {
            for (String question : List.of("Who comes first?", "Who comes second?")) {
                task.partial("hello "
                        + task.elicit(question, Tools.Name.class).content().name());
            }
            return "both";
        });
    }

    /** The same call with the answer to its question. */
    private static String answered(String call, JsonNode asked, String name) {
        String key = asked.path("inputRequests").propertyNames().iterator().next();
        return Served.and(
                call,
                "\"requestState\":" + asked.path("requestState") + ",\"inputResponses\":{\"" + key
                        + "\":{\"action\":\"accept\",\"content\":{\"name\":\"" + name + "\"}}}");
    }

    @Test
    void closing_the_response_gives_up_work_that_the_client_has_no_token_for() throws Exception {
        try (var served = serve(Tools.waits(new CountDownLatch(1)))) {
            var reply = served.stateless(KNOWS).send("tools/call", Served.call("waits", "{}"));
            time.awaitAlarmIn(Duration.ofSeconds(3));
            reply.leave();
            var watcher = served.handshake("2025-11-25");
            var task = watcher.ask("tasks/list", "{}").at("/result/tasks/0/taskId");
            var end = watcher.ask("tasks/result", "{\"taskId\":" + task + "}");
            assertThat(end.at("/error/message").asString()).isEqualTo("Task was cancelled");
        }
    }

    @Test
    void closing_the_response_of_a_call_with_a_key_stops_the_wait_alone() throws Exception {
        var gate = new CountDownLatch(1);
        try (var served = serve(Tools.waits(gate))) {
            var keyed = Served.and(Served.call("waits", "{}"), "\"_meta\":{\"io.longhaul/creation-key\":\"k\"}");
            var reply = served.stateless(KNOWS).send("tools/call", keyed);
            time.awaitAlarmIn(Duration.ofSeconds(3));
            reply.leave();
            gate.countDown();
            assertThat(texts(served.stateless(KNOWS).ask("tools/call", keyed))).containsExactly("done");
        }
    }

    @Test
    void closing_the_response_stops_the_wait_alone_where_the_client_has_a_token() throws Exception {
        var gate = new CountDownLatch(1);
        try (var served = serve(Tools.waits(gate))) {
            var client = served.stateless(KNOWS);
            var call = Served.call("waits", "{}");
            var begun = client.send("tools/call", call);
            time.advanceToAlarmIn(Duration.ofSeconds(3));
            var token = token(Served.json(begun.response()));
            var left = client.send("tools/call", resume(call, token));
            time.awaitAlarmIn(Duration.ofSeconds(10));
            left.leave();
            time.advance(Duration.ofSeconds(1));
            var stays = client.send("tools/call", resume(call, token));
            time.awaitAlarmIn(Duration.ofSeconds(10));
            gate.countDown();
            assertThat(texts(Served.json(stays.response()))).containsExactly("done");
        }
    }

    @Test
    void on_a_pipe_a_call_that_is_cancelled_while_it_waits_cancels_the_work() throws Exception {
        var gate = new CountDownLatch(1);
        try (var served = serve(Tools.waits(gate));
                var line = served.connect()) {
            var meta = "\"_meta\":{\"progressToken\":1,\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
                    + "\"io.modelcontextprotocol/clientCapabilities\":" + KNOWS + "}";
            line.send(Served.request(1, "tools/call", Served.and(Served.call("waits", "{}"), meta)));
            assertThat(line.next()).contains("half");
            line.send(Served.cancelled(1));
            line.send(Served.request(2, "server/discover", "{" + meta + "}"));
            assertThat(line.next()).contains("\"id\":2");
            var task = store.list(TaskFilter.of(new Owner(Principal.LOCAL.name())), null, 1)
                    .tasks()
                    .getFirst();
            assertThat(task.ending()).isNotNull();
            assertThat(task.ending().outcome()).isInstanceOf(Outcome.Cancelled.class);
        }
    }
}
