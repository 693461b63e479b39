// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.cli.Cli;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.command.Patience;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.client.McpClient;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class CallRunnerTest {

    @Test
    void an_attempt_to_reach_a_server_that_takes_the_whole_wait_is_the_last_one() {
        var user = TestTerminal.silent();
        var nanos = new AtomicLong();
        var runner = new CallRunner(user.terminal(), Arguments.parse(List.of(), List.of()), interrupt -> {})
                .waiting(new Patience(
                        Duration.ofMinutes(10),
                        () -> nanos.getAndAdd(Duration.ofMinutes(11).toNanos()),
                        time -> {}));
        var nobody = McpClient.to(URI.create("http://127.0.0.1:1/mcp"));
        assertThatThrownBy(() -> runner.run(nobody, client -> client.call("report", List.of())))
                .isInstanceOf(ServerUnreachableException.class);
        assertThat(user.err()).doesNotContain("waiting for it");
    }

    @Test
    void save_beside_detach_is_refused_before_the_call_with_the_way_to_save_later() {
        var user = TestTerminal.silent();
        int code = new Cli(user.terminal())
                .run(List.of("call", "http://127.0.0.1:1/mcp", "report", "--detach", "--save", "out"));
        assertThat(code).isEqualTo(2);
        assertThat(user.err()).contains("longhaul attach REFERENCE --save PATH");
    }

    record Name(String name) {}

    /** A server whose one tool asks who is there, as a task. */
    private static McpServer asking(Http http) {
        var greet = Tool.define("greet")
                .longRunning()
                .handler(
                        (none, task) -> task.elicit("Who is there?", Name.class).toString());
        return McpServer.builder("door", "1.0")
                .tool(greet)
                .store(new MemoryTaskStore())
                .serve(http);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25"})
    void a_question_that_nobody_answers_stays_open_for_the_next_who_attaches(String generation) {
        var http = Http.onPort(0);
        try (var server = asking(http)) {
            var caller = TestTerminal.silent();
            int detached = new Cli(caller.terminal())
                    .run(List.of("call", http.url().toString(), "greet", "--detach", "--generation", generation));
            assertThat(detached).as(caller.err()).isZero();
            var task = caller.out().strip();
            for (var unfit : List.of(List.of("attach", task), List.of("attach", task, "--answer", "age=3"))) {
                var user = TestTerminal.silent();
                int code = new Cli(user.terminal()).run(unfit);
                assertThat(user.err())
                        .contains("Who is there?", "The task waits for an answer", "--answer")
                        .doesNotContain("the call failed");
                assertThat(code).isEqualTo(6);
            }
            var last = TestTerminal.silent();
            assertThat(new Cli(last.terminal()).run(List.of("attach", task, "--answer", "name=Ada")))
                    .as(last.err())
                    .isZero();
            assertThat(last.out()).contains("Ada");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25", "2025-06-18", "sep-1686", "sep-1391", "tools-async"})
    void a_call_that_needs_an_answer_and_cannot_ask_exits_with_6_in_each_generation(String generation) {
        var user = TestTerminal.silent();
        var http = Http.onPort(0);
        try (var server = asking(http)) {
            int code = new Cli(user.terminal())
                    .run(List.of("call", http.url().toString(), "greet", "--generation", generation));
            assertThat(code).as(user.err()).isEqualTo(6);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"completed", "failed"})
    void a_call_that_completed_has_succeeded_though_nobody_answered_its_question(String end) {
        var user = TestTerminal.silent();
        var http = Http.onPort(0);
        var greet = Tool.define("greet").handler((none, task) -> {
            var name = task.elicit("Who is there?", Name.class);
            if (!name.accepted() && end.equals("failed")) {
                throw new ToolException("I greet nobody.");
            }
            return "Hello.";
        });
        try (var server = McpServer.builder("door", "1.0")
                .tool(greet)
                .store(new MemoryTaskStore())
                .serve(http)) {
            int code = new Cli(user.terminal()).run(List.of("call", http.url().toString(), "greet", "--yes"));
            assertThat(user.err()).contains("the server asks what --answer and --yes do not tell: Who is there?");
            assertThat(code).isEqualTo(end.equals("failed") ? 6 : 0);
        }
    }
}
