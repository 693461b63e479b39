// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a model is told at once while a call takes long. */
class ImmediateResultTest {

    record Job(String name, int steps) {}

    private static final String JOB = "{\"name\":\"tests\",\"steps\":3}";

    /** Methods that are tools. */
    public static final class Builds {
        @McpTool
        @McpLongRunning(immediateResult = "words")
        public String build(String name, int steps, TaskContext task) {
            return "built " + name;
        }

        String words(String name, int steps) {
            return "Building " + name + " in " + steps + " steps";
        }
    }

    /** Names a method that does not exist. */
    public static final class Wrong {
        @McpTool
        @McpLongRunning(immediateResult = "words")
        public String build(String name) {
            return name;
        }

        String words(int name) {
            return "no";
        }
    }

    private static ToolDefinition<Job, ToolContext, Object> job() {
        return Tool.define("job").input(Job.class);
    }

    @Test
    void it_is_set_once_for_a_tool() {
        var tool = job().longRunning(options -> options.immediateResponse("It will take a while."))
                .handler((job, task) -> "done");
        assertThat(operation(tool).path("content").path(0).path("text").asString())
                .isEqualTo("It will take a while.");
        assertThat(task(tool)).isEqualTo("It will take a while.");
    }

    @Test
    void it_is_computed_from_the_arguments_and_may_be_several_items() {
        var tool = job().longRunning()
                .immediateResult(job ->
                        List.of(Content.text("Running " + job.name()), Content.text(job.steps() + " steps to go")))
                .handler((job, task) -> "done");
        var content = operation(tool).path("content");
        assertThat(content.path(0).path("text").asString()).isEqualTo("Running tests");
        assertThat(content.path(1).path("text").asString()).isEqualTo("3 steps to go");
        assertThat(task(tool)).isEqualTo("Running tests\n3 steps to go");
    }

    @Test
    void it_is_never_held_to_the_schema_of_the_final_result() {
        var tool = job().output(Tools.Greeting.class)
                .longRunning()
                .immediateResult(job -> List.of(Content.text("Running")))
                .handler((job, task) -> new Tools.Greeting("hello"));
        var result = operation(tool);
        assertThat(result.has("structuredContent")).isFalse();
        assertThat(result.path("operation").has("token")).isTrue();
    }

    @Test
    void a_final_result_that_breaks_its_schema_has_failed() {
        var tool = job().outputSchema(Tools.Greeting.class)
                .longRunning()
                .handler((job, task) -> ToolResult.text("no structure"));
        try (var served = Served.with(tool)) {
            var client = served.handshake("next");
            client.ask("tools/call", Served.and(Served.call("job", JOB), "\"operation\":{\"token\":\"op-1\"}"));
            JsonNode status;
            do {
                status =
                        client.ask("tools/async/status", "{\"token\":\"op-1\"}").path("result");
            } while (status.path("status").asString().equals("working"));
            assertThat(status.path("status").asString()).isEqualTo("failed");
        }
    }

    @Test
    void one_that_cannot_be_computed_is_left_out_and_the_work_goes_on() {
        var tool = job().longRunning()
                .immediateResult(job -> {
                    throw new IllegalStateException("secret");
                })
                .handler((job, task) -> "done");
        var result = operation(tool);
        assertThat(result.path("content").isEmpty()).isTrue();
        assertThat(result.toString()).doesNotContain("secret");
    }

    @Test
    void a_method_computes_it_for_a_tool_that_is_a_method() {
        assertThat(operation(Tool.allOf(new Builds()).getFirst(), "build")
                        .path("content")
                        .path(0)
                        .path("text")
                        .asString())
                .isEqualTo("Building tests in 3 steps");
    }

    @Test
    void a_method_that_does_not_fit_is_refused_at_start() {
        assertThatThrownBy(() -> Tool.allOf(new Wrong()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("immediateResult")
                .hasMessageContaining("'words'");
    }

    @Test
    void the_input_is_said_before_it() {
        var tool = Tool.define("job").immediateResult(any -> null);
        assertThatThrownBy(() -> tool.input(Job.class)).hasMessageContaining("before its immediateResult");
    }

    private static JsonNode operation(Tool tool) {
        return operation(tool, "job");
    }

    private static JsonNode operation(Tool tool, String name) {
        try (var served = Served.with(tool)) {
            return served.handshake("next")
                    .ask("tools/call", Served.call(name, JOB))
                    .path("result");
        }
    }

    private static String task(Tool tool) {
        try (var served = Served.with(tool)) {
            return served.handshake("2025-11-25")
                    .ask("tools/call", Served.and(Served.call("job", JOB), "\"task\":{}"))
                    .path("result")
                    .path("_meta")
                    .path("io.modelcontextprotocol/model-immediate-response")
                    .asString();
        }
    }
}
