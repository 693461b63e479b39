// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

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
            call.onUpdate(update -> {
                if (update instanceof CallUpdate.Part part) {
                    parts.addAll(pieces(part.result()));
                }
            });
            return text(((CallOutcome.ToolResult) call.await()).result());
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
    void a_client_that_knows_no_tokens_has_the_first_page_and_that_it_is_the_first() throws Exception {
        var http = Http.onPort(0);
        try (var server = serveOrders(http)) {
            call(http, Generation.SEP_1003, "find_orders", "{\"city\":\"Oslo\"}");
            int before = parts.size();
            var first = call(http, Generation.V2025_06_18, "find_orders", "{\"city\":\"Lima\"}");
            assertThat(first.lines()).hasSize(Orders.PAGE);
            assertThat(parts).hasSize(before);
        }
    }

    @Test
    void a_rollout_is_accepted_at_once_and_told_replica_by_replica() throws Exception {
        var http = Http.onPort(0);
        var cluster = new Cluster(3, Duration.ofMillis(1));
        try (var server = RolloutServer.start(folder.resolve("tasks.db"), cluster, http)) {
            var end = call(http, Generation.SEP_1003, "roll_out", "{\"service\":\"shop\",\"version\":\"2\"}");
            assertThat(end).isEqualTo("shop runs version 2 everywhere.");
            assertThat(parts)
                    .first()
                    .isEqualTo("Accepted: shop is to run version 2. No replica is known to run it yet.");
            assertThat(parts).last().isEqualTo("3 of 3 replicas run version 2.");
        }
    }
}
