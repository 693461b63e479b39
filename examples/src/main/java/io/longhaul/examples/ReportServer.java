// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A server with one long tool in plain Java: the tool counts the words of the texts in a folder, and asks before it
 * hands the report out. Kill the server in the middle and start it again: no file is counted twice, and no question is
 * asked twice.
 *
 * <p>{@code examples/report-server} starts it, and then
 * {@code ./longhaul call http://127.0.0.1:8080/mcp word_report folder=FOLDER} calls it.
 */
public final class ReportServer {
    private ReportServer() {}

    record ReportRequest(String folder) {}

    record Report(String folder, int files, long words) {}

    public static void main(String[] args) throws InterruptedException {
        var http = Http.onPort(args.length > 0 ? Integer.parseInt(args[0]) : 8080);
        try (var server = start(Path.of(args.length > 1 ? args[1] : "reports.db"), http)) {
            System.err.println("reports are made at " + http.url());
            server.awaitEnd();
        }
    }

    static McpServer start(Path database, Http http) {
        return McpServer.builder("reports", "1.0")
                .tool(wordReport())
                .store(SqliteTaskStore.at(database))
                .serve(http);
    }

    static Tool wordReport() {
        return Tool.define("word_report")
                .description("Counts the words of the texts in a folder.")
                .input(ReportRequest.class)
                .output(Report.class)
                .longRunning(t -> t.keepFor(Duration.ofHours(24))
                        .onCrash(CrashPolicy.RESTART)
                        .timeout(Duration.ofHours(2)))
                .handler((request, task) -> {
                    var files = texts(Path.of(request.folder()));
                    long words = 0;
                    for (int i = 0; i < files.size(); i++) {
                        var file = files.get(i);
                        words += task.step("count " + i, Long.class, () -> count(file));
                        task.progress(i + 1, files.size(), file.getFileName().toString());
                    }
                    task.approve("Publish the report?");
                    return new Report(request.folder(), files.size(), words);
                });
    }

    private static List<Path> texts(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(".txt")).sorted().toList();
        }
    }

    private static long count(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.flatMap(line -> Stream.of(line.strip().split("\\s+")))
                    .filter(word -> !word.isEmpty())
                    .count();
        }
    }
}
