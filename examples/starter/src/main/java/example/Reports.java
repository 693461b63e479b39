// SPDX-License-Identifier: Apache-2.0
package example;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.McpServer;
import io.longhaul.server.TaskContext;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.util.List;

/** A server with one long tool. Kill the server while it works, and start it again: no page is written twice. */
public final class Reports {

    public static void main(String[] args) throws InterruptedException {
        var http = Http.onPort(args.length > 0 ? Integer.parseInt(args[0]) : 8080);
        try (var server = McpServer.builder("reports", "1.0")
                .toolsOf(new Reports())
                .store(SqliteTaskStore.at(Path.of("reports.db")))
                .serve(http)) {
            System.out.println("reports are made at " + http.url());
            server.awaitEnd();
        }
    }

    @McpTool(description = "Writes a report, page by page")
    @McpLongRunning(onCrash = CrashPolicy.RESTART, timeout = "2h")
    public Report report(TaskContext task, List<String> pages) throws Exception {
        for (int i = 0; i < pages.size(); i++) {
            var page = pages.get(i);
            task.step(page, String.class, () -> write(page));
            task.progress(i + 1, pages.size(), page);
        }
        return new Report(pages.size());
    }

    public record Report(int pages) {}

    private static String write(String page) throws InterruptedException {
        Thread.sleep(500);
        return page + " is written";
    }
}
