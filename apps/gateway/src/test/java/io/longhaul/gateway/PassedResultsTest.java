// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryConnection;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.server.McpServer;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an upstream's generation adds to a result stays behind: its type, its server and the id of its task. */
class PassedResultsTest {

    private static final Set<String> OF_EVERY_GENERATION = Set.of("content", "isError");

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("io.longhaul.protocol.dialect.ClientDialects#spoken")
    @Timeout(60)
    void a_result_has_nothing_of_the_generation_of_its_server(Generation server) throws Exception {
        var front = new MemoryTransport();
        try (var behind = new Behind(folder.resolve("behind.db"));
                var gateway = Gateway.to(
                        SqliteTaskStore.at(folder.resolve("front.db")),
                        Upstream.at("tests", behind.address())
                                .generation(server)
                                .longTools("job")
                                .quickTools("echo"));
                var serving = gateway.serve(McpServer.builder("gateway", "1.0"), front);
                var next = opened(front, "next");
                var plain = opened(front, "2025-06-18")) {
            gateway.awaitUpstreams(Duration.ofMinutes(1));
            behind.open("x");
            for (var client : List.of(next, plain)) {
                assertPlain(ask(client, "tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"x\"}}"));
                assertPlain(
                        ask(client, "prompts/get", "{\"name\":\"plan\",\"arguments\":{\"topic\":\"x\"}}"), "messages");
            }
            assertPlain(ask(plain, "tools/call", "{\"name\":\"job\",\"arguments\":{\"name\":\"x\"}}"));
            var operation = ask(next, "tools/call", "{\"name\":\"job\",\"arguments\":{\"name\":\"x\"}}");
            var token = "{\"token\":" + operation.at("/operation/token") + "}";
            var status = ask(next, "tools/async/status", token).path("status");
            while (status.asString().equals("working") || status.asString().equals("submitted")) {
                status = ask(next, "tools/async/status", token).path("status");
            }
            assertPlain(ask(next, "tools/async/result", token).path("result"));
        }
    }

    private static void assertPlain(JsonNode result, String... more) {
        assertThat(result.isObject()).as("%s", result).isTrue();
        var names = Set.copyOf(result.propertyNames());
        assertThat(names).as("%s", result).isSubsetOf(with(more));
    }

    private static Set<String> with(String... more) {
        var all = new java.util.HashSet<>(OF_EVERY_GENERATION);
        all.addAll(List.of(more));
        return all;
    }

    private static MemoryConnection opened(MemoryTransport front, String version) {
        var client = front.connect(Principal.LOCAL);
        ask(
                client,
                "initialize",
                "{\"protocolVersion\":\"" + version + "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\","
                        + "\"version\":\"1\"}}");
        return client;
    }

    /** The result of a request; what comes meanwhile is not looked at. */
    private static JsonNode ask(MemoryConnection client, String method, String params) {
        client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + "}");
        var message = JsonMapper.shared().readTree(client.next());
        while (!message.has("id")) {
            message = JsonMapper.shared().readTree(client.next());
        }
        assertThat(message.has("error")).as("%s", message).isFalse();
        return message.path("result");
    }
}
