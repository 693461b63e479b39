// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.RemoteCall;
import io.longhaul.engine.run.Retry;
import io.longhaul.gateway.limit.CallLimits;
import io.longhaul.server.McpServer;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ten servers behind one gateway, nine of which are ill. */
class TortureTest {

    private static final List<String> ILLNESSES =
            List.of("well", "hanging", "crashing", "flapping", "changing", "huge", "lying", "noisy", "silent", "dead");
    private static final int ROUNDS = Integer.getInteger("longhaul.gateway.rounds", 2);
    private static final int KILLS = Integer.getInteger("longhaul.gateway.kills", 3);

    @TempDir
    Path folder;

    private Upstream upstream(String illness) {
        // A gateway that retried a call which may have begun would do its work twice.
        var limits = new CallLimits(4, null, Duration.ofSeconds(2), new Retry(2, Duration.ofMillis(50)));
        return IllMain.upstream(folder, illness).limits(limits);
    }

    private int noted(String server, String key) throws IOException {
        var notes = folder.resolve(server);
        return Files.exists(notes)
                ? (int) Files.readAllLines(notes).stream().filter(key::equals).count()
                : 0;
    }

    /** What a caller was told is true: what was done was done once, and what was not begun was not done. */
    private void assertTold(String server, String key, CallOutcome outcome) throws IOException {
        var told = outcome.toString();
        var about = server + " " + key + " " + told.substring(0, Math.min(300, told.length()));
        int done = noted(server, key);
        assertThat(done).as(about).isLessThanOrEqualTo(1);
        if (outcome instanceof CallOutcome.ToolResult) {
            assertThat(done).as(about).isOne();
            assertThat(GatewayTest.text(outcome)).as(about).contains("did " + key);
        } else if (isTold(outcome, "has not begun", "is out of reach. Try", "is not called", "no tool")) {
            assertThat(done).as(about).isZero();
        } else {
            assertThat(outcome).as(about).isInstanceOf(CallOutcome.Failed.class);
        }
    }

    private static boolean isTold(CallOutcome outcome, String... words) {
        return outcome instanceof CallOutcome.Failed failed && Stream.of(words).anyMatch(failed.reason()::contains);
    }

    private static void awaitTool(McpClient client, String tool) throws InterruptedException {
        ListingsTest.awaitTool(client, its -> its.name().equals(tool));
    }

    /** A gateway that did not wait for its servers. */
    private Front front(Upstream... upstreams) {
        var http = Http.onPort(0);
        var gateway = Gateway.to(SqliteTaskStore.at(folder.resolve("gateway.db")), upstreams);
        return new Front(gateway, gateway.serve(McpServer.builder("gateway", "1.0"), http), http.url());
    }

    @Test
    @Timeout(900)
    void each_call_is_made_once_or_told_as_unknown_and_the_healthy_server_is_served_meanwhile() throws Exception {
        var upstreams = ILLNESSES.stream().map(this::upstream).toArray(Upstream[]::new);
        try (var front = front(upstreams);
                var client = front.client().connect()) {
            awaitTool(client, "well_work");
            for (int round = 0; round < ROUNDS; round++) {
                var ill = new LinkedHashMap<String, Map<String, RemoteCall<CallOutcome>>>();
                for (var illness : ILLNESSES.subList(1, ILLNESSES.size())) {
                    var calls = new LinkedHashMap<String, RemoteCall<CallOutcome>>();
                    for (int i = 0; i < 5; i++) {
                        var key = illness + "-" + round + "-" + i;
                        calls.put(key, client.call(illness + "_work", Map.of("key", key)));
                    }
                    ill.put(illness, calls);
                }
                for (int i = 0; i < 20; i++) {
                    var key = "well-" + round + "-" + i;
                    var outcome = client.call("well_work", Map.of("key", key)).await();
                    assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
                    assertTold("well", key, outcome);
                }
                for (var server : ill.entrySet()) {
                    for (var call : server.getValue().entrySet()) {
                        assertTold(
                                server.getKey(), call.getKey(), call.getValue().await());
                    }
                }
            }
            var states = front.server().statistics().upstreams();
            assertThat(states).extracting(one -> one.name()).containsExactlyElementsOf(ILLNESSES);
            assertThat(states.getFirst().state()).isEqualTo("up");
            assertThat(states.getFirst().calls().ended()).isEqualTo(20L * ROUNDS);
            assertThat(states.getFirst().calls().errors()).isZero();
            assertThat(states.getLast().state()).isIn("away", "silent");
            assertThat(states.getLast().why()).contains("ended");
            assertThat(Files.size(folder.resolve("dead.starts"))).isLessThan(20);
        }
    }

    @Test
    @Timeout(1800)
    void a_call_is_made_once_or_told_as_unknown_whenever_a_server_or_its_gateway_is_killed() throws Exception {
        var random = new Random(48);
        var all = new LinkedHashMap<String, CallOutcome>();
        var gateway = start(0);
        var address = URI.create(gateway.inputReader().readLine());
        try {
            for (int kill = 0; kill < KILLS; kill++) {
                try (var client = McpClient.to(address).connect()) {
                    var calls = new LinkedHashMap<String, RemoteCall<CallOutcome>>();
                    for (int i = 0; i < 5; i++) {
                        var key = kill + "-" + i;
                        calls.put(key, client.call("well_work", Map.of("key", key)));
                    }
                    // At any moment of these calls.
                    for (var call :
                            calls.values().stream().limit(random.nextInt(4)).toList()) {
                        call.await();
                    }
                    if (kill % 2 == 0) {
                        gateway.destroyForcibly().waitFor();
                        gateway = restarted(address.getPort());
                    } else {
                        gateway.children().forEach(ProcessHandle::destroyForcibly);
                    }
                    for (var call : calls.entrySet()) {
                        all.put(call.getKey(), call.getValue().await());
                    }
                }
            }
        } finally {
            gateway.destroyForcibly();
        }
        for (var call : all.entrySet()) {
            assertTold("well", call.getKey(), call.getValue());
        }
        assertThat(all.values()).anyMatch(CallOutcome.ToolResult.class::isInstance);
    }

    private Process start(int port) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        IllGatewayMain.class.getName(),
                        folder.toString(),
                        String.valueOf(port)))
                .redirectError(folder.resolve("gateway.log").toFile())
                .start();
    }

    /** A connection of another program may have the port for a moment. */
    private Process restarted(int port) throws IOException {
        var process = start(port);
        while (process.inputReader().readLine() == null) {
            process = start(port);
        }
        return process;
    }
}
