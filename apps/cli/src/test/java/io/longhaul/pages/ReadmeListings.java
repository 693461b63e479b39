// SPDX-License-Identifier: Apache-2.0
package io.longhaul.pages;

import static io.longhaul.engine.task.CrashPolicy.RESTART;

import io.longhaul.client.CallFailedException;
import io.longhaul.client.McpClient;
import io.longhaul.client.tasks.SqliteHandleStore;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;

/** The Java of README.md. */
abstract class ReadmeListings {

    record ReportRequest(String quarter) {}

    record Rows(int count) {}

    record Report(int rows) {
        static Report of(Rows rows) {
            return new Report(rows.count());
        }
    }

    static Rows load(ReportRequest request) {
        return new Rows(request.quarter().length());
    }

    abstract void save(Report report);

    abstract void show(double part);

    abstract void tell(String reason);

    void tool() {
        McpServer.builder("reports", "1.0")
                .tool(Tool.define("generate_report")
                        .description("Builds the quarterly report")
                        .input(ReportRequest.class)
                        .output(Report.class)
                        .longRunning(t ->
                                t.keepFor(Duration.ofHours(24)).onCrash(RESTART).timeout(Duration.ofHours(2)))
                        .handler((request, task) -> {
                            var rows = task.step("load", Rows.class, () -> load(request)); // once, also across a crash
                            task.progress(1, 3, "loaded");
                            task.approve("Publish?"); // a no ends the call, and the model reads that
                            return Report.of(rows);
                        }))
                .store(SqliteTaskStore.at(Path.of("reports.db")))
                .serve(Http.onPort(8080));
    }

    void host() throws Exception {
        try (var handles = SqliteHandleStore.at(Path.of("calls.db"));
                var client = McpClient.to(URI.create("https://reports.example/mcp"))
                        .handles(handles)
                        .connect()) {
            var calls = new ArrayList<>(client.resumeAll()); // calls that an earlier process made
            calls.add(client.call("generate_report", new ReportRequest("2026-Q3")));
            for (var call : calls) {
                call.onProgress(progress -> show(progress.current()));
                try {
                    save(call.as(Report.class).await()); // or call.future(); call.cancel(); call.state()
                } catch (CallFailedException e) {
                    tell(e.getMessage());
                }
                call.acknowledge(); // only now its handle goes
            }
        }
    }
}
