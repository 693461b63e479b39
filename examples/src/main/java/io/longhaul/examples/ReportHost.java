// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import io.longhaul.client.CallFailedException;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.HandleStore;
import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.tasks.SqliteHandleStore;
import io.longhaul.protocol.json.Json;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A host that has {@link ReportServer} count the words of each given folder, and agrees to publish each report. Kill
 * the host while the server counts, and start it again: the host continues its open calls, and prints every report.
 *
 * <p>{@code examples/report-host http://127.0.0.1:8080/mcp FOLDER ...} starts it.
 */
public final class ReportHost {
    private ReportHost() {}

    record ReportRequest(String folder) {}

    record Report(String folder, int files, long words) {}

    public static void main(String[] args) throws InterruptedException {
        if (args.length == 0) {
            System.err.println("Say where the server is, and which folders it shall count: URL [FOLDER ...].");
            System.exit(2);
        }
        try (var handles = SqliteHandleStore.at(Path.of("report-host.db"))) {
            run(URI.create(args[0]), handles, List.of(args).subList(1, args.length));
        }
    }

    static void run(URI server, HandleStore handles, List<String> folders) throws InterruptedException {
        try (var client = connect(server, handles)) {
            var calls = new ArrayList<>(client.resumeAll());
            for (var folder : folders) {
                calls.add(client.call("word_report", new ReportRequest(folder)));
            }
            for (var call : calls) {
                print(call);
            }
        }
    }

    static McpClient connect(URI server, HandleStore handles) {
        return McpClient.to(server)
                .name("report-host", "1.0")
                .answers(QuestionHandler.NONE.forms(form -> new Reply.Accepted(Json.EMPTY_OBJECT)))
                .handles(handles)
                .connect();
    }

    private static void print(RemoteCall<CallOutcome> call) throws InterruptedException {
        try {
            System.out.println(call.as(Report.class).await());
        } catch (CallFailedException e) {
            System.err.println(e.getMessage());
        }
        call.acknowledge();
    }
}
