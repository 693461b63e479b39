// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.LogLevel;
import io.longhaul.client.McpClient;
import io.longhaul.gateway.link.UnknownCaller;
import io.longhaul.protocol.call.HistoryRange;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the log lines of a server reach the callers of a gateway. */
@Timeout(120)
class LogsTest {

    private static final CallUpdate.Log DETAIL = new CallUpdate.Log("debug", "disk", "\"spins\"");
    private static final CallUpdate.Log NEWS = new CallUpdate.Log("info", "disk", "\"is full\"");
    private static final CallUpdate.Log UNNAMED = new CallUpdate.Log("info", "tests", "\"is slow\"");

    @TempDir
    Path folder;

    /** A call of a tool that has told all its log lines. */
    private static List<CallUpdate> heard(McpClient client, String tool) throws InterruptedException {
        Queue<CallUpdate> told = new ConcurrentLinkedQueue<>();
        var call = client.call(
                tool,
                Json.EMPTY_OBJECT,
                CallOptions.DEFAULT,
                new UnknownCaller(Upstream.launch("test", List.of("test")).server),
                told::add);
        assertThat(GatewayTest.text(call.await())).contains("done");
        return told.stream().filter(CallUpdate.Log.class::isInstance).toList();
    }

    private static void assertLevels(Front front) throws InterruptedException {
        try (var curious = front.client().connect();
                var calm = front.client().connect()) {
            curious.logLevel(LogLevel.DEBUG);
            calm.logLevel(LogLevel.INFO);
            assertThat(heard(curious, "noted")).containsExactly(DETAIL, NEWS, UNNAMED);
            assertThat(heard(calm, "noted")).containsExactly(NEWS, UNNAMED);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_06_18"})
    void a_caller_gets_the_lines_of_its_level_from_the_part_of_the_server_that_wrote_them(Generation server)
            throws Exception {
        var http = Http.onPort(0);
        try (var behind = McpServer.builder("behind", "1.0")
                        .tool(BehindMain.noted())
                        .serve(http);
                var front = Front.of(
                        folder.resolve("gateway.db"),
                        Upstream.at("tests", http.url()).generation(server))) {
            assertLevels(front);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_06_18"})
    void lines_over_standard_input_and_output_are_of_the_only_call_under_way(Generation server) throws Exception {
        try (var front = Front.of(
                folder.resolve("gateway.db"), BehindMain.upstream("tests").generation(server))) {
            assertLevels(front);
            try (var one = front.client().connect();
                    var other = front.client().connect()) {
                one.logLevel(LogLevel.DEBUG);
                other.logLevel(LogLevel.DEBUG);
                Queue<CallUpdate> told = new ConcurrentLinkedQueue<>();
                var first = one.call(
                        "meet",
                        Json.EMPTY_OBJECT,
                        CallOptions.DEFAULT,
                        new UnknownCaller(Upstream.launch("test", List.of("test")).server),
                        told::add);
                assertThat(heard(other, "meet")).isEmpty();
                assertThat(GatewayTest.text(first.await())).contains("done");
                assertThat(told).noneMatch(CallUpdate.Log.class::isInstance);
            }
        }
    }

    @Test
    void a_task_keeps_the_lines_of_its_server_with_the_part_that_wrote_them() throws Exception {
        var started = BehindMain.upstream("tests").generation(Generation.V2025_06_18);
        try (var front = Front.of(folder.resolve("gateway.db"), started.longTools("noted"));
                var client = front.client().connect()) {
            var call = client.call("noted", Json.EMPTY_OBJECT);
            assertThat(GatewayTest.text(call.await())).contains("done");
            var history = client.tasks()
                    .asOperator()
                    .orElseThrow()
                    .history(
                            call.reference().orElseThrow().taskId(),
                            new HistoryRange(0, 100, Set.of(), null, Duration.ZERO));
            assertThat(history.toString()).contains("spins", "\"disk\"", "\"tests\"");
        }
    }
}
