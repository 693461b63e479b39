package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.protocol.json.Json;
import io.longhaul.transport.http.Http;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReportServerTest {
    @TempDir
    Path folder;

    @Test
    void the_words_are_counted_and_somebody_is_asked() throws Exception {
        Files.writeString(folder.resolve("a.txt"), "one two\nthree");
        Files.writeString(folder.resolve("b.txt"), "four");
        var yes =
                QuestionHandler.NONE.forms(form -> new QuestionHandler.Reply.Accepted(Json.raw("{\"publish\":true}")));
        var http = Http.onPort(0);
        try (var server = ReportServer.start(folder.resolve("reports.db"), http);
                var client = McpClient.to(http.url()).answers(yes).connect()) {
            var outcome = client.call("word_report", Json.raw("{\"folder\":\"" + folder + "\"}"))
                    .await();
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            CallOutcome.ToolResult.class,
                            result -> assertThat(result.result())
                                    .asString()
                                    .contains("\"files\":2")
                                    .contains("\"words\":4")
                                    .contains("\"published\":true"));
        }
    }
}
