// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.server.ServerTasks.Started;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import io.longhaul.server.internal.tool.ToolSpec;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tools that had other names before. */
@Timeout(60)
class FormerNamesTest {

    private final MemoryTaskStore store = new MemoryTaskStore();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    private Tool tool(String name, String... formerly) {
        return Tool.define(name)
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART).formerly(formerly))
                .handler((none, task) -> {
                    begun.countDown();
                    go.await();
                    return "done";
                });
    }

    private static McpServer server(MemoryTaskStore store, Tool... tools) {
        var builder = McpServer.builder("tools", "1")
                .store(store)
                .limits(TaskLimits.builder().offerGrace(Duration.ofMillis(1)).build());
        for (var tool : tools) {
            builder.tool(tool);
        }
        return builder.serve(new MemoryTransport());
    }

    private static Task awaitEnd(McpServer server, Task task) {
        while (true) {
            var now = server.tasks().find(task.id()).orElseThrow();
            if (now.state().isTerminal()) {
                return now;
            }
            Thread.onSpinWait();
        }
    }

    /** A task of a tool named build, whose server has ended. */
    private Task begunAsBuild() throws InterruptedException {
        try (var first = server(store, tool("build"))) {
            var task = ((Started.New) first.tasks().start("build", Map.of())).task();
            begun.await();
            return task;
        } finally {
            go.countDown();
        }
    }

    @Test
    void a_tool_takes_up_the_tasks_of_the_names_that_it_had_before() throws Exception {
        var task = begunAsBuild();
        try (var second = server(store.reopen(), tool("compile", "make", "build"))) {
            assertThat(awaitEnd(second, task).ending().outcome().toString()).contains("Result");
            assertThat(second.tasks().start("build", Map.of())).isInstanceOf(Started.Refused.class);
        }
    }

    @Test
    void a_tool_that_is_added_later_takes_them_up_too() throws Exception {
        var task = begunAsBuild();
        try (var second = McpServer.builder("tools", "1").store(store.reopen()).serve(new MemoryTransport())) {
            second.addTool(tool("compile", "build"));
            assertThat(awaitEnd(second, task).ending().outcome().toString()).contains("Result");
        }
    }

    @Test
    void the_name_of_a_tool_that_is_there_is_no_former_name() {
        assertThatThrownBy(() -> server(new MemoryTaskStore(), tool("build"), tool("compile", "build")))
                .hasMessageContaining("'compile' names 'build' in formerly(...)");
    }

    /** A tool that an annotation gives its former name. */
    static final class Annotated {
        @McpTool
        @McpLongRunning(formerly = "build")
        String compile() {
            return "done";
        }
    }

    @Test
    void an_annotation_names_them_too() {
        var calls = Tool.allOf(new Annotated()).getFirst().spec.calls();
        assertThat(((ToolSpec.Lasting) calls).options().running().formerly()).containsExactly("build");
    }
}
