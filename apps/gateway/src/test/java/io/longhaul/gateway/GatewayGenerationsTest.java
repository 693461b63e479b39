// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOptions;
import io.longhaul.client.McpClient;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client of each generation uses a server of each generation through a gateway. */
class GatewayGenerationsTest {

    @TempDir
    Path folder;

    @Test
    @Timeout(300)
    void a_client_of_each_generation_uses_a_server_of_each_generation() throws Exception {
        var generations = ClientDialects.spoken();
        var seen = new LinkedHashMap<Generation, Set<String>>();
        try (var behind = new Behind(folder.resolve("behind.db"))) {
            for (var server : generations) {
                var upstream = Upstream.at("tests", behind.address())
                        .generation(server)
                        .longTools("job")
                        .quickTools("echo");
                try (var front = Front.of(folder.resolve(server.label() + ".db"), upstream)) {
                    for (var client : generations) {
                        seen.computeIfAbsent(client, first -> new TreeSet<>()).add(cell(front, behind, client, server));
                    }
                }
            }
        }
        var row = seen.entrySet().stream()
                .map(client -> client.getKey().label() + " " + String.join(" or ", client.getValue()))
                .collect(Collectors.joining(", "));
        assertThat(Files.readString(Path.of("../../docs/GATEWAY.md")).replace('\n', ' '))
                .contains(": " + row + ".");
    }

    /** A server of Longhaul takes the same call again: this holds for generations without tasks, too. */
    @ParameterizedTest
    @MethodSource("io.longhaul.protocol.dialect.ClientDialects#spoken")
    @Timeout(60)
    void a_call_goes_on_when_its_gateway_is_started_again(Generation server) throws Exception {
        try (var behind = new Behind(folder.resolve("behind.db"))) {
            var upstream =
                    Upstream.at("tests", behind.address()).generation(server).longTools("job");
            String task;
            try (var front = Front.of(folder.resolve("gateway.db"), upstream);
                    var client = front.client().connect()) {
                var call = client.call("job", Map.of("name", "kept"));
                task = call.reference().orElseThrow().taskId();
                behind.awaitBegun("kept");
            }
            try (var front = Front.of(folder.resolve("gateway.db"), upstream);
                    var client = front.client().connect()) {
                behind.open("kept");
                assertThat(client.tasks().result(task).toString()).contains("done kept");
            }
            assertThat(behind.runs("kept")).isEqualTo(1);
        }
    }

    /** What a long call is there: a task to the client, or an answer that is waited for. */
    private static String cell(Front front, Behind behind, Generation generation, Generation server)
            throws InterruptedException {
        var name = generation.label() + " to " + server.label();
        behind.open(name);
        try (McpClient client = front.client().generation(generation).connect()) {
            assertThat(client.call("echo", Map.of("text", name)).await().toString())
                    .as(name)
                    .contains("echo " + name);
            var call = client.call("job", Map.of("name", name), CallOptions.DEFAULT);
            assertThat(call.await().toString()).as(name).contains("done " + name);
            assertThat(behind.runs(name)).as(name).isEqualTo(1);
            return call.reference().isPresent() ? "task" : "answer";
        }
    }
}
