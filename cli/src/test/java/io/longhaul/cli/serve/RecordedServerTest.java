// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.longhaul.cli.audit.AuditTrail;
import io.longhaul.cli.config.ServerFile;
import io.longhaul.server.LogLines;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
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
        try (var server = FileServer.start(ServerFile.read(file), new DataFolder(data, DataKeys.NONE), http);
                var client = HttpClient.newHttpClient()) {
            for (var call : calls) {
                client.send(request(http, call), BodyHandlers.ofString());
            }
        }
        return Files.readString(data.resolve(AuditTrail.FILE));
    }

    private static HttpRequest request(Http http, String call) throws IOException {
        var tool = call.substring(0, call.indexOf(' '));
        var body = """
                {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s,"_meta":{
                "io.modelcontextprotocol/protocolVersion":"2026-07-28",
                "io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},
                "io.modelcontextprotocol/clientCapabilities":{}}}}
                """.formatted(tool, call.substring(tool.length()));
        return HttpRequest.newBuilder(URI.create(http.url().toString()))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "tools/call")
                .header("Mcp-Name", tool)
                .header("Authorization", "Bearer " + SECRET)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    @Test
    void calls_are_in_the_log_and_what_became_of_their_tasks_in_the_audit_log() throws Exception {
        var audit = audited("leaks {\"token\":\"x\"}", "nothing {}");
        assertThat(audit.lines())
                .anyMatch(line -> line.contains("\"event\":\"created\"") && line.contains("\"tool\":\"leaks\""))
                .anyMatch(line -> line.contains("\"event\":\"read\""))
                .anyMatch(line -> line.contains("\"event\":\"refused\"") && line.contains("\"rule\":\"unknown-tool\""))
                .allMatch(line -> line.contains("\"address\":\"127.0.0.1\""));
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
