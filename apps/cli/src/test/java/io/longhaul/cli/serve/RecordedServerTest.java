// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.longhaul.cli.audit.AuditTrail;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.server.FileServer;
import io.longhaul.file.ServerFile;
import io.longhaul.server.LogLines;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebRequests;
import io.longhaul.transport.http.Http;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a served file writes down of its calls. */
@Timeout(60)
class RecordedServerTest {

    private static final String SECRET = "eyJhbGciOi.secret-token.7f3a";

    @TempDir
    Path folder;

    @AutoClose
    private final LogLines log = new LogLines("io.longhaul");

    private List<String> logged() {
        return log.all().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** Serves, makes the calls, and ends. */
    private String audited(String... calls) throws Exception {
        var file = Files.writeString(folder.resolve("a.yaml"), """
                tools:
                  - name: leaks
                    description: Fails with what it was told
                    input: {token: string}
                    command: [sh, -c, 'echo "$1" >&2; exit 3', leaks, "{token}"]
                """);
        var data = folder.resolve("data");
        var http = Http.onPort(0);
        try (var server = FileServer.start(ServerFile.read(file), new DataFolder(data, DataKeys.NONE), http)) {
            var client =
                    new StatelessClient<>(WebRequests.to(http.url()).with("Authorization", "Bearer " + SECRET), "{}");
            for (var call : calls) {
                var words = call.split(" ", 2);
                client.call(words[0], words[1]).messages();
            }
        }
        return Files.readString(data.resolve(AuditTrail.FILE));
    }

    @Test
    void calls_are_in_the_log_and_what_became_of_their_tasks_in_the_audit_log() throws Exception {
        var audit = audited("leaks {\"token\":\"x\"}", "nothing {}");
        assertThat(audit.lines())
                .anyMatch(line -> line.contains("\"event\":\"created\"") && line.contains("\"tool\":\"leaks\""))
                .anyMatch(line -> line.contains("\"event\":\"read\""))
                .anyMatch(line -> line.contains("\"event\":\"refused\"") && line.contains("\"rule\":\"unknown-tool\""))
                .allMatch(line -> line.contains("\"address\":\"127.0.0.1\""));
        assertThat(log.all())
                .filteredOn(line -> line.getLoggerName().equals("io.longhaul.calls"))
                .hasSize(2)
                .allMatch(line -> line.getLevel().equals(Level.INFO));
        assertThat(logged())
                .anyMatch(line -> line.matches("leaks tool error in \\d+ ms \\(2026-07-28, task \\w{14}\\.\\.\\.\\)"))
                .anyMatch(line -> line.matches("nothing refused in \\d+ ms \\(2026-07-28\\)"));
    }

    @Test
    void a_token_in_a_header_in_arguments_and_in_an_error_is_in_no_line() throws Exception {
        var audit = audited("leaks {\"token\":\"" + SECRET + "\"}", "leaks {\"tokens\":\"" + SECRET + "\"}");
        assertThat(audit).isNotEmpty().doesNotContain(SECRET);
        assertThat(logged()).anyMatch(line -> line.startsWith("leaks ")).noneMatch(line -> line.contains(SECRET));
    }
}
