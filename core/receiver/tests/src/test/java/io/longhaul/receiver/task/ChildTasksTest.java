// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.augmented;
import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.named;
import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.receiver.observe.CallStatus;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerEvent.Way;
import io.longhaul.server.ChildTask;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** What clients are told of tasks that a tool has called. */
@Timeout(60)
class ChildTasksTest {

    private static final String PARENT = "io.longhaul/parent";
    private static final String LIST = "io.longhaul/tasks/list";
    private static final String DELETE = "io.longhaul/tasks/delete";
    private static final String PURGE = "io.longhaul/tasks/purge";
    private static final String HISTORY = "io.longhaul/tasks/history";

    private final Semaphore steps = new Semaphore(0);
    private final Semaphore called = new Semaphore(0);

    private final List<ServerEvent> events = new CopyOnWriteArrayList<>();

    @AutoClose
    private final Served served = Served.with(
            server -> server.observer(events::add),
            Tools.walks(steps, (none, task) -> "walked"),
            Tool.define("calls").longRunning().handler((none, task) -> {
                var first = task.call("first", "walks", Map.of());
                var second = task.call("second", "walks", Map.of());
                called.release();
                return first.await(String.class) + second.await(String.class);
            }));

    private final Served.Handshake session = served.handshake("2025-11-25");
    private final Served.Stateless alone = served.stateless(Served.TASKS);

    private String called(Served.Handshake client) {
        var id = client.task("calls");
        called.acquireUninterruptibly();
        return id;
    }

    private static List<String> ids(JsonNode response) {
        return response.at("/result/tasks").findValuesAsString("taskId");
    }

    private List<String> children(String parent) {
        return ids(alone.ask(LIST, "{\"parent\":\"" + parent + "\"}"));
    }

    @Test
    void arguments_and_results_of_a_called_tool_are_converted_as_those_of_a_call() {
        Tool greets = Tool.define("greets")
                .input(Tools.Name.class)
                .longRunning()
                .handler((who, task) -> new Tools.Greeting("Hello, " + who.name()));
        Tool writes = Tool.define("writes").longRunning().handler((none, task) -> "{\"text\":\"written\"}");
        Tool asks = Tool.define("asks").longRunning().handler((none, task) -> {
            var raw = Json.raw(Tools.NAME);
            var written = task.call("w", "writes", Json.raw("{}"));
            return String.join(
                    "\n",
                    task.call("a", "greets", raw).await(Tools.Greeting.class).text(),
                    task.call("b", "greets", raw).await(String.class),
                    new String(task.call("c", "greets", raw).await(Json.class).bytes(), StandardCharsets.UTF_8),
                    written.await(Tools.Greeting.class).text(),
                    written.await(String.class),
                    unread(written));
        });
        try (var both = Served.with(greets, writes, asks)) {
            var reply = both.handshake("2025-11-25").send("tools/call", Served.call("asks", "{}"));
            assertThat(Served.resultText(reply).lines())
                    .containsExactly(
                            "Hello, Ada",
                            "{\"text\":\"Hello, Ada\"}",
                            "{\"text\":\"Hello, Ada\"}",
                            "written",
                            "{\"text\":\"written\"}",
                            "The result of the called tool cannot be read as Integer: it is no Integer. Take it as a"
                                    + " String, or whole by await().");
        }
    }

