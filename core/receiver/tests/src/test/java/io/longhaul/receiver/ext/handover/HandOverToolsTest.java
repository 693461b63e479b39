// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryConnection;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.server.HandOverParts;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import io.longhaul.testkit.talk.Messages;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The companion tools with which a model goes on with a long call. */
class HandOverToolsTest extends HandOverParts {

    @AutoClose
    private final Served served = serve(work(), Tools.greet());

    private final Served.Handshake client = served.handshake("2025-06-18", PLAIN);

    private static List<String> names(JsonNode listed) {
        return StreamSupport.stream(listed.at("/result/tools").spliterator(), false)
                .map(tool -> tool.path("name").asString())
                .toList();
    }

    @Test
    void companion_tools_are_listed_where_a_long_tool_is_and_to_those_who_cannot_have_tasks() {
        var companions = List.of("work", "greet", "task_wait", "task_answer", "task_cancel", "task_list");
        assertThat(names(served.handshake("2025-06-18", PLAIN).ask("tools/list", "{}")))
                .isEqualTo(companions);
        assertThat(names(served.handshake("2025-11-25", PLAIN).ask("tools/list", "{}")))
                .isEqualTo(companions);
        assertThat(names(served.stateless(PLAIN).ask("tools/list", "{}"))).isEqualTo(companions);
        assertThat(names(served.stateless(Served.TASKS).ask("tools/list", "{}")))
                .containsExactly("work", "greet");
        var client = served.handshake("2025-11-25", PLAIN);
        client.ask("tools/call", Served.and(WORK, "\"task\":{}"));
        assertThat(names(client.ask("tools/list", "{}"))).containsExactly("work", "greet");
        try (var served = Served.with(Tools.greet())) {
            assertThat(names(served.handshake("2025-06-18", PLAIN).ask("tools/list", "{}")))
                    .containsExactly("greet");
        }
    }

    @Test
    void on_a_pipe_a_task_of_one_stateless_request_changes_neither_the_list_nor_the_call_of_another() throws Exception {
        try (var client = served.connect()) {
            var before = names(ask(client, 1, "tools/list", "{}", PLAIN));
            assertThat(before).contains("task_wait");
            assertThat(ask(client, 2, "tools/call", WORK, Served.TASKS).at("/result/resultType"))
                    .hasToString("\"task\"");
            assertThat(names(ask(client, 3, "tools/list", "{}", PLAIN))).isEqualTo(before);
            client.send(Served.request(4, "tools/call", Messages.alone(WORK, PLAIN)));
            time.advanceToAlarmIn(HOLD);
            assertThat(text(Served.json(client.next()).path("result"))).contains("task_wait");
        }
    }

    @Test
    void on_a_pipe_a_session_and_stateless_requests_do_not_change_the_lists_of_each_other() {
        try (var client = served.connect()) {
            client.send(Served.initialize("2025-11-25", PLAIN));
            client.next();
            var ofSession = names(ask(client, 1, "tools/list"));
            var stateless = names(ask(client, 2, "tools/list", "{}", PLAIN));
            ask(client, 3, "tools/call", WORK, Served.TASKS);
            assertThat(names(ask(client, 4, "tools/list"))).isEqualTo(ofSession);
            client.send(Served.request(5, "tools/call", Served.and(WORK, "\"task\":{}")));
            client.next();
            assertThat(names(ask(client, 6, "tools/list"))).isNotEqualTo(ofSession);
            assertThat(names(ask(client, 7, "tools/list", "{}", PLAIN))).isEqualTo(stateless);
        }
    }

    private static JsonNode ask(MemoryConnection client, int id, String method) {
        client.send(Served.request(id, method, "{}"));
        return Served.json(client.next());
    }

    private static JsonNode ask(MemoryConnection client, int id, String method, String params, String capabilities) {
        client.send(Served.request(id, method, Messages.alone(params, capabilities)));
        return Served.json(client.next());
    }

    @Test
    void a_host_that_is_known_to_ask_for_tasks_is_listed_none_whatever_bridge_it_comes_by() {
        try (var client = served.connect()) {
            var name = "Visual Studio Code - Insiders (via mcp-remote 0.1.29)";
            client.send(Served.initialize("2025-11-25", PLAIN).replace("\"name\":\"t\"", "\"name\":\"" + name + "\""));
            client.next();
            client.send(Served.request(1, "tools/list", "{}"));
            assertThat(names(Served.json(client.next()))).containsExactly("work", "greet");
        }
    }

