// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.RequestKind;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.server.HandOverParts;
import io.longhaul.server.Resource;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long calls are held open in hosts that know no tasks, and what they are answered. */
class HandOverTest extends HandOverParts {

    @AutoClose
    private final Served served = serve(work());

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void a_long_call_is_answered_before_the_host_gives_up_and_task_wait_gives_its_result(String version)
            throws Exception {
        var client = served.handshake(version, PLAIN);
        var first = afterHalfWay(client);
        assertThat(first.path("isError").asBoolean()).isFalse();
        assertThat(text(first))
                .startsWith("work is still running, and nothing is lost (50%: half).")
                .contains("call task_wait with {\"task\":");
        var again = after(HOLD, go(client, "task_wait", named(first)));
        assertThat(named(again)).isEqualTo(named(first));
        var last = go(client, "task_wait", named(first));
        mayEnd.release();
        assertThat(text(result(last))).isEqualTo("done for Ada");
        assertThat(runs).hasValue(1);
    }

    @Test
    void the_answer_has_the_last_log_lines_without_details_that_are_for_developers() throws Exception {
        var logs = Tool.define("work").input(Tools.Name.class).longRunning().handler((who, task) -> {
            task.log("debug", "job outside-7");
            task.log("info", "the first line");
            task.progress(1, 2, "half");
            mayEnd.acquire();
            return "done";
        });
        try (var served = serve(logs)) {
            var call = Served.and(WORK, "\"_meta\":{\"progressToken\":1}");
            var reply = served.handshake("2025-06-18", PLAIN).send("tools/call", call);
            reply.nextContaining("half");
            time.awaitAlarmIn(HEARTBEAT);
            time.advance(HOLD);
            assertThat(text(result(reply)))
                    .contains("Its last output:\nthe first line\n")
                    .doesNotContain("outside-7");
            mayEnd.release();
        }
    }

    @Test
    void a_stateless_client_without_the_extension_is_such_a_host() throws Exception {
        var client = served.stateless(PLAIN);
        var first = after(HOLD, client.send("tools/call", WORK));
        assertThat(first.path("isError").asBoolean()).isFalse();
        assertThat(text(first)).startsWith("work is still running, and nothing is lost");
        var last = client.send("tools/call", Served.call("task_wait", "{\"task\":\"" + named(first) + "\"}"));
        mayEnd.release();
        assertThat(text(result(last))).isEqualTo("done for Ada");
    }

    @Test
    void work_that_ends_in_time_is_answered_as_ever() {
        mayEnd.release();
        assertThat(text(served.handshake("2025-06-18", PLAIN)
                        .ask("tools/call", WORK)
                        .path("result")))
                .isEqualTo("done for Ada");
    }

    @Test
    void a_call_that_its_client_names_is_held_to_the_end_unless_the_deployer_knows_its_host() throws Exception {
        String named = Served.and(WORK, "\"_meta\":{\"io.longhaul/creation-key\":\"k\",\"progressToken\":1}");
        var held = served.handshake("2025-06-18", PLAIN).send("tools/call", named);
        assertThat(held.nextMessage()).contains("half");
        time.awaitAlarmIn(HEARTBEAT);
        time.advance(HOLD);
        assertThat(held.nextMessage()).contains("notifications/progress");
        mayEnd.release();
        assertThat(text(result(held))).isEqualTo("done for Ada");
        var hosts = PlainHosts.DEFAULT.with("t", PlainHosts.Host.holding(HOLD));
        served.restart(server -> server.tool(work()).time(time).plainHosts(hosts));
        var told = served.handshake("2025-06-18", PLAIN).send("tools/call", named.replace("\"k\"", "\"l\""));
        assertThat(told.nextMessage()).contains("half");
        time.awaitAlarmIn(HEARTBEAT);
        time.advance(HOLD);
        named(result(told));
    }