    private static String unread(ChildTask child) throws InterruptedException {
        try {
            return "read as " + child.await(Integer.class);
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    @Test
    void observers_are_told_of_each_task_that_another_one_calls() {
        var parent = called(session);
        var children = children(parent);
        assertThat(events)
                .filteredOn(event -> event instanceof ServerEvent.TaskCreated)
                .map(event -> (ServerEvent.TaskCreated) event)
                .filteredOn(created -> created.way() == Way.CALLED)
                .allSatisfy(created -> {
                    assertThat(created.tool()).isEqualTo("walks");
                    assertThat(created.caller().principal()).isEqualTo(Served.ALICE);
                    assertThat(created.caller().generation()).isEqualTo("application");
                })
                .map(ServerEvent.TaskCreated::task)
                .containsExactlyInAnyOrderElementsOf(children);
        assertThat(children).hasSize(2);
    }

    /** It ends before its work has, which lets go what it has called. */
    @Test
    void the_end_of_a_task_that_has_called_others_is_told_as_that_of_any_other() {
        var parent = called(session);
        steps.release(6);
        session.await(parent, "completed");
        assertThat(events)
                .filteredOn(event -> event instanceof ServerEvent.CallEnded)
                .map(event -> (ServerEvent.CallEnded) event)
                .filteredOn(ended -> parent.equals(ended.task()))
                .map(ServerEvent.CallEnded::outcome)
                .containsExactly(CallStatus.RESULT);
    }

    @Test
    void each_generation_that_has_tasks_tells_the_parent_of_one() {
        var parent = called(session);
        var child = children(parent).getFirst();
        assertThat(session.ask("tasks/get", taskId(child))
                        .at("/result/_meta")
                        .path(PARENT)
                        .asString())
                .isEqualTo(parent);
        assertThat(alone.ask("tasks/get", taskId(child))
                        .at("/result/_meta")
                        .path(PARENT)
                        .asString())
                .isEqualTo(parent);
        var listed = session.ask("tasks/list", "{}").at("/result/tasks");
        assertThat(listed).hasSize(3);
        assertThat(listed.findValues(PARENT)).extracting(JsonNode::asString).containsExactly(parent, parent);
        var older = served.handshake("2025-06-18");
        older.send("tools/call", augmented("calls", "{}", "mine")).nextContaining("notifications/tasks/created");
        called.acquireUninterruptibly();
        assertThat(older.ask("tasks/get", named("mine")).at("/result/_meta").has(PARENT))
                .isFalse();
        var another = older.ask("tasks/get", named(child));
        assertThat(another.at("/result/_meta").path(PARENT).asString()).isEqualTo(parent);
    }

    @Test
    void children_are_listed_by_their_parent_in_pages_with_other_filters_and_for_operators() {
        var parent = called(session);
        var other = called(session);
        var first = alone.ask(LIST, "{\"parent\":\"" + parent + "\",\"limit\":1}");
        assertThat(first.at("/result/tasks/0/parent").asString()).isEqualTo(parent);
        var second = alone.ask(
                LIST,
                "{\"parent\":\"" + parent + "\",\"limit\":1,\"cursor\":\""
                        + first.at("/result/nextCursor").asString() + "\"}");
        assertThat(second.at("/result").has("nextCursor")).isFalse();
        assertThat(ids(second)).hasSize(1).doesNotContainAnyElementsOf(ids(first));
        assertThat(ids(alone.ask(LIST, "{\"parent\":\"" + parent + "\",\"tool\":\"calls\"}")))
                .isEmpty();
        var operator = served.handshake("2025-11-25", Served.BOB).with(MemoryTransport.SCOPES, Permit.OPERATOR);
        assertThat(ids(operator.ask(LIST, "{\"parent\":\"" + parent + "\"}"))).hasSize(2);
        assertThat(ids(operator.ask(LIST, "{\"parent\":\"" + parent + "\",\"owner\":\"carol\"}")))
                .isEmpty();
        var bob = served.handshake("2025-11-25", Served.BOB);
        assertThat(bob.ask(LIST, "{\"parent\":\"" + parent + "\"}")
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32602);
        steps.release(12);
        session.await(parent, "completed");
        // Its work has ended when it has let its children go, which nobody is told.
        while (alone.ask(PURGE, "{\"parent\":\"" + parent + "\"}")
                        .at("/result/deleted")
                        .asInt()
                == 0) {
            Thread.onSpinWait();
        }
        assertThat(children(parent)).isEmpty();
        assertThat(children(other)).hasSize(2);
    }

    @Test
    void the_histories_of_a_parent_and_of_its_child_name_one_another() {
        var parent = called(session);
        var calls = alone.ask(HISTORY, "{\"taskId\":\"" + parent + "\",\"types\":[\"step\"]}");
        assertThat(calls.at("/result/events").findValuesAsString("name")).containsExactly("first", "second");
        var named = calls.at("/result/events").findValuesAsString("task");
        assertThat(named).containsExactlyInAnyOrderElementsOf(children(parent));
        var created = alone.ask(HISTORY, "{\"taskId\":\"" + named.getFirst() + "\",\"types\":[\"created\"]}");
        assertThat(created.at("/result/events/0/parent").asString()).isEqualTo(parent);
    }

    @Test
    void a_child_of_a_live_task_is_not_deleted_and_goes_with_its_parent() {
        var parent = called(session);
        var child = children(parent).getFirst();
        assertThat(alone.ask(DELETE, taskId(child)).has("error")).isTrue();
        steps.release(6);
        session.await(parent, "completed");
        // Its work has ended when it has let its children go, which nobody is told.
        while (alone.ask(DELETE, taskId(parent)).has("error")) {
            Thread.onSpinWait();
        }
        assertThat(session.ask("tasks/get", taskId(child)).at("/error/code").asInt())
                .isEqualTo(-32602);
    }

    @Test
    void a_model_is_listed_what_it_has_called_and_not_what_tools_have_called() {
        var parent = called(session);
        var host = served.handshake("2025-06-18", "{}");
        var listed = host.ask("tools/call", Served.call("task_list", "{}")).toString();
        assertThat(listed).contains(parent);
        children(parent).forEach(child -> assertThat(listed).doesNotContain(child));
    }
}
