// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * A server with a tool that ranks the orders of a city, page by page, for some minutes: the first page comes at once,
 * and a client that takes resume tokens calls again for each next page that it wants. Kill the server half-way and
 * start it again: the client's token continues with the first page that the client has not seen.
 *
 * <p>{@code examples/query-server} starts it, and then
 * {@code ./longhaul call http://127.0.0.1:8080/mcp find_orders city=Oslo --generation sep-1003} calls it.
 */
public final class QueryServer {

    private QueryServer() {}

    record Query(String city) {}

    public static void main(String[] args) throws Exception {
        var http = Http.onPort(args.length > 0 ? Integer.parseInt(args[0]) : 8080);
        var folder = Path.of(args.length > 1 ? args[1] : ".");
        var orders = Orders.at(folder.resolve("orders.db"));
        orders.fill(40_000);
        try (var server = start(folder.resolve("tasks.db"), orders, http)) {
            System.err.println("orders are found at " + http.url());
            server.awaitEnd();
        }
    }

    static McpServer start(Path tasks, Orders orders, Http http) {
        return McpServer.builder("orders", "1.0")
                .tool(Tool.define("find_orders")
                        .description(
                                "Finds the orders of a city, page by page; the last answer says how many there are.")
                        .input(Query.class)
                        .readOnly()
                        .longRunning(t -> t.onCrash(CrashPolicy.RESTART).resumeAlways())
                        .handler((query, task) -> {
                            // After a crash, the pages that were emitted before are not emitted again.
                            for (int page = task.partialCount(); ; page++) {
                                List<String> rows = orders.page(query.city(), page);
                                if (rows.isEmpty()) {
                                    return total(orders, query);
                                }
                                task.partial(String.join("\n", rows));
                            }
                        }))
                .store(SqliteTaskStore.at(tasks))
                .serve(http);
    }

    private static String total(Orders orders, Query query) throws SQLException {
        return "These are all " + orders.count(query.city()) + " orders of " + query.city() + ".";
    }
}
