// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.control;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The extension {@code io.longhaul/tasks}, over sessions and without. */
@Timeout(60)
class TaskControlTest {

    private static final String LIST = "io.longhaul/tasks/list";
    private static final String GET = "io.longhaul/tasks/get";
    private static final String HISTORY = "io.longhaul/tasks/history";
    private static final String RETRY = "io.longhaul/tasks/retry";
    private static final String DELETE = "io.longhaul/tasks/delete";
    private static final String PURGE = "io.longhaul/tasks/purge";

    /** How many lines a tool logs. */
    record Lines(int lines) {}

    private final Semaphore steps = new Semaphore(0);
    private final AtomicInteger loads = new AtomicInteger();
    private final AtomicBoolean isFull = new AtomicBoolean(true);
    private final FakeTime time = new FakeTime();
    private final List<ServerEvent> told = new CopyOnWriteArrayList<>();

    @AutoClose
    private final Served served = Served.with(
            server -> server.time(time).observer(told::add),
            Tools.asks(),
            Tools.breaks(),
            Tools.walks(steps, (none, task) -> "walked"),
            Tool.define("loads").scopes("write").longRunning().handler((none, task) -> {
                var rows = task.step("load", String.class, () -> "rows of load " + loads.incrementAndGet());
                if (isFull.get()) {
                    throw new IllegalStateException("the disk is full");
                }
                return rows;
            }),
            Tool.define("refuses").longRunning().handler((none, task) -> {
                throw new ToolException("there are no rows");
            }),
            Tool.define("says").input(Tools.Name.class).longRunning().handler((who, task) -> {
                task.log("info", "before");
                task.partial("half of it");
                return "Hello, " + who.name();
            }),
            Tool.define("stays")
                    .longRunning(options -> options.keepFor(Duration.ofHours(1)))
                    .handler((none, task) -> {
                        new Semaphore(0).acquire();
                        return "never";
                    }),
            Tool.define("counts").input(Lines.class).longRunning().handler((count, task) -> {
                for (int i = 0; i < count.lines(); i++) {
                    task.log("info", "line " + i);
                }
                return "done";
            }));

    private final Served.Handshake session = served.handshake("2025-11-25");
    private final Served.Stateless alone = served.stateless(Served.TASKS);

