// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskLimits;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How long a task is kept: what the author of its tool says to the letter, what a caller asks between two bounds. */
class RetentionTest {

    private static final Duration KEEP = Duration.ofSeconds(30);

    private final FakeTime time = new FakeTime();

    private static Tool brief() {
        return Tool.define("brief")
                .description("Is soon forgotten")
                .longRunning(options -> options.keepFor(KEEP))
                .handler((none, task) -> "done");
    }

    private Served serve(TaskLimits limits) {
        return Served.with(server -> server.time(time).limits(limits), brief());
    }

    @Test
    void a_task_of_2025_11_25_is_kept_for_the_30_s_that_its_author_says() {
        try (var served = serve(TaskLimits.DEFAULT)) {
            var client = served.handshake("2025-11-25", Principal.LOCAL);
            var task = client.ask("tools/call", Served.and(Served.call("brief", "{}"), "\"task\":{}"))
                    .path("result")
                    .path("task");
            String id = "{\"taskId\":\"" + task.path("taskId").asString() + "\"}";
            client.send("tasks/result", id).response();
            assertThat(get(client, id).path("result").path("ttl").asInt()).isEqualTo(30_000);
            time.advance(KEEP.minusMillis(1));
            assertThat(get(client, id).path("result").path("status").asString()).isEqualTo("completed");
            time.advance(Duration.ofMillis(1));
            assertThat(get(client, id).path("error").path("code").asInt()).isEqualTo(-32602);
        }
    }

    @Test
    void an_operation_is_told_the_30_s_that_its_author_says_and_a_caller_that_asks_for_less_a_minute() {
        try (var served = serve(TaskLimits.DEFAULT)) {
            var client = served.handshake("next");
            assertThat(keepAlive(client, "\"operation\":{}")).isEqualTo(30);
            assertThat(keepAlive(client, "\"operation\":{\"keepAlive\":1}")).isEqualTo(60);
        }
    }

    @Test
    void a_call_of_tools_async_is_told_the_30_s_that_its_author_says_and_a_caller_that_asks_for_less_a_minute() {
        try (var served = serve(TaskLimits.DEFAULT)) {
            var client = served.handshake("2025-06-18");
            assertThat(attended(client, Served.call("brief", "{}"))).isEqualTo(30);
            assertThat(attended(client, Served.and(Served.call("brief", "{}"), "\"keepAlive\":1")))
                    .isEqualTo(60);
        }
    }

    @Test
    void the_floor_under_what_callers_ask_can_be_set() {
        try (var served = serve(
                TaskLimits.builder().shortestRetention(Duration.ofMinutes(7)).build())) {
            assertThat(keepAlive(served.handshake("next"), "\"operation\":{\"keepAlive\":1}"))
                    .isEqualTo(420);
        }
    }

    @Test
    void a_tool_that_wants_to_be_kept_for_longer_than_the_server_keeps_anything_is_refused_where_it_is_added() {
        var limits =
                TaskLimits.builder().longestRetention(Duration.ofSeconds(20)).build();
        String problem = "tool 'brief' has keepFor(PT30S), and this server keeps no task for longer than PT20S:"
                + " set a shorter one, or raise TaskLimits.longestRetention";
        assertThatThrownBy(() -> serve(limits))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(problem);
        try (var served =
                Served.on(new MemoryTaskStore(), server -> server.limits(limits).tool(Tools.greet()))) {
            assertThatThrownBy(() -> served.server().addTool(brief())).hasMessage(problem);
            var names = served.handshake("2025-11-25").ask("tools/list", "{}").toString();
            assertThat(names).contains("greet").doesNotContain("brief");
        }
    }

    private static JsonNode get(Served.Handshake client, String id) {
        return client.ask("tasks/get", id);
    }

    private static int keepAlive(Served.Handshake client, String wish) {
        return client.ask("tools/call", Served.and(Served.call("brief", "{}"), wish))
                .path("result")
                .path("operation")
                .path("keepAlive")
                .asInt();
    }

    private static int attended(Served.Handshake client, String call) {
        return client.ask(ToolsAsyncTest.CALL, call)
                .path("result")
                .path("keepAlive")
                .asInt();
    }
}