    @Test
    void one_tool_stands_for_the_four_where_the_deployer_wants_that() throws Exception {
        var hosts = PlainHosts.DEFAULT.companions(Companions.ONE, "job_");
        try (var served = Served.with(server -> server.tool(work()).time(time).plainHosts(hosts))) {
            var client = served.handshake("2025-06-18", PLAIN);
            assertThat(names(client.ask("tools/list", "{}"))).containsExactly("work", "job");
            var first = after(HOLD, client.send("tools/call", WORK));
            assertThat(text(first)).contains("job with {\"action\":\"wait\",\"task\":");
            mayEnd.release();
            var wait = Served.call("job", "{\"action\":\"wait\",\"task\":\"" + named(first) + "\"}");
            assertThat(text(client.ask("tools/call", wait).path("result"))).isEqualTo("done for Ada");
        }
    }

    @Test
    void a_deployer_can_do_without_companions_and_calls_are_held_to_their_end() throws Exception {
        var hosts = PlainHosts.WAITING;
        try (var served = Served.with(server -> server.tool(work()).time(time).plainHosts(hosts))) {
            var client = served.handshake("2025-06-18", PLAIN);
            assertThat(names(client.ask("tools/list", "{}"))).containsExactly("work");
            var reply = client.send("tools/call", WORK);
            assertThat(Served.json(client.ask("ping", "{}").toString()).has("result"))
                    .isTrue();
            time.advance(Duration.ofHours(2));
            mayEnd.release();
            assertThat(text(result(reply))).isEqualTo("done for Ada");
        }
    }

    @Test
    void a_question_that_the_host_cannot_show_is_told_at_once_and_answered_by_the_model() {
        try (var served = serve(Tools.asks())) {
            var client = served.handshake("2025-06-18", PLAIN);
            var asked = client.ask("tools/call", Served.call("asks", "{}")).path("result");
            assertThat(text(asked))
                    .startsWith("asks is not done yet: it asks your user.\n\nQuestion: Who?\n- name (required): {")
                    .contains("call task_answer with {\"task\":");
            String task = named(asked);
            var wrong = answer(client, task, "{\"name\":7}");
            assertThat(wrong.path("isError").asBoolean()).isTrue();
            assertThat(text(wrong)).startsWith("This is no answer to the question: content: ");
            assertThat(text(answer(client, task, "{\"name\":\"Ada\"}"))).startsWith("The task has the answer");
            assertThat(text(result(go(client, "task_wait", task)))).isEqualTo("It is Ada");
            assertThat(text(answer(client, task, "{\"name\":\"Eve\"}"))).startsWith("The task asks nothing now.");
        }
    }

    @Test
    void consent_needs_a_reply_of_the_model_in_so_many_words() {
        var tool = Tool.define("publishes").longRunning().handler((none, task) -> {
            task.approve("Publish?");
            return "published";
        });
        try (var served = serve(tool)) {
            var client = served.handshake("2025-06-18", PLAIN);
            var asked = client.ask("tools/call", Served.call("publishes", "{}")).path("result");
            assertThat(text(asked))
                    .contains("Question: Publish?\n")
                    .contains("and \"reply\":\"accept\" if your user approves, \"reply\":\"decline\" if")
                    .doesNotContain("content");
            String task = named(asked);
            for (var silent : List.of("{\"task\":\"" + task + "\"}", "{\"task\":\"" + task + "\",\"content\":{}}")) {
                var open = client.ask("tools/call", Served.call("task_answer", silent))
                        .path("result");
                assertThat(open.path("isError").asBoolean()).isTrue();
                assertThat(text(open)).contains("pass \"reply\":\"accept\" or \"reply\":\"decline\"");
            }
            var no = "{\"task\":\"" + task + "\",\"reply\":\"decline\"}";
            client.ask("tools/call", Served.call("task_answer", no));
            var declined = result(go(client, "task_wait", task));
            assertThat(text(declined)).contains("\"Publish?\" was declined");
            assertThat(declined.at("/_meta/io.longhaul~1declined").booleanValue())
                    .isTrue();
            String again = named(
                    client.ask("tools/call", Served.call("publishes", "{}")).path("result"));
            client.ask("tools/call", Served.call("task_answer", "{\"task\":\"" + again + "\",\"reply\":\"accept\"}"));
            assertThat(text(result(go(client, "task_wait", again)))).isEqualTo("published");
        }
    }

    private static JsonNode answer(Served.Handshake client, String task, String content) {
        var arguments = "{\"task\":\"" + task + "\",\"content\":" + content + "}";
        return client.ask("tools/call", Served.call("task_answer", arguments)).path("result");
    }

