// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.engine.run.RunException;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Tools whose handlers run again after a failure. */
@Timeout(30)
class RetriedToolsTest {

    private static final Duration AT_ONCE = Duration.ZERO;

    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger steps = new AtomicInteger();

    /** Calls a tool as a task, and gives its end. */
    private static JsonNode ended(Tool tool) throws Exception {
        try (var served = Served.with(tool)) {
            var client = served.stateless(Served.TASKS);
            String id = client.ask("tools/call", Served.call(tool.name(), "{}"))
                    .path("result")
                    .path("taskId")
                    .asString();
            while (true) {
                var task = client.ask("tasks/get", taskId(id)).path("result");
                if (!task.path("status").asString().equals("working")) {
                    return task;
                }
                Thread.onSpinWait();
            }
        }
    }

    private <X extends Exception> Tool throwing(X failure, Consumer<LongRunning> options) {
        return Tool.define("flaky").longRunning(options).handler((none, task) -> {
            var row = task.step("load", String.class, () -> "row " + steps.incrementAndGet());
            if (attempts.incrementAndGet() < 3) {
                throw failure;
            }
            return row + ", attempt " + task.attempt();
        });
    }

    @Test
    void a_handler_that_throws_runs_again_and_keeps_its_steps() throws Exception {
        var ended = ended(throwing(new IOException("secret place"), t -> t.retry(3, AT_ONCE)));
        assertThat(text(ended.path("result"))).isEqualTo("row 1, attempt 3");
        assertThat(steps).hasValue(1);
    }

    @Test
    void a_handler_that_throws_too_often_has_failed_and_its_text_is_told_to_nobody() throws Exception {
        var ended = ended(throwing(new IOException("secret place"), t -> t.retry(1, AT_ONCE)));
        assertThat(ended.path("status").asString()).isEqualTo("failed");
        assertThat(ended.path("error").path("message").asString()).isEqualTo("Internal error");
        assertThat(ended.toString()).doesNotContain("secret place");
        assertThat(attempts).hasValue(2);
    }

    @Test
    void an_error_for_the_model_ends_the_task() throws Exception {
        var ended = ended(throwing(new ToolException("no such branch"), t -> t.retry(3, AT_ONCE)));
        assertThat(text(ended.path("result"))).isEqualTo("no such branch");
        assertThat(attempts).hasValue(1);
    }

    @Test
    void an_error_for_the_model_is_repeated_where_the_tool_says_so() throws Exception {
        var ended = ended(throwing(
                new ToolException("the queue is full"), t -> t.retry(3, AT_ONCE, ToolException.class::isInstance)));
        assertThat(text(ended.path("result"))).isEqualTo("row 1, attempt 3");
    }

    @Test
    void another_exception_than_the_tool_names_ends_the_task() throws Exception {
        ended(throwing(new IllegalStateException(), t -> t.retry(3, AT_ONCE, IOException.class::isInstance)));
        assertThat(attempts).hasValue(1);
    }

    @Test
    void an_end_by_the_engine_is_no_failure() throws Exception {
        ended(throwing(RunException.internal("too large"), t -> t.retry(3, AT_ONCE)));
        assertThat(attempts).hasValue(1);
    }

    class Flaky {
        @McpTool
        @McpLongRunning(retries = 2, retryOn = IOException.class)
        String flaky() throws IOException {
            if (attempts.incrementAndGet() < 3) {
                throw new IOException("not now");
            }
            return "at last";
        }
    }

    @Test
    void a_method_that_throws_runs_again() throws Exception {
        assertThat(text(ended(Tool.allOf(new Flaky()).getFirst()).path("result")))
                .isEqualTo("at last");
    }

    static class NoCount {
        @McpTool
        @McpLongRunning(backoff = "10s")
        String never() {
            return "";
        }
    }

    @Test
    void a_pause_without_a_count_and_a_count_out_of_range_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tool.allOf(new NoCount()))
                .withMessageContaining("it has a backoff or a retryOn, and no retries: add retries = 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> throwing(new IOException(), t -> t.retry(-1, AT_ONCE)))
                .withMessage("work is retried 0 to 1000 times, not -1");
    }
}
