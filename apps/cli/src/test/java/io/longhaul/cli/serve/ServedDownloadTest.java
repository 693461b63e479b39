// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.server.FileServer;
import io.longhaul.cli.text.JsonText;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.engine.store.NodeRole;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.file.ServerFile;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.testkit.NeedsPostgres;
import io.longhaul.transport.Stdio;
import io.longhaul.transport.http.Http;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** An export of an API, which is longer than an answer may be and than a message may be. */
@Timeout(120)
class ServedDownloadTest {

    private static final int PIECES = 20 << 10;

    @TempDir
    Path folder;

    private LocalHttp api;

    @BeforeEach
    void begin() throws IOException {
        api = new LocalHttp("/", this::serve);
    }

    @AfterEach
    void end() {
        api.close();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            exchange.getResponseHeaders().set("Content-Type", path.endsWith(".csv") ? "text/csv" : "application/json");
            switch (path) {
                case "/exports" -> say(exchange, 201, "{\"id\":7}");
                case "/exports/7" -> say(exchange, 200, "{\"state\":\"done\"}");
                default -> {
                    exchange.sendResponseHeaders(200, PIECES * 1024L);
                    for (int i = 0; i < PIECES; i++) {
                        exchange.getResponseBody().write("x".repeat(1024).getBytes(UTF_8));
                    }
                }
            }
        }
    }

    private static void say(HttpExchange exchange, int status, String json) throws IOException {
        exchange.sendResponseHeaders(status, json.length());
        exchange.getResponseBody().write(json.getBytes(UTF_8));
    }

    private ServerFile file(String more) throws IOException {
        return ServerFile.read(
                Files.writeString(folder.resolve("tools.yaml"), """
                tools:
                  export:
                    http:
                      url: ORIGIN/exports
                      id: /id
                      status: {url: "ORIGIN/exports/{job.id}", state: /state, every: 10ms}
                      result: {url: "ORIGIN/exports/{job.id}/all.csv", download: 1h}
                """.replace("ORIGIN", api.origin()) + more));
    }

    private FileServer serve(Http http) throws IOException {
        return FileServer.start(file(""), new DataFolder(folder.resolve("data"), DataKeys.NONE), http);
    }

    private static JsonNode export(Http http, Generation generation) throws InterruptedException {
        try (var client = McpClient.to(http.url()).generation(generation).connect()) {
            var outcome = client.call("export", Map.of()).await();
            assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
            return JsonText.read(((CallOutcome.ToolResult) outcome).result().toString());
        }
    }

    private static HttpResponse<String> read(URI address) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        }
    }

    private static URI address(JsonNode result) {
        var said = result.at("/content/0/text").asString();
        return URI.create(said.replaceFirst("The result is at (\\S+) until .*", "$1"));
    }

    @ParameterizedTest
    @EnumSource(names = {"V2026_07_28", "V2025_11_25", "V2025_06_18"})
    void a_caller_gets_a_link_and_reads_all_of_the_result_there(Generation generation) throws Exception {
        var http = Http.onPort(0);
        try (var server = serve(http)) {
            assertThat(server.announcement()).isNotEmpty();
            var result = export(http, generation);
            var link = result.at("/content/1");
            assertThat(link.path("type").asString()).isEqualTo("resource_link");
            assertThat(link.path("name").asString()).isEqualTo("all.csv");
            assertThat(link.path("mimeType").asString()).isEqualTo("text/csv");
            assertThat(link.path("size").asLong()).isEqualTo(PIECES * 1024L);
            assertThat(link.path("uri").asString())
                    .isEqualTo(address(result).toString())
                    .startsWith(http.url().resolve("/results/").toString());
            var read = read(address(result));
            assertThat(read.statusCode()).isEqualTo(200);
            assertThat(read.body()).hasSize(PIECES * 1024);
            assertThat(read.headers().map()).containsKey("content-length").doesNotContainKey("transfer-encoding");
        }
    }

    @Test
    void a_caller_of_a_revision_without_links_gets_the_address_in_words() throws Exception {
        var http = Http.onPort(0);
        try (var server = serve(http)) {
            assertThat(server.announcement()).isNotEmpty();
            var result = export(http, Generation.V2025_03_26);
            assertThat(result.toString()).doesNotContain("resource_link");
            assertThat(read(address(result)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void an_address_is_good_at_the_next_server_and_ends_with_its_task() throws Exception {
        var http = Http.onPort(0);
        URI address;
        try (var server = serve(http)) {
            assertThat(server.announcement()).isNotEmpty();
            address = address(export(http, Generation.V2025_11_25));
        }
        var next = Http.onPort(0);
        try (var server = serve(next)) {
            var moved = next.url().resolve(address.getPath());
            assertThat(read(moved).statusCode()).isEqualTo(200);
            var tasks = server.tasks();
            tasks.list(TaskFilter.ALL, null, 10).tasks().forEach(task -> tasks.delete(task.id()));
            assertThat(read(moved)).satisfies(response -> {
                assertThat(response.statusCode()).isEqualTo(404);
                assertThat(response.body()).contains("No result is here");
            });
        }
    }

    @Test
    @NeedsPostgres
    void an_address_is_good_at_another_server_of_the_database() throws Exception {
        try (var database = EmbeddedPostgres.builder().start()) {
            var url = "jdbc:postgresql://localhost:" + database.getPort() + "/postgres";
            var shared = new DataFolder.Database(
                    url, Optional.of("postgres"), Optional.empty(), Optional.empty(), NodeRole.ALL, Duration.ZERO);
            var here = Http.onPort(0);
            var there = Http.onPort(0);
            try (var one = FileServer.start(file(""), folder("one", shared), here);
                    var two = FileServer.start(file(""), folder("two", shared), there)) {
                var address = address(export(here, Generation.V2026_07_28));
                assertThat(read(there.url().resolve(address.getPath())).body()).hasSize(PIECES * 1024);
                assertThat(one.announcement()).hasSameSizeAs(two.announcement());
            }
        }
    }

    private DataFolder folder(String name, DataFolder.Database database) {
        return new DataFolder(folder.resolve(name), DataKeys.NONE, Optional.of(database));
    }

    @Test
    void a_server_over_stdio_has_no_address_and_says_so() throws IOException {
        var data = new DataFolder(folder.resolve("data"), DataKeys.NONE);
        var stdio = Stdio.over(InputStream.nullInputStream(), OutputStream.nullOutputStream(), WireLimits.DEFAULT);
        var file = file("address: https://tools.example.com");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> FileServer.start(file, data, stdio, Map.of()))
                .withMessageContaining("export cannot be served: download: needs an address of this server");
    }
}
