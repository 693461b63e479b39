// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that its gateway starts as a process. */
@Timeout(120)
class LaunchedServerTest {

    private static final List<String> COMMAND = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            BehindMain.class.getName());

    @TempDir
    Path folder;

    @Test
    void a_server_whose_process_dies_is_started_again_by_itself() throws Exception {
        var upstream = Upstream.launch("started", COMMAND).quickTools("pid");
        try (var front = Front.of(folder.resolve("gateway.db"), upstream);
                var client = front.client().connect()) {
            var first = process(client);
            first.destroyForcibly();
            first.onExit().join();
            assertThat(process(client).pid()).isNotEqualTo(first.pid());
        }
    }

    /** The process that answers. The server is away for a moment where it has just died. */
    private static ProcessHandle process(McpClient client) throws InterruptedException {
        var outcome = client.call("pid", Json.EMPTY_OBJECT).await();
        while (!(outcome instanceof CallOutcome.ToolResult)) {
            outcome = client.call("pid", Json.EMPTY_OBJECT).await();
        }
        var result = JsonTree.read(((CallOutcome.ToolResult) outcome).result());
        long pid = Long.parseLong(result.at("/content/0/text").asString());
        return ProcessHandle.of(pid).orElseThrow();
    }
}
