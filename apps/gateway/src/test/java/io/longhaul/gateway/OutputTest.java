// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.McpClient;
import io.longhaul.client.ResourcePart;
import io.longhaul.client.ServerAddress;
import io.longhaul.client.TaskReference;
import io.longhaul.engine.TaskLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The partial output of a server of Longhaul becomes that of the gateway's task. */
@Timeout(120)
class OutputTest {

    @TempDir
    Path folder;

    private Behind behind;

    @BeforeEach
    void start() {
        behind = new Behind(folder.resolve("behind.db"));
    }

    @AfterEach
    void stop() {
        behind.close();
    }

    private Front front() {
        return Front.of(folder.resolve("gateway.db"), Upstream.at("tests", behind.address()));
    }

    private static List<String> output(McpClient client, String task) {
        return client.resources().read("longhaul://tasks/" + task + "/output").stream()
                .map(part -> ((ResourcePart.Text) part).text())
                .toList();
    }

    @Test
    void each_piece_is_stored_once_by_a_gateway_that_is_started_again_in_the_middle() throws Exception {
        TaskReference reference;
        try (var front = front();
                var client = front.client().connect()) {
            var told = new LinkedBlockingQueue<CallUpdate.Part>();
            var call = client.call("job", Map.of("name", "kept", "output", true));
            call.onUpdate(update -> {
                if (update instanceof CallUpdate.Part part) {
                    told.add(part);
                }
            });
            told.take();
            told.take();
            reference = call.reference().orElseThrow();
        }
        try (var front = front();
                var client = front.client().connect()) {
            var again = client.attach(new TaskReference(
                    new ServerAddress.Http(front.address()), reference.generation(), reference.taskId()));
            behind.open("kept");
            assertThat(GatewayTest.text(again.await())).contains("done kept");
            assertThat(output(client, reference.taskId()))
                    .containsExactly("first of kept", "{\"second\":\"kept\"}", "last of kept");
        }
    }

    @Test
    void a_piece_for_which_there_is_no_room_ends_the_output_and_not_the_call() throws Exception {
        behind.running.addTool(Tool.define("swells").longRunning().handler((input, task) -> {
            task.partial("small");
            task.partial("large".repeat(1_000));
            task.partial("small again");
            return "done";
        }));
        var http = Http.onPort(0);
        var limits = TaskLimits.builder().pieceBytes(1_000).build();
        var gateway =
                Gateway.to(SqliteTaskStore.at(folder.resolve("small.db")), Upstream.at("tests", behind.address()));
        var server = gateway.serve(McpServer.builder("gateway", "1.0").limits(limits), http);
        try (var front = new Front(gateway, server, http.url());
                var client = front.client().connect()) {
            gateway.awaitUpstreams(Duration.ofMinutes(1));
            var call = client.call("swells", Json.EMPTY_OBJECT, CallOptions.DEFAULT);
            assertThat(GatewayTest.text(call.await())).contains("done");
            assertThat(output(client, call.reference().orElseThrow().taskId())).containsExactly("small");
        }
    }
}
