// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FaultyNetwork;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Client and server over a network that fails: no call is lost, and none runs twice. */
@Timeout(60)
class FaultyNetworkTest {

    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final Http http = Http.onPort(0);
    private final McpServer server = McpServer.builder("real", "1.0")
            .tool(Tool.define("slow").longRunning().handler((input, task) -> {
                runs.incrementAndGet();
                begun.countDown();
                gate.await();
                return "a result that is long enough to be torn";
            }))
            .store(new MemoryTaskStore())
            .serve(http);
    private final FaultyNetwork network = new FaultyNetwork(http.port());

    @AfterEach
    void close() {
        gate.countDown();
        network.close();
        server.close();
    }

    private McpClient client(Generation generation) {
        return McpClient.to(URI.create("http://127.0.0.1:" + network.port() + "/mcp"))
                .generation(generation)
                .connect();
    }

    /** All whose calls outlive their connection. */
    static List<Generation> lasting() {
        return RealServerTest.naming();
    }

    private void endsOnce(RemoteCall<CallOutcome> call) throws Exception {
        begun.await();
        gate.countDown();
        var outcome = call.await();
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(((CallOutcome.ToolResult) outcome).result().toString()).contains("long enough to be torn");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void an_answer_that_is_torn_in_the_middle_is_fetched_again(Generation generation) throws Exception {
        try (var client = client(generation)) {
            network.tearNext("long enough to be torn");
            endsOnce(client.call("slow", Json.EMPTY_OBJECT));
            network.awaitTorn();
        }
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void a_creation_that_is_torn_before_its_answer_runs_once(Generation generation) throws Exception {
        try (var client = client(generation)) {
            network.tearNextAfter(0);
            endsOnce(client.call("slow", Json.EMPTY_OBJECT));
            network.awaitTorn();
        }
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void a_creation_that_comes_twice_runs_once(Generation generation) throws Exception {
        try (var client = client(generation)) {
            network.deliverTwice("\"slow\"");
            endsOnce(client.call("slow", Json.EMPTY_OBJECT));
            assertThat(network.awaitTwin()).startsWith("HTTP/1.1 ");
            assertThat(runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void a_call_goes_on_after_everything_has_vanished_for_a_while(Generation generation) throws Exception {
        try (var client = client(generation)) {
            var call = client.call("slow", Json.EMPTY_OBJECT);
            begun.await();
            network.vanish();
            gate.countDown();
            network.awaitVanished();
            network.heal();
            endsOnce(call);
        }
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void messages_that_come_byte_by_byte_are_read(Generation generation) throws Exception {
        network.carry(1);
        try (var client = client(generation)) {
            endsOnce(client.call("slow", Json.EMPTY_OBJECT));
        }
    }
}
