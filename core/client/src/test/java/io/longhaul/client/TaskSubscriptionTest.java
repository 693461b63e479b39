// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.answeringAda;
import static io.longhaul.client.Scripts.created;
import static io.longhaul.client.Scripts.report;
import static io.longhaul.client.Scripts.script;
import static io.longhaul.client.Scripts.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks of 2026-07-28 whose changes the server tells. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class TaskSubscriptionTest {

    private static final String HELLO = STATELESS.substring(STATELESS.indexOf("-> server/discover"));
    private static final String STILL_WORKING = "->* tasks/get\n<- " + task("working", "");
    private static final String LISTEN = """
            -> subscriptions/listen {"notifications":{"taskIds":["t1"]},\
            "_meta":{"io.modelcontextprotocol/clientCapabilities":\
            {"extensions":{"io.modelcontextprotocol/tasks":{}}}}}
            -h Mcp-Method: subscriptions/listen
            """;
    private static final String DONE = ",\"result\":{\"content\":[],\"isError\":false}";

    /** In which the pauses of a client that is told of changes do not end. */
    private final TestTime time = new TestTime(Duration.ofSeconds(30));

    private static String calls(String more) {
        return HELLO + TOOLS + "-> tools/call\n<- " + created() + "\n" + more;
    }

    private static String acknowledged(String tasks) {
        return "<~ {\"method\":\"notifications/subscriptions/acknowledged\","
                + "\"params\":{\"notifications\":{\"taskIds\":[" + tasks + "]}}}";
    }

    private static String told(String task) {
        return "<~ {\"method\":\"notifications/tasks\",\"params\":" + task + "}";
    }

    @Test
    void an_end_that_the_server_tells_is_taken_at_once() throws Exception {
        var script = script(calls(LISTEN), acknowledged("\"t1\""), told(task("completed", DONE)), "<.", STILL_WORKING);
        assertThat(report(Scripts.over(script, time))).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void looks_are_seldom_while_the_server_tells_of_each_change() throws Exception {
        var script = script(
                calls(LISTEN),
                acknowledged("\"t1\""),
                ".. {\"go\":true}",
                told(task("completed", DONE)),
                "<.",
                STILL_WORKING);
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            time.await(pauses -> !pauses.isEmpty() && pauses.getLast().compareTo(Duration.ofSeconds(30)) >= 0);
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    @Test
    void a_task_that_the_server_does_not_acknowledge_is_looked_at_as_before() throws Exception {
        var script = script(
                calls(LISTEN),
                acknowledged(""),
                "<.",
                ("-> tasks/get\n<- " + task("working", "") + "\n").repeat(20),
                "-> tasks/get\n<- " + task("completed", DONE));
        assertThat(report(Scripts.over(script, time))).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(time.pauses()).allMatch(pause -> pause.toSeconds() == 0);
    }

    @Test
    void a_question_that_the_server_tells_is_answered_at_once() throws Exception {
        var question = ",\"inputRequests\":{\"name\":{\"method\":\"elicitation/create\","
                + "\"params\":{\"mode\":\"form\",\"message\":\"Who?\",\"requestedSchema\":{}}}}";
        var asked = new AtomicInteger();
        var answers = answeringAda(asked);
        var script = script(
                calls(LISTEN),
                acknowledged("\"t1\""),
                told(task("input_required", question)),
                ".. {\"method\":\"tasks/update\"}",
                told(task("completed", DONE)),
                "<.",
                "-> tasks/update\n<- {\"resultType\":\"complete\"}",
                STILL_WORKING);
        assertThat(report(Scripts.over(script, time).answers(answers))).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(asked).hasValue(1);
    }

    @Test
    void a_subscription_that_breaks_or_that_the_server_ends_is_opened_again() throws Exception {
        var script = script(
                calls(LISTEN),
                acknowledged("\"t1\""),
                "<x",
                LISTEN,
                "<- {\"resultType\":\"complete\"}",
                LISTEN,
                acknowledged("\"t1\""),
                told(task("completed", DONE)),
                "<.",
                STILL_WORKING);
        assertThat(report(Scripts.over(script, time))).isInstanceOf(CallOutcome.ToolResult.class);
    }

    /** Polls are too rare then to tell it. */
    @Test
    void who_follows_a_call_is_told_at_once_that_a_subscription_broke() throws Exception {
        var script = script(
                calls(LISTEN),
                acknowledged("\"t1\""),
                ".. {\"method\":\"tasks/get\"}",
                ".. {\"go\":true}",
                "<x",
                LISTEN,
                acknowledged("\"t1\""),
                ".. {\"go\":true}",
                told(task("completed", DONE)),
                "<.",
                STILL_WORKING);
        var broken = new CountDownLatch(1);
        try (var client = Scripts.over(script, seldom).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            call.onUpdate(update -> {
                if (update instanceof CallUpdate.Trouble) {
                    broken.countDown();
                }
            });
            script.go();
            broken.await();
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    /** Polls never come in this time: only looks that follow a subscription do. */
    private final TestTime seldom = new TestTime(Duration.ofMillis(700));

    @Test
    void a_look_follows_the_first_subscription() throws Exception {
        var script = script(calls(LISTEN), acknowledged("\"t1\""), "<.", "-> tasks/get\n<- " + task("completed", DONE));
        assertThat(report(Scripts.over(script, seldom))).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<x", "<- {\"resultType\":\"complete\"}"})
    void an_end_between_two_subscriptions_is_seen_by_the_look_that_follows_the_second(String end) throws Exception {
        var script = script(
                calls(LISTEN),
                acknowledged("\"t1\""),
                ".. {\"method\":\"tasks/get\"}",
                end,
                LISTEN,
                acknowledged("\"t1\""),
                "<.",
                "-> tasks/get\n<- " + task("working", ""),
                "-> tasks/get\n<- " + task("completed", DONE));
        assertThat(report(Scripts.over(script, seldom))).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void a_server_that_acknowledges_a_subscription_again_and_again_is_looked_at_once() throws Exception {
        var script = script(
                calls(LISTEN),
                (acknowledged("\"t1\"") + "\n").repeat(20),
                ".. {\"method\":\"tasks/get\"}",
                (acknowledged("\"t1\"") + "\n").repeat(20),
                told(task("completed", DONE)),
                "<.",
                "-> tasks/get\n<- " + task("working", ""));
        assertThat(report(Scripts.over(script, seldom))).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void over_a_pipe_the_subscription_is_opened_again_when_the_server_was_started_again() throws Exception {
        var script = script(
                calls("->* notifications/cancelled"),
                LISTEN,
                acknowledged("\"t1\""),
                "<x",
                HELLO + LISTEN,
                acknowledged("\"t1\""),
                told(task("completed", DONE)),
                STILL_WORKING);
        assertThat(report(Scripts.overStdio(script, time).over(() -> new ScriptedServer(script, true))))
                .isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void over_a_pipe_the_subscription_is_cancelled_when_the_task_has_ended() throws Exception {
        var script = script(
                calls("->* notifications/cancelled"),
                LISTEN,
                acknowledged("\"t1\""),
                told(task("completed", DONE)),
                STILL_WORKING);
        try (var client = Scripts.overStdio(script, time).connect()) {
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ToolResult.class);
            script.await(JsonTree.read(Json.raw("{\"method\":\"notifications/cancelled\"}")));
        }
        var listen = script.received().stream()
                .filter(message -> message.path("method").asString("").equals("subscriptions/listen"))
                .findFirst()
                .orElseThrow()
                .path("id");
        assertThat(script.count("{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" + listen + "}}"))
                .isEqualTo(1);
    }

    @Test
    void four_tasks_are_heard_of_at_once_and_the_others_looked_at() throws Exception {
        var made = new StringBuilder(HELLO + TOOLS);
        for (var id = 1; id <= 5; id++) {
            made.append("-> tools/call\n<- ")
                    .append(created().replace("t1", "t" + id))
                    .append('\n');
        }
        for (var id = 1; id <= 4; id++) {
            made.append("-> subscriptions/listen\n")
                    .append(acknowledged("\"t" + id + "\""))
                    .append("\n<.\n");
        }
        var script = script(made.toString(), """
                ->* tasks/get {"taskId":"t5"}
                <- %s
                ->* tasks/get
                <- %s
                """.formatted(task("completed", DONE), task("working", "")));
        try (var client = Scripts.over(script, time).connect()) {
            client.tools();
            for (var id = 1; id <= 4; id++) {
                client.call("report", NO_ARGUMENTS).reference();
                script.await(JsonTree.read(Json.raw("{\"method\":\"subscriptions/listen\",\"params\":"
                        + "{\"notifications\":{\"taskIds\":[\"t" + id + "\"]}}}")));
            }
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
        assertThat(script.count("{\"method\":\"subscriptions/listen\"}")).isEqualTo(4);
    }
}
