// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.fakes.MemoryTransport;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a server offers changes while it serves. */
class ListChangesTest {

    private static final String TOOLS = "{\"notifications\":{\"toolsListChanged\":true}}";

    @AutoClose
    private final Served served = Served.with(Tools.greet());

    @Test
    void a_session_is_told_on_its_connection() {
        try (var client = served.connect()) {
            client.send(Served.initialize("2025-06-18", "{}"));
            assertThat(client.next()).contains("\"tools\":{\"listChanged\":true}");
            served.server().addTool(named("more"));
            assertThat(client.next())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
        }
    }

    @Test
    void a_session_over_http_is_told_on_the_stream_that_it_keeps_open() {
        var client = served.handshake("2025-11-25");
        var stream = client.get();
        assertThat(stream.next().orElseThrow().data()).isEmpty();
        String told = null;
        for (int i = 0; told == null; i++) {
            served.server().addTool(named("more" + i));
            client.ask("ping", "{}");
            told = stream.isQuiet() ? null : stream.nextMessage();
        }
        assertThat(told).contains("notifications/tools/list_changed");
        assertThat(client.ask("tools/call", Served.call("more0", "{}")).has("result"))
                .isTrue();
    }

    @Test
    void a_session_that_had_no_stream_is_told_when_it_opens_one_and_only_once() {
        var client = served.handshake("2025-11-25");
        served.server().addTool(named("more"));
        var stream = client.get();
        assertThat(stream.nextMessage()).contains("notifications/tools/list_changed");
        var second = client.get();
        assertThat(second.next().orElseThrow().data()).isEmpty();
        client.ask("ping", "{}");
        assertThat(second.isQuiet()).isTrue();
    }

    @Test
    void a_session_that_outlives_a_restart_is_told_what_has_changed_over_it() {
        try (var served = Served.with(server -> server.tool(Tools.greet()).prompt(prompt()))) {
            var client = served.handshake("2025-06-18");
            served.restart(
                    server -> server.tool(Tools.greet()).tool(named("more")).prompt(prompt()));
            var stream = client.get();
            assertThat(stream.nextMessage())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
            client.ask("ping", "{}");
            assertThat(stream.isQuiet()).isTrue();
        }
    }

    @Test
    void a_tool_that_is_replaced_keeps_its_place_and_its_change_is_told_once() {
        var client = served.handshake("2025-11-25");
        served.server().addTool(named("more"));
        var stream = client.get();
        assertThat(stream.nextMessage()).contains("notifications/tools/list_changed");
        served.server().replaceTool(Tool.define("greet").description("New").handler((none, call) -> "hello"));
        assertThat(stream.nextMessage()).contains("notifications/tools/list_changed");
        var tools = client.ask("tools/list", "{}").at("/result/tools");
        assertThat(tools.findValuesAsString("name")).containsExactly("greet", "more");
        assertThat(tools.path(0).path("description").asString()).isEqualTo("New");
        assertThat(Served.json(client.ask("tools/call", Served.call("greet", "{}"))
                                .toString())
                        .toString())
                .contains("hello");
        assertThat(stream.isQuiet()).isTrue();
    }

    @Test
    void tools_that_change_in_one_step_are_told_once() {
        var client = served.handshake("2025-11-25");
        var stream = client.get();
        assertThat(stream.next().orElseThrow().data()).isEmpty();
        served.server().changeTools(List.of(named("b"), named("a"), renamed("hello", "greet")), Set.of("greet"));
        assertThat(stream.nextMessage()).contains("notifications/tools/list_changed");
        assertThat(client.ask("tools/list", "{}").at("/result/tools").findValuesAsString("name"))
                .startsWith("b", "a", "hello")
                .doesNotContain("greet");
        assertThat(stream.isQuiet()).isTrue();
    }

