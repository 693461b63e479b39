// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.McpClient;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.server.McpServer;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples whose output is taken part by part. */
@Timeout(60)
class PartsTest {
    @TempDir
    Path folder;

    private final List<String> parts = new CopyOnWriteArrayList<>();

    private String call(Http http, Generation generation, String tool, String arguments) throws Exception {
        try (var client = McpClient.to(http.url()).generation(generation).connect()) {
            var call = client.call(tool, Json.raw(arguments));
            call.onUpdate(this::take);
            return text(((CallOutcome.ToolResult) call.await()).result());
        }
    }

    private void take(CallUpdate update) {
        if (update instanceof CallUpdate.Part part) {
            parts.addAll(pieces(part.result()));
        }
    }

    /** The pieces of output in one part. */
    private static List<String> pieces(Json result) {
        var pieces = new ArrayList<String>();
        JsonTree.read(result)
                .path("content")
                .forEach(item -> pieces.add(item.path("text").asString()));
        pieces.remove("This is the first part of the output; the work goes on.");
        return pieces;
    }

    private static String text(Json result) {
        return JsonTree.read(result).path("content").path(0).path("text").asString();
    }

    private McpServer serveOrders(Http http) throws Exception {
        var orders = Orders.at(folder.resolve("orders.db"));
        orders.fill(200);
        return QueryServer.start(folder.resolve("tasks.db"), orders, http);
    }

    @Test
    void orders_are_paged_through_and_counted_in_the_end() throws Exception {
        var http = Http.onPort(0);
        try (var server = serveOrders(http)) {
            var end = call(http, Generation.SEP_1003, "find_orders", "{\"city\":\"Oslo\"}");
            assertThat(end).isEqualTo("These are all 50 orders of Oslo.");
            assertThat(parts).hasSize(3);
            assertThat(String.join("\n", parts).lines()).hasSize(50).doesNotHaveDuplicates();
        }
    }

    @Test
    void a_client_follows_the_tokens_also_in_a_generation_that_has_none() throws Exception {
        var http = Http.onPort(0);
        try (var server = serveOrders(http)) {
            call(http, Generation.SEP_1003, "find_orders", "{\"city\":\"Oslo\"}");
            int before = parts.size();
            var end = call(http, Generation.V2025_06_18, "find_orders", "{\"city\":\"Lima\"}");
            assertThat(end).isEqualTo("These are all 50 orders of Lima.");
            assertThat(parts).hasSize(before + 3);
        }
    }

    @Test
    void a_rollout_is_accepted_at_once_and_each_replica_is_told_once_across_a_restart() throws Exception {
        var tasks = folder.resolve("tasks.db");
        var services = folder.resolve("services");
        var http = Http.onPort(0);
        var first = new Cluster(services, 3, Duration.ofMillis(100));
        var server = RolloutServer.start(tasks, first, http);
        try (var client =
                McpClient.to(http.url()).generation(Generation.SEP_1003).connect()) {
            var call = client.call("roll_out", Json.raw("{\"service\":\"shop\",\"version\":\"2\"}"));
            var second = new CompletableFuture<Void>();
            call.onUpdate(update -> {
                take(update);
                if (parts.contains("2 of 3 replicas run version 2.")) {
                    second.complete(null);
                }
            });
            second.join();
            server.close();
            first.close();
            try (var cluster = new Cluster(services, 3, Duration.ZERO);
                    var next = RolloutServer.start(
                            tasks, cluster, Http.onPort(http.url().getPort()))) {
                assertThat(text(((CallOutcome.ToolResult) call.await()).result()))
                        .isEqualTo("shop runs version 2 everywhere.");
            }
        }
        assertThat(parts)
                .containsExactly(
                        "Accepted: shop is to run version 2. No replica is known to run it yet.",
                        "1 of 3 replicas run version 2.",
                        "2 of 3 replicas run version 2.",
                        "3 of 3 replicas run version 2.");
    }

    @Test
    void a_later_rollout_of_a_service_ends_an_earlier_one() throws Exception {
        try (var cluster = new Cluster(folder.resolve("services"), 2, Duration.ofDays(1))) {
            cluster.want("shop", "1");
            cluster.want("shop", "2");
            assertThatThrownBy(() -> cluster.await(1, "shop", "1"))
                    .hasMessage("Another rollout has begun, of version 2.");
        }
    }
}
