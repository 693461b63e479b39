// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

    /** What the tool {@code env} of a server says of its world. */
    private static String world(McpClient client, String tool) throws InterruptedException {
        return GatewayTest.text(client.call(tool, Map.of()).await());
    }

    @Test
    void a_server_has_its_own_variables_and_folder_and_nothing_of_the_gateway_or_of_others() throws Exception {
        var place = Files.createDirectory(folder.resolve("place")).toRealPath();
        // A variable of this process that is neither usual nor named.
        var foreign = System.getenv().keySet().stream()
                .filter(name -> !name.matches("PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TZ|LANG|LANGUAGE|LC_.*|_"))
                .findFirst();
        var own = IllMain.upstream(folder, "well")
                .environment(Map.of("TOKEN", () -> "of well", "OWN", () -> "1"), List.of())
                .folder(place);
        var other = IllMain.upstream(folder, "noisy").environment(Map.of("OTHER", () -> "2"), List.of("*"));
        try (var front = Front.of(folder.resolve("gateway.db"), own, other);
                var client = front.client().connect()) {
            var world = world(client, "well_env");
            assertThat(world)
                    .contains("OWN", "PATH", "in " + place, "TOKEN=of well")
                    .doesNotContain("OTHER");
            var its = world(client, "noisy_env");
            assertThat(its).contains("OTHER", "TOKEN=null").doesNotContain("OWN");
            foreign.ifPresent(name -> {
                assertThat(world).doesNotContain(name + ",");
                assertThat(its).contains(name);
            });
        }
    }

    @Test
    void a_server_whose_secret_cannot_be_read_is_not_started() throws Exception {
        var upstream = IllMain.upstream(folder, "well")
                .environment(
                        Map.of("TOKEN", () -> {
                            throw new IOException("no such file");
                        }),
                        List.of());
        try (var front = Front.of(folder.resolve("gateway.db"), upstream)) {
            var state = front.server().statistics().upstreams().getFirst();
            assertThat(state.state()).isEqualTo("away");
            assertThat(state.why()).contains("the variable TOKEN cannot be read");
            assertThat(folder.resolve("well.starts")).doesNotExist();
        }
    }

    @Test
    void an_idle_server_ends_and_the_next_call_starts_it_again() throws Exception {
        var upstream = IllMain.upstream(folder, "well").idle(Duration.ofMillis(500));
        try (var front = Front.of(folder.resolve("gateway.db"), upstream);
                var client = front.client().connect()) {
            for (int life = 1; life <= 2; life++) {
                var key = "life" + life;
                assertThat(GatewayTest.text(
                                client.call("well_work", Map.of("key", key)).await()))
                        .contains("did " + key);
                assertThat(Files.readString(folder.resolve("well.starts"))).hasSize(life);
                while (!state(front).equals("idle") || !children().isEmpty()) {
                    Thread.onSpinWait();
                }
            }
            assertThat(client.tools()).hasSize(2);
        }
    }

    private static String state(Front front) {
        return front.server().statistics().upstreams().getFirst().state();
    }

    /** The servers that this process has started, and that have not ended. */
    private static List<ProcessHandle> children() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains(IllMain.class.getName()))
                .toList();
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