    @Test
    void each_generation_announces_it_in_its_own_place() {
        assertThat(alone.ask("server/discover", "{}")
                        .at("/result/capabilities/extensions")
                        .path("io.longhaul/tasks")
                        .has("list"))
                .isTrue();
        for (var version : List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "next")) {
            var opened = Served.json(served.transport()
                    .post(Served.ALICE, Served.initialize(version, "{}"), Map.of())
                    .response());
            assertThat(opened.at("/result/capabilities/experimental/io.longhaul~1tasks")
                            .has("list"))
                    .as(version)
                    .isTrue();
        }
        try (var quick = Served.with(Tools.greet())) {
            assertThat(quick.stateless(Served.TASKS)
                            .ask("server/discover", "{}")
                            .at("/result/capabilities/extensions")
                            .has("io.longhaul/tasks"))
                    .as("without a long-running tool")
                    .isFalse();
        }
    }

    @Test
    void a_list_tells_the_tool_and_takes_filters_and_pages_in_every_generation() {
        var walking = session.task("walks");
        time.advance(Duration.ofMillis(1));
        ended("says", "{\"name\":\"Ada\"}");
        time.advance(Duration.ofMinutes(1));
        var late = session.task("walks");
        for (var version : List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "next")) {
            var client = served.handshake(version);
            assertThat(ids(client.ask(LIST, "{\"tool\":\"walks\"}")))
                    .as(version)
                    .containsExactly(late, walking);
        }
        assertThat(ids(alone.ask(LIST, "{\"tool\":\"walks\",\"states\":[\"working\"]}")))
                .containsExactly(late, walking);
        assertThat(ids(alone.ask(LIST, "{\"states\":[\"completed\",\"failed\"]}")))
                .hasSize(1);
        assertThat(ids(alone.ask(LIST, "{\"since\":\"" + time.now() + "\"}"))).containsExactly(late);
        var first = alone.ask(LIST, "{\"limit\":2}");
        assertThat(first.at("/result/tasks/1/tool").asString()).isEqualTo("says");
        assertThat(first.at("/result/tasks/1/outcome").asString()).isEqualTo("result");
        assertThat(first.at("/result/tasks/1/owner").asString()).isEqualTo("alice");
        var cursor = first.at("/result/nextCursor").asString();
        assertThat(ids(alone.ask(LIST, "{\"limit\":2,\"cursor\":\"" + cursor + "\"}")))
                .containsExactly(walking);
    }

    @Test
    void a_search_for_failed_tasks_finds_completed_ones_whose_tool_has_failed() {
        ended("says", "{\"name\":\"Ada\"}");
        var refused = session.task("refuses");
        session.await(refused, "failed");
        var found = alone.ask(LIST, "{\"states\":[\"failed\"]}");
        assertThat(ids(found)).containsExactly(refused);
        assertThat(found.at("/result/tasks/0/status").asString()).isEqualTo("completed");
        assertThat(ids(alone.ask(LIST, "{\"states\":[\"completed\"]}"))).contains(refused);
    }

    @Test
    void params_that_make_no_sense_are_refused_by_their_names() {
        assertThat(problem(alone.ask(LIST, "{\"states\":[\"done\"]}"))).contains("params.states", "completed");
        assertThat(problem(alone.ask(LIST, "{\"since\":\"yesterday\"}"))).contains("params.since");
        assertThat(problem(alone.ask(LIST, "{\"limit\":0}"))).contains("params.limit");
        assertThat(problem(alone.ask(LIST, "{\"cursor\":\"x\"}"))).contains("cursor");
        assertThat(problem(alone.ask(PURGE, "{\"olderThanMs\":-1}"))).contains("params.olderThanMs");
        assertThat(problem(alone.ask(HISTORY, "{\"taskId\":\"x\",\"types\":[\"lies\"]}")))
                .contains("params.types");
        assertThat(problem(alone.ask("io.longhaul/tasks/destroy", "{}"))).contains("Unknown method");
    }

    @Test
    void one_task_is_told_whole_with_its_arguments_questions_and_result() {
        var said = ended("says", "{\"name\":\"Ada\"}");
        var whole = alone.ask(GET, taskId(said)).path("result");
        assertThat(whole.at("/arguments/name").asString()).isEqualTo("Ada");
        assertThat(whole.at("/result/content/0/text").asString()).isEqualTo("Hello, Ada");
        assertThat(whole.path("log").asString()).isEqualTo("longhaul://tasks/" + said + "/log");
        assertThat(whole.path("output").asString()).isEqualTo("longhaul://tasks/" + said + "/output");
        assertThat(whole.path("resultType").asString()).isEqualTo("complete");
        var asks = session.task("asks");
        session.await(asks, "input_required");
        assertThat(session.ask(GET, taskId(asks)).at("/result/inputRequests").findValuesAsString("message"))
                .containsExactly("Who?");
        assertThat(session.ask(GET, taskId(asks)).at("/result/questions").asInt())
                .isEqualTo(1);
    }

    @Test
    void a_history_is_read_by_number_and_type() {
        var said = ended("says", "{\"name\":\"Ada\"}");
        var all = alone.ask(HISTORY, taskId(said)).path("result");
        assertThat(types(all)).containsExactly("created", "started", "log", "output", "ended");
        assertThat(all.path("more").asBoolean()).isFalse();
        assertThat(all.path("status").asString()).isEqualTo("completed");
        var logs = alone.ask(HISTORY, Served.and(taskId(said), "\"types\":[\"log\",\"output\"],\"limit\":1"));
        assertThat(logs.at("/result/events/0/data").asString()).isEqualTo("before");
        assertThat(logs.at("/result/more").asBoolean()).isTrue();
        var last = logs.at("/result/last").asInt();
        var rest = alone.ask(HISTORY, Served.and(taskId(said), "\"types\":[\"output\"],\"after\":" + last));
        assertThat(rest.at("/result/events/0/data").asString()).isEqualTo("half of it");
        assertThat(told)
                .filteredOn(ServerEvent.ResultRead.class::isInstance)
                .filteredOn(read -> read.caller().generation().startsWith("longhaul-tasks"))
                .hasSize(3);
    }

    @Test
    void a_history_that_is_waited_for_is_answered_by_the_next_event_or_when_the_time_is_over() throws Exception {
        var walking = session.task("walks");
        session.await(walking, "working");
        var known = alone.ask(HISTORY, taskId(walking)).at("/result/last").asInt();
        var wish = Served.and(taskId(walking), "\"waitMs\":5000,\"types\":[\"output\"],\"after\":" + known);
        var waiting = alone.send(HISTORY, wish);
        steps.release(1);
        var any = Served.json(waiting.response()).path("result");
        assertThat(types(any)).isEmpty();
        assertThat(any.path("last").asInt()).isEqualTo(known + 1);
        steps.release(2);
        session.await(walking, "completed");
        var end = alone.ask(HISTORY, taskId(walking)).at("/result/last").asInt();
        assertThat(types(alone.ask(HISTORY, wish.replace("\"after\":" + known, "\"after\":" + end))
                        .path("result")))
                .as("at once")
                .isEmpty();
        var asking = session.task("asks");
        session.await(asking, "input_required");
        var last = alone.ask(HISTORY, taskId(asking)).at("/result/last").asInt();
        var silent = alone.send(HISTORY, Served.and(taskId(asking), "\"waitMs\":60000,\"after\":" + last));
        time.advanceToAlarmIn(Duration.ofSeconds(20));
        assertThat(types(Served.json(silent.response()).path("result"))).isEmpty();
    }

    @Test
    void an_answer_looks_at_2000_events_and_has_1000_of_them_at_most() {
        var exactly = ended("counts", "{\"lines\":1997}");
        assertThat(alone.ask(HISTORY, Served.and(taskId(exactly), "\"types\":[\"output\"]"))
                        .at("/result/more")
                        .asBoolean())
                .isFalse();
        var task = ended("counts", "{\"lines\":1998}");
        var looked = alone.ask(HISTORY, Served.and(taskId(task), "\"types\":[\"output\"]"))
                .path("result");
        assertThat(looked.path("last").asInt()).isEqualTo(2_000);
        assertThat(looked.path("more").asBoolean()).isTrue();
        for (int limit : new int[] {999, 1_000, 1_001}) {
            var told = alone.ask(HISTORY, Served.and(taskId(task), "\"limit\":" + limit));
            assertThat(types(told.path("result"))).hasSize(Math.min(1_000, limit));
        }
        assertThat(types(alone.ask(HISTORY, taskId(task)).path("result"))).hasSize(200);
    }

    @Test
    void a_page_has_200_tasks_at_most_and_a_purge_looks_at_500() {
        for (int i = 0; i <= 500; i++) {
            ended("says", "{\"name\":\"Ada\"}");
        }
        for (int limit : new int[] {199, 200, 201}) {
            assertThat(ids(alone.ask(LIST, "{\"limit\":" + limit + "}"))).hasSize(Math.min(200, limit));
        }
        assertThat(ids(alone.ask(LIST, "{}"))).hasSize(50);
        time.advance(Duration.ofMillis(1));
        var first = alone.ask(PURGE, "{}").path("result");
        assertThat(first.path("deleted").asInt()).isEqualTo(500);
        var next = first.path("nextCursor").asString();
        var second = alone.ask(PURGE, "{\"cursor\":\"" + next + "\"}").path("result");
        assertThat(second.path("deleted").asInt()).isEqualTo(1);
        assertThat(second.has("nextCursor")).isFalse();
    }

    @Test
    void a_task_that_has_ended_is_called_again_and_a_live_one_is_not() {
        var walking = session.task("walks");
        assertThat(problem(session.ask(RETRY, taskId(walking)))).contains("not ended");
        var said = ended("says", "{\"name\":\"Ada\"}");
        var again = alone.ask(RETRY, taskId(said)).at("/result/taskId").asString();
        assertThat(again).isNotEqualTo(said);
        session.await(again, "completed");
        assertThat(told)
                .filteredOn(ServerEvent.TaskCreated.class::isInstance)
                .map(created -> ((ServerEvent.TaskCreated) created).task())
                .contains(again);
        assertThat(alone.ask(GET, taskId(again))
                        .at("/result/result/content/0/text")
                        .asString())
                .isEqualTo("Hello, Ada");
        served.server().removeTool("says");
        assertThat(problem(alone.ask(RETRY, taskId(said)))).contains("Unknown tool: says");
        var failed = session.task("loads");
        session.await(failed, "failed");
        assertThat(session.with(MemoryTransport.SCOPES, "")
                        .send(RETRY, taskId(failed))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_task_that_has_recorded_steps_is_gone_on_with_and_no_other() {
        var failed = session.task("loads");
        session.await(failed, "failed");
        isFull.set(false);
        var resume = "{\"taskId\":\"" + failed + "\",\"resume\":true}";
        var resumed = alone.ask(RETRY, resume).at("/result/taskId").asString();
        session.await(resumed, "completed");
        assertThat(text(resumed)).isEqualTo("rows of load 1");
        var again = alone.ask(RETRY, taskId(failed)).at("/result/taskId").asString();
        session.await(again, "completed");
        assertThat(text(again)).isEqualTo("rows of load 2");
        var said = ended("says", "{\"name\":\"Ada\"}");
        assertThat(problem(alone.ask(RETRY, "{\"taskId\":\"" + said + "\",\"resume\":true}")))
                .contains("has recorded no step");
    }

    @Test
    void a_task_that_asks_is_called_again_by_a_caller_that_cannot_be_asked_now_and_waits_for_an_answer() {
        var asks = session.task("asks");
        session.ask("tasks/cancel", taskId(asks));
        session.await(asks, "cancelled");
        var again = alone.ask(RETRY, taskId(asks)).at("/result/taskId").asString();
        session.await(again, "input_required");
    }

    private String text(String task) {
        return alone.ask(GET, taskId(task)).at("/result/result/content/0/text").asString();
    }

    @Test
    void tasks_are_deleted_one_by_one_and_purged_by_filter_and_age() {
        var one = ended("says", "{\"name\":\"Ada\"}");
        assertThat(session.ask(DELETE, taskId(one)).path("result")).isEmpty();
        assertThat(session.ask(GET, taskId(one)).has("error")).isTrue();
        var old = ended("says", "{\"name\":\"Ada\"}");
        time.advance(Duration.ofMinutes(10));
        var recent = ended("says", "{\"name\":\"Ada\"}");
        var walking = session.task("walks");
        assertThat(problem(session.ask(DELETE, taskId(walking)))).contains("has not ended");
        time.advance(Duration.ofMillis(1));
        for (var none : List.of("\"tool\":\"walks\"", "\"states\":[\"failed\"]", "\"since\":\"" + time.now() + "\"")) {
            assertThat(alone.ask(PURGE, "{" + none + "}").at("/result/deleted").asInt())
                    .as(none)
                    .isZero();
        }
        assertThat(alone.ask(PURGE, "{\"olderThanMs\":60000}")
                        .at("/result/deleted")
                        .asInt())
                .isEqualTo(1);
        assertThat(ids(alone.ask(LIST, "{}")))
                .containsExactlyInAnyOrder(recent, walking)
                .doesNotContain(old);
        assertThat(told).filteredOn(ServerEvent.TaskDeleted.class::isInstance).hasSize(2);
    }

    @Test
    void an_anonymous_caller_reads_what_it_has_the_id_of_and_lists_and_purges_nothing() {
        var anybody = served.stateless(Served.TASKS, Principal.ANONYMOUS);
        var task = anybody.ask("tools/call", Served.call("walks", "{}"))
                .at("/result/taskId")
                .asString();
        assertThat(anybody.ask(GET, taskId(task)).has("result")).isTrue();
        assertThat(problem(anybody.ask(LIST, "{}"))).contains("Unknown method");
        assertThat(problem(anybody.ask(PURGE, "{}"))).contains("Unknown method");
        assertThat(anybody.ask("server/discover", "{}")
                        .at("/result/capabilities/extensions/io.longhaul~1tasks")
                        .has("list"))
                .isFalse();
    }

    @Test
    void an_operator_lists_and_reads_the_tasks_of_all_owners_and_neither_retries_nor_removes_them() {
        var said = ended("says", "{\"name\":\"Ada\"}");
        var operator = served.handshake("2025-11-25", Served.BOB).with(MemoryTransport.SCOPES, Permit.OPERATOR);
        assertThat(ids(operator.ask(LIST, "{\"owner\":\"alice\"}"))).containsExactly(said);
        assertThat(ids(operator.ask(LIST, "{\"owner\":\"carol\"}"))).isEmpty();
        assertThat(operator.ask(GET, taskId(said)).has("result")).isTrue();
        assertThat(operator.ask(HISTORY, taskId(said)).has("result")).isTrue();
        assertThat(operator.ask(RETRY, taskId(said)).has("error")).isTrue();
        assertThat(operator.ask(DELETE, taskId(said)).has("error")).isTrue();
        assertThat(operator.ask(PURGE, "{\"owner\":\"alice\"}")
                        .at("/result/deleted")
                        .asInt())
                .isZero();
        var bob = served.handshake("2025-11-25", Served.BOB);
        assertThat(ids(bob.ask(LIST, "{}"))).isEmpty();
        assertThat(ids(bob.ask(LIST, "{\"owner\":\"alice\"}"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {Permit.OPERATOR, ""})
    void a_purge_of_the_tasks_of_another_owner_removes_none_of_the_callers_own(String scopes) {
        var bob = served.handshake("2025-11-25", Served.BOB).with(MemoryTransport.SCOPES, scopes);
        var own = bob.ask("tools/call", Served.and(Served.call("says", "{\"name\":\"Bob\"}"), "\"task\":{}"))
                .at("/result/task/taskId")
                .asString();
        bob.await(own, "completed");
        time.advance(Duration.ofMillis(1));
        assertThat(bob.ask(PURGE, "{\"owner\":\"alice\"}").at("/result/deleted").asInt())
                .isZero();
        assertThat(bob.ask(GET, taskId(own)).has("result")).isTrue();
        assertThat(bob.ask(PURGE, "{\"owner\":\"bob\"}").at("/result/deleted").asInt())
                .isEqualTo(1);
    }

    @Test
    void how_a_task_has_ended_is_told_as_it_is() {
        var broken = session.task("breaks");
        session.await(broken, "failed");
        var told = alone.ask(GET, taskId(broken)).path("result");
        assertThat(told.path("outcome").asString()).isEqualTo("error");
        assertThat(told.path("code").asInt()).isEqualTo(-32000);
        assertThat(told.path("reason").asString()).isEqualTo("out of paper");
        var walking = session.task("walks");
        session.ask("tasks/cancel", taskId(walking));
        assertThat(alone.ask(GET, taskId(walking)).at("/result/outcome").asString())
                .isEqualTo("cancelled");
        var staying = session.task("stays");
        assertThat(alone.ask(GET, taskId(staying)).at("/result/ttlMs").isNull()).isTrue();
        served.restart();
        session.await(staying, "failed");
        var failed = alone.ask(GET, taskId(staying)).path("result");
        assertThat(failed.path("outcome").asString()).isEqualTo("failed");
        assertThat(failed.path("reason").asString()).startsWith("The server stopped while the work ran");
        assertThat(failed.path("ttlMs").asInt()).isEqualTo(3_600_000);
    }

    /** The id of a task that has ended with a result. */
    private String ended(String tool, String arguments) {
        var made = session.ask("tools/call", Served.and(Served.call(tool, arguments), "\"task\":{}"));
        var id = made.at("/result/task/taskId").asString();
        session.await(id, "completed");
        return id;
    }

    private static String problem(JsonNode response) {
        return response.at("/error/message").asString();
    }

    private static List<String> ids(JsonNode response) {
        return response.at("/result/tasks").findValuesAsString("taskId");
    }

    private static List<String> types(JsonNode result) {
        var types = new ArrayList<String>();
        result.path("events").forEach(event -> types.add(event.path("type").asString()));
        return types;
    }
}