    @Test
    void of_a_step_with_a_tool_that_is_refused_nothing_is_done() {
        var bad = List.of(named("b"), renamed("hello", "greet"));
        assertThatThrownBy(() -> served.server().changeTools(bad, Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'greet' in formerly(...)");
        assertThat(served.server().hasTool("b")).isFalse();
    }

    private static Tool renamed(String name, String before) {
        return Tool.define(name).longRunning(task -> task.formerly(before)).handler((none, call) -> name);
    }

    private static Prompt prompt() {
        return Prompt.define("p").handler((none, call) -> List.of(PromptMessage.user("hi")));
    }

    @Test
    void a_stateless_client_is_told_on_its_subscription_after_the_acknowledgement() {
        var stream = served.stateless("{}").send("subscriptions/listen", TOOLS);
        assertThat(stream.nextMessage()).contains("acknowledged").contains("\"toolsListChanged\":true");
        assertThat(served.server().removeTool("greet")).isTrue();
        assertThat(stream.nextMessage())
                .contains("notifications/tools/list_changed")
                .contains("\"io.modelcontextprotocol/subscriptionId\":1");
    }

    @Test
    void a_subscription_gets_nothing_that_it_did_not_ask_for() {
        var stream = served.stateless("{}")
                .send("subscriptions/listen", "{\"notifications\":{\"promptsListChanged\":true}}");
        assertThat(stream.nextMessage()).contains("acknowledged").doesNotContain("promptsListChanged");
        served.server().addTool(named("more"));
        served.close();
        assertThat(stream.nextMessage()).contains("\"resultType\":\"complete\"");
    }

    @Test
    void a_removed_tool_is_unknown_and_a_name_is_given_once() {
        served.server().removeTool("greet");
        var error = served.stateless("{}").ask("tools/call", Served.call("greet", Tools.NAME));
        assertThat(error.path("error").path("code").asInt()).isEqualTo(-32602);
        assertThat(served.server().removeTool("greet")).isFalse();
        served.server().addTool(named("a"));
        assertThatThrownBy(() -> served.server().addTool(named("a"))).hasMessageContaining("'a'");
        var client = served.stateless("{}");
        var other = client.ask("tools/call", Served.call("A", "{}"));
        assertThat(other.path("error").path("code").asInt())
                .as("matched with case")
                .isEqualTo(-32602);
        served.server().addTool(named("A"));
        assertThat(client.ask("tools/call", Served.call("A", "{}")).has("result"))
                .isTrue();
    }

    @Test
    void a_list_has_the_order_of_definition_for_every_client() {
        List<String> defined = List.of("greet", "zebra", "ant", "Mole", "bee");
        defined.stream().skip(1).forEach(name -> served.server().addTool(named(name)));
        for (var list : List.of(
                served.stateless("{}").ask("tools/list", "{}"),
                served.stateless(Served.TASKS, Served.BOB).ask("tools/list", "{}"),
                served.handshake("2024-11-05").ask("tools/list", "{}"),
                served.handshake("2025-11-25", Served.BOB).ask("tools/list", "{}"))) {
            assertThat(list.path("result").path("tools"))
                    .extracting(tool -> tool.path("name").asString())
                    .containsExactlyElementsOf(defined);
        }
    }

    @Test
    void a_long_running_tool_comes_and_goes_and_its_tasks_go_on() throws Exception {
        var client = served.stateless(Served.TASKS);
        served.server().addTool(Tools.asks());
        var discovered = client.ask("server/discover", "{}");
        assertThat(discovered.at("/result/capabilities/extensions").has("io.modelcontextprotocol/tasks"))
                .isTrue();
        String id = client.ask("tools/call", Served.call("asks", "{}"))
                .path("result")
                .path("taskId")
                .asString();
        assertThat(served.server().removeTool("asks")).isTrue();
        var refused = client.ask("tools/call", Served.call("asks", "{}")).path("error");
        assertThat(refused.path("code").asInt()).isEqualTo(-32602);
        answer(client, id);
        assertThat(OneHandlerEveryGenerationTest.awaitStatus(client, id, "completed")
                        .has("result"))
                .isTrue();
    }

    @Test
    void a_task_of_a_tool_that_is_added_again_after_a_restart_goes_on() throws Exception {
        try (var served = Served.with()) {
            served.server().addTool(Tools.asks());
            var client = served.stateless(Served.TASKS);
            String id = client.ask("tools/call", Served.call("asks", "{}"))
                    .path("result")
                    .path("taskId")
                    .asString();
            OneHandlerEveryGenerationTest.awaitStatus(client, id, "input_required");
            served.restart();
            served.server().addTool(Tools.asks());
            answer(client, id);
            assertThat(OneHandlerEveryGenerationTest.awaitStatus(client, id, "completed")
                            .has("result"))
                    .isTrue();
        }
    }

    @Test
    void a_long_running_tool_needs_a_store_also_when_it_comes_late() {
        try (var without = McpServer.builder("none", "1").serve(new MemoryTransport())) {
            assertThatThrownBy(() -> without.addTool(Tools.asks())).hasMessageContaining("no store");
        }
    }

    private static void answer(Served.Stateless client, String id) throws InterruptedException {
        var state = OneHandlerEveryGenerationTest.awaitStatus(client, id, "input_required");
        String key = state.path("inputRequests").propertyNames().iterator().next();
        client.ask(
                "tasks/update",
                "{\"taskId\":\"" + id + "\",\"inputResponses\":{\"" + key
                        + "\":{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}}}");
    }

    @Test
    void pages_follow_each_other_whatever_is_removed_between_them() {
        IntStream.range(0, 250).forEach(i -> served.server().addTool(named("t" + i)));
        var client = served.stateless("{}");
        Set<String> names = new HashSet<>();
        var page = client.ask("tools/list", "{}").path("result");
        page.path("tools").forEach(tool -> names.add(tool.path("name").asString()));
        served.server().removeTool("t98");
        served.server().removeTool("t99");
        while (page.has("nextCursor")) {
            page = client.ask("tools/list", "{\"cursor\":" + page.path("nextCursor") + "}")
                    .path("result");
            assertThat(page.path("cacheScope").asString()).isEqualTo("private");
            page.path("tools").forEach(tool -> names.add(tool.path("name").asString()));
        }
        assertThat(names).hasSize(250).contains("greet", "t98", "t249").doesNotContain("t99");
        var bad = client.ask("tools/list", "{\"cursor\":\"dG9vbDp4\"}").path("error");
        assertThat(bad.path("code").asInt()).isEqualTo(-32602);
    }

    private static Tool named(String name) {
        return Tool.define(name).description("Says hi").handler((none, task) -> "hi");
    }
}
