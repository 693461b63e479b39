// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person is told at a server that knows no callers, such as an application without Spring Security. */
@Timeout(120)
class AnonymousCallerTest {

    private TestTerminal user = TestTerminal.silent();

    private int run(String... line) {
        var http = Http.onPort(0).principals(PrincipalResolver.always(Principal.ANONYMOUS));
        try (var server = McpServer.builder("test", "1.0")
                .tool(Tool.define("good").longRunning().handler((none, task) -> "done"))
                .store(new MemoryTaskStore())
                .serve(http)) {
            user = TestTerminal.with(Map.of("LONGHAUL_URL", http.url().toString()));
            return new Cli(user.terminal()).run(List.of(line));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"tasks list", "ps", "tasks purge --yes", "tasks cancel --state live --yes", "tasks get last"})
    void it_lists_no_tasks_and_says_why_and_what_to_type(String line) {
        assertThat(run(line.split(" "))).isEqualTo(3);
        assertThat(user.err())
                .contains(" for anonymous callers, which have only the ids of their tasks")
                .contains("Log in (longhaul login URL, or --token TOKEN)", "longhaul attach REFERENCE")
                .contains("(Spring: server.address=127.0.0.1)");
    }

    @Test
    void another_refusal_has_no_such_advice() {
        assertThat(run("tasks", "get", "0".repeat(32))).isEqualTo(3);
        assertThat(user.err()).contains("Task not found").doesNotContain("Log in");
    }
}
