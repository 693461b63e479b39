// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.serve.ServedFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A browser at the address of a real server. */
@Timeout(60)
class WelcomePageTest {
    private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    @TempDir
    Path folder;

    private ServedFile server;

    @BeforeEach
    void serve() throws IOException {
        var file = Files.writeString(folder.resolve("secrets.yaml"), "tools: {hidden: {command: [echo, done]}}");
        server = ServedFile.at(0, file, folder.resolve("data"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> get(String path, String accept) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(server.url()).resolve(path))
                    .header("Accept", accept);
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    @Test
    void a_browser_is_told_what_the_server_is_and_nothing_of_what_it_serves() throws Exception {
        for (var path : new String[] {"/", "/mcp"}) {
            var page = get(path, BROWSER);
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
            assertThat(page.body())
                    .contains("Model Context Protocol", "<code>/mcp</code>", "--console")
                    .doesNotContain("hidden", "secrets", folder.toString());
        }
        assertThat(get("/other", BROWSER).statusCode()).isEqualTo(404);
    }

    @Test
    void a_client_gets_no_page_from_the_endpoint() throws Exception {
        for (var accept : new String[] {"text/event-stream", "text/html, text/event-stream", "application/json"}) {
            assertThat(get("/mcp", accept).headers().firstValue("Content-Type").orElse(""))
                    .doesNotContain("html");
        }
    }
}
