// SPDX-License-Identifier: Apache-2.0
package io.longhaul.pages;

import io.longhaul.client.CallFailedException;
import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.TaskReference;
import io.longhaul.client.tasks.SqliteHandleStore;
import io.longhaul.protocol.json.Json;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The Java of docs/CLIENT.md. */
abstract class ClientListings extends ReadmeListings {

    abstract Json ask(String message, Json schema);

    abstract void tell(Object what);

    void first() throws InterruptedException {
        try (var client = McpClient.to(URI.create("http://127.0.0.1:8080/mcp")).connect()) {
            var call = client.call("generate_report", Map.of("quarter", "2026-Q3"));
            call.onProgress(progress -> show(progress.current()));
            Report report = call.as(Report.class).await();
            save(report);
        }
    }

    void launched() {
        try (var client = McpClient.launch(List.of("longhaul", "serve", "reports.yaml", "--stdio"))
                .connect()) {
            client.tools().forEach(tool -> tell(tool.name()));
        }
    }

    void outlives() throws InterruptedException {
        try (var handles = SqliteHandleStore.at(Path.of("calls.db"));
                var client = McpClient.to(URI.create("https://reports.example/mcp"))
                        .handles(handles)
                        .connect()) {
            for (var open : client.resumeAll()) {
                switch (open.await()) {
                    case CallOutcome.ToolResult result -> tell(result.result());
                    case CallOutcome.Failed failed -> tell(failed.reason());
                }
                open.acknowledge();
            }
        }
    }

    void references(McpClient client) throws InterruptedException {
        var call = client.call("generate_report", new ReportRequest("2026-Q3"));
        String text = call.reference().orElseThrow().toString(); // keep it anywhere

        var later = client.attach(TaskReference.parse(text)); // in any process
        save(later.as(Report.class).await());
    }

    void questions() {
        var answers = QuestionHandler.NONE
                .forms(form -> new Reply.Accepted(ask(form.message(), form.schema())))
                .links(link -> new Reply.Declined());
        var client = McpClient.to(URI.create("https://reports.example/mcp")).answers(answers);
        tell(client);
    }

    void failures(McpClient client) throws InterruptedException {
        try {
            save(client.call("generate_report", new ReportRequest("2026-Q3"))
                    .as(Report.class)
                    .await());
        } catch (CallFailedException e) {
            switch (e.failure().kind()) {
                case TOOL_ERROR, PROTOCOL_ERROR -> tell(e.getMessage());
                case LOST, OUTCOME_UNKNOWN -> tell("Look before you call again: " + e.getMessage());
                default -> throw e;
            }
        }
    }

    void options(McpClient client) {
        var options = CallOptions.DEFAULT
                .withTtl(Duration.ofHours(24)) // how long the server keeps the result
                .withTimeout(Duration.ofHours(2)) // then the call is cancelled
                .withCreationKey("report-2026-Q3"); // the same call again finds the same task
        tell(client.call("generate_report", new ReportRequest("2026-Q3"), options));
    }
}
