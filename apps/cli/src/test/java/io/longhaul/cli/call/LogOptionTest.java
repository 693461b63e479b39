// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log lines that a user of {@code longhaul call} wants. */
@Timeout(60)
class LogOptionTest {

    private final TestTerminal user = TestTerminal.silent();
    private final Http http = Http.onPort(0);

    @AutoClose
    private final McpServer server = McpServer.builder("shop", "1.0")
            .tool(Tool.define("count").handler((none, call) -> {
                call.log("info", "three so far");
                call.log("error", "one is missing");
                return "done";
            }))
            .store(new MemoryTaskStore())
            .serve(http);

    private int call(String... options) {
        var line = new ArrayList<>(List.of("call", http.url().toString(), "count"));
        line.addAll(List.of(options));
        return new Cli(user.terminal()).run(line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void lines_of_the_wanted_level_and_above_are_shown_beside_the_result(String generation) {
        assertThat(call("--generation", generation, "--log", "error")).isZero();
        assertThat(user.out()).isEqualTo("done\n");
        assertThat(user.err()).contains("error: \"one is missing\"").doesNotContain("three so far");
    }

    @Test
    void a_server_of_the_newest_generation_sends_no_line_that_is_not_wanted() {
        assertThat(call("--generation", "2026-07-28")).isZero();
        assertThat(user.err()).doesNotContain("one is missing");
    }

    @Test
    void a_level_that_is_not_known_is_told_with_those_that_are() {
        assertThat(call("--log", "loud")).isEqualTo(2);
        assertThat(user.err()).contains("--log is one of debug, info, notice", "not \"loud\".");
    }
}