    @Test
    void a_question_goes_to_a_person_where_the_host_can_show_it() {
        try (var served = serve(Tools.asks())) {
            var client = served.handshake("2025-06-18", "{\"elicitation\":{}}");
            var reply = client.send("tools/call", Served.call("asks", "{}"));
            client.answer(Served.question(reply), "{\"action\":\"accept\",\"content\":" + Tools.NAME + "}");
            assertThat(text(result(reply))).isEqualTo("It is Ada");
        }
    }

    @Test
    void a_task_is_cancelled_by_a_tool_and_has_no_result_then() throws Exception {
        String task = named(after(HOLD, client.send("tools/call", WORK)));
        var waiting = go(client, "task_wait", task);
        time.awaitAlarmIn(HOLD);
        assertThat(text(result(go(client, "task_cancel", task)))).isEqualTo("work is cancelled.");
        assertThat(text(result(waiting))).isEqualTo("The task was cancelled: there is no result.");
        var waited = result(go(client, "task_wait", task));
        assertThat(waited.path("isError").asBoolean()).isTrue();
        assertThat(text(waited)).isEqualTo("The task was cancelled: there is no result.");
        assertThat(text(result(go(client, "task_cancel", task)))).startsWith("work had ended before");
    }

    @Test
    void a_wrong_id_is_told_with_the_way_to_the_right_one() {
        var client = served.handshake("2025-11-25", PLAIN);
        var wrong = result(go(client, "task_wait", "nothing"));
        assertThat(wrong.path("isError").asBoolean()).isTrue();
        assertThat(text(wrong)).contains("There is no task nothing").contains("task_list");
        var none = client.ask("tools/call", Served.call("task_wait", "{}")).path("result");
        assertThat(none.path("isError").asBoolean()).isTrue();
        assertThat(text(none)).contains("task");
    }

    @Test
    void a_new_conversation_finds_what_runs_and_what_was_never_received() throws Exception {
        var first = served.handshake("2025-06-18", PLAIN);
        String task = named(afterHalfWay(first));
        var second = served.handshake("2025-06-18", PLAIN);
        assertThat(list(second)).contains(task + ": work, called 08:00 UTC, running (50%: half)");
        mayEnd.release();
        while (!list(second).contains(task + ": work, called 08:00 UTC, has a result")) {
            Thread.onSpinWait();
        }
        assertThat(text(result(go(second, "task_wait", task)))).isEqualTo("done for Ada");
        assertThat(list(first)).isEqualTo("No task is running, and every result was received.");
        assertThat(list(served.handshake("2025-06-18", Served.BOB))).doesNotContain(task);
    }

    @Test
    void anonymous_callers_neither_join_nor_see_the_calls_of_each_other() throws Exception {
        var one = served.handshake("2025-06-18", Principal.ANONYMOUS);
        String task = named(afterHalfWay(one));
        assertThat(list(one)).contains(task);
        assertThat(named(after(HOLD, one.send("tools/call", WORK)))).isEqualTo(task);
        assertThat(runs).hasValue(1);
        var other = served.handshake("2025-06-18", Principal.ANONYMOUS);
        assertThat(list(other)).doesNotContain(task);
        afterHalfWay(other);
        assertThat(runs).hasValue(2);
        var alone = served.stateless(PLAIN, Principal.ANONYMOUS);
        assertThat(text(alone.ask("tools/call", Served.call("task_list", "{}")).path("result")))
                .contains("cannot tell you from other callers");
        // No other alarm is ever due in this time: a sweep of the engine can be due in HOLD.
        var some = Duration.ofSeconds(7);
        var waited = alone.send("tools/call", Served.call("task_wait", "{\"task\":\"" + task + "\",\"seconds\":7}"));
        assertThat(named(after(some, waited))).isEqualTo(task);
    }

    @Test
    void a_model_that_waits_for_some_seconds_is_answered_after_them() throws Exception {
        String task = named(after(HOLD, client.send("tools/call", WORK)));
        var some = Served.call("task_wait", "{\"task\":\"" + task + "\",\"seconds\":5}");
        assertThat(named(after(Duration.ofSeconds(5), client.send("tools/call", some))))
                .isEqualTo(task);
    }

    @Test
    void a_call_that_has_waited_leaves_its_place_to_another_one() throws Exception {
        String task = named(after(HOLD, client.send("tools/call", WORK)));
        mayEnd.release();
        for (int wait = 0; wait <= 100; wait++) {
            assertThat(text(result(go(client, "task_wait", task)))).isEqualTo("done for Ada");
        }
    }
}
