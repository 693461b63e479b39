// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.protocol.json.Json;
import io.longhaul.transport.http.Http;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReportServerTest {
    @TempDir
    Path folder;

    private record WordReport(int files, int words) {}

    @Test
    void the_words_are_counted_and_somebody_is_asked() throws Exception {
        Files.writeString(folder.resolve("a.txt"), "one two\nthree");
        Files.writeString(folder.resolve("b.txt"), "four");
        var yes = QuestionHandler.NONE.forms(form -> new QuestionHandler.Reply.Accepted(Json.EMPTY_OBJECT));
        var http = Http.onPort(0);
        try (var server = ReportServer.start(folder.resolve("reports.db"), http);
                var client = McpClient.to(http.url()).answers(yes).connect()) {
            var report = client.call("word_report", Map.of("folder", folder.toString()))
                    .as(WordReport.class)
                    .await();
            assertThat(report).isEqualTo(new WordReport(2, 4));
        }
    }
}
