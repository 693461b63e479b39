// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.tasks.SqliteHandleStore;
import io.longhaul.transport.http.Http;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReportHostTest {
    @TempDir
    Path folder;

    @Test
    void a_host_prints_the_reports_of_calls_that_an_earlier_process_left_open_and_of_its_own() throws Exception {
        var texts = Files.createDirectory(folder.resolve("texts"));
        Files.writeString(texts.resolve("a.txt"), "one two three");
        var http = Http.onPort(0);
        try (var server = ReportServer.start(folder.resolve("reports.db"), http);
                var handles = SqliteHandleStore.at(folder.resolve("host.db"))) {
            try (var earlier = ReportHost.connect(http.url(), handles)) {
                earlier.call("word_report", new ReportHost.ReportRequest(texts.toString()))
                        .reference();
            }
            var printed = printed(() -> ReportHost.run(http.url(), handles, List.of(texts.toString())));
            assertThat(printed).hasSize(2).containsOnly(new ReportHost.Report(texts.toString(), 1, 3).toString());
            assertThat(handles.all()).isEmpty();
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static List<String> printed(Action action) throws Exception {
        var before = System.out;
        var bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