    @Test
    void a_call_with_a_progress_token_hears_of_progress_that_rises_where_the_work_tells_none() throws Exception {
        var reply = served.handshake("2025-06-18", PLAIN)
                .send("tools/call", Served.and(WORK, "\"_meta\":{\"progressToken\":\"p\"}"));
        var told = Served.json(reply.nextMessage()).path("params");
        assertThat(told.path("progress").asDouble()).isEqualTo(1);
        time.advanceToAlarmIn(HEARTBEAT);
        var beat = Served.json(reply.nextMessage()).path("params");
        assertThat(beat.path("progress").asDouble()).isGreaterThan(1).isLessThan(1.001);
        assertThat(beat.path("message").asString()).isEqualTo("half, 10 s");
        time.advanceToAlarmIn(HEARTBEAT);
        var next = Served.json(reply.nextMessage()).path("params");
        assertThat(next.path("progress").asDouble())
                .isGreaterThan(beat.path("progress").asDouble());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void the_first_sign_of_life_comes_in_a_third_of_the_time_that_the_host_waits(boolean waitsOn) throws Exception {
        var hosts = PlainHosts.DEFAULT.with("t", new PlainHosts.Host(Duration.ofSeconds(6), waitsOn));
        try (var served = Served.with(server -> server.tool(work()).time(time).plainHosts(hosts))) {
            var reply = served.handshake("2025-06-18", PLAIN)
                    .send("tools/call", Served.and(WORK, "\"_meta\":{\"progressToken\":\"p\"}"));
            assertThat(reply.nextMessage()).contains("half");
            time.advanceToAlarmIn(Duration.ofSeconds(2));
            assertThat(Served.json(reply.nextMessage()).at("/params/message").asString())
                    .isEqualTo("half, 2 s");
            mayEnd.release();
            assertThat(text(result(reply))).isEqualTo("done for Ada");
        }
    }

    @Test
    void a_call_that_has_not_begun_is_not_said_to_run() throws Exception {
        try (var served = serve(work(options -> options.concurrency(1)))) {
            var client = served.handshake("2025-06-18", PLAIN);
            afterHalfWay(client);
            var bob = Served.call("work", "{\"name\":\"Bob\"}");
            var waiting = after(HOLD, client.send("tools/call", bob));
            assertThat(text(waiting)).startsWith("work waits for its turn, and nothing is lost.");
            assertThat(list(client)).contains(named(waiting) + ": work, called 08:00 UTC, waits for its turn");
            mayEnd.release(2);
        }
    }

    @Test
    void a_host_that_waits_on_with_progress_is_held_to_the_end() throws Exception {
        var hosts = PlainHosts.DEFAULT.with("t", new PlainHosts.Host(null, true));
        try (var served = Served.with(server -> server.tool(work()).time(time).plainHosts(hosts))) {
            var client = served.handshake("2025-06-18", PLAIN);
            var reply = client.send("tools/call", Served.and(WORK, "\"_meta\":{\"progressToken\":\"p\"}"));
            time.awaitAlarmIn(HEARTBEAT);
            time.advance(Duration.ofMinutes(10));
            mayEnd.release();
            assertThat(text(result(reply))).isEqualTo("done for Ada");
        }
    }

    @Test
    void a_client_that_has_asked_for_a_task_of_any_kind_is_held_to_the_end() {
        var memo = Resource.define("memo://it").handler((request, call) -> "read");
        try (var served = Served.with(
                server -> server.tool(work()).time(time).resource(memo).tasksOf(RequestKind.RESOURCE_READ))) {
            var client = served.handshake("2025-06-18", PLAIN);
            var task = "\"_meta\":{\"modelcontextprotocol.io/task\":{\"taskId\":\"mine\"}}";
            client.send("resources/read", "{\"uri\":\"memo://it\"," + task + "}")
                    .response();
            var reply = halfWay(client);
            time.advance(HOLD);
            mayEnd.release();
            assertThat(text(result(reply))).isEqualTo("done for Ada");
        }
    }

    @Test
    void an_output_schema_allows_the_answer_that_names_the_task() throws Exception {
        var gate = new CountDownLatch(1);
        var tool = Tool.define("report")
                .description("Reports")
                .output(Tools.Greeting.class)
                .longRunning()
                .handler((none, task) -> {
                    gate.await();
                    return new Tools.Greeting("hello");
                });
        try (var served = serve(tool)) {
            var client = served.handshake("2025-11-25", PLAIN);
            var schema = client.ask("tools/list", "{}").at("/result/tools/0/outputSchema");
            var check = io.longhaul.schema.SchemaCheck.ofArguments(schema.toString());
            var first = after(HOLD, client.send("tools/call", Served.call("report", "{}")));
            assertThat(check.problem(first.path("structuredContent"))).isEmpty();
            assertThat(first.at("/structuredContent/status").asString()).isEqualTo("working");
            gate.countDown();
            var last = result(go(client, "task_wait", named(first)));
            assertThat(check.problem(last.path("structuredContent"))).isEmpty();
            assertThat(last.at("/structuredContent/text").asString()).isEqualTo("hello");
            assertThat(check.problem(Served.json("{\"status\":\"neither\"}"))).isPresent();
        }
    }
}
