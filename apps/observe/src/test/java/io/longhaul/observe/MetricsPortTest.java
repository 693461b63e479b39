// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an orchestrator and a scraper get from the port of metrics. */
@Timeout(60)
class MetricsPortTest {
    private final FakeTime time = new FakeTime();
    private final FaultyTaskStore store = new FaultyTaskStore(new MemoryTaskStore(), 0);
    private final Caller caller = new Caller();
    private final MetricsPort port = MetricsPort.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        port.close();
    }

    private McpServer serve() {
        return McpServer.builder("test", "1.0")
                .store(store)
                .time(time)
                .monitor(port)
                .tool(Tool.define("quick").longRunning().handler((none, task) -> "done"))
                .serve(caller.transport());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(at(path)).build());
    }

    private URI at(String path) {
        return URI.create("http://127.0.0.1:" + port.address().getPort() + path);
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, BodyHandlers.ofString());
    }

    @Test
    void metrics_are_served_in_the_text_of_prometheus() throws Exception {
        try (var server = serve()) {
            caller.result(caller.task("quick"));
            assertThat(server.readiness()).isNotNull();

            var scraped = get("/metrics");

            assertThat(scraped.statusCode()).isEqualTo(200);
            assertThat(scraped.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
            assertThat(scraped.body())
                    .contains("longhaul_task_creations_total{tool=\"quick\"} 1.0\n")
                    .contains("longhaul_tasks{state=\"working\",tool=\"quick\"} 0.0\n")
                    .contains("longhaul_store_commit_seconds_count{result=\"committed\"} ")
                    .contains("longhaul_task_duration_seconds_count{outcome=\"result\",tool=\"quick\"} 1\n")
                    .contains("jvm_memory_used_bytes", "process_cpu_usage", "process_files_open_files");
        }
    }

    @Test
    void a_process_is_live_and_not_ready_before_its_server_serves() throws Exception {
        assertThat(get("/health/live").body()).isEqualTo("{\"status\":\"live\"}");
        var ready = get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).isEqualTo("{\"status\":\"not ready\",\"reasons\":[\"the server is starting\"]}");
    }

    @Test
    void a_server_that_serves_is_ready_until_it_stops() throws Exception {
        var server = serve();
        var ready = get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.body()).isEqualTo("{\"status\":\"ready\"}");
        assertThat(ready.headers().firstValue("Content-Type")).contains("application/json");
        server.close();
        assertThat(get("/health/ready").body()).contains("the server is shutting down");
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void a_server_on_a_full_disk_is_live_and_not_ready() throws Exception {
        try (var server = serve()) {
            store.fill();
            var full = get("/health/ready");
            assertThat(full.statusCode()).isEqualTo(503);
            assertThat(full.body()).contains("the disk of the task store is full");
            assertThat(get("/health/live").statusCode()).isEqualTo(200);
            store.free();
            time.advance(Duration.ofSeconds(1));
            assertThat(get("/health/ready").statusCode()).isEqualTo(200);
            assertThat(server.readiness()).isNotNull();
        }
    }

    @Test
    void other_paths_and_methods_are_refused() throws Exception {
        assertThat(get("/other").statusCode()).isEqualTo(404);
        var post = HttpRequest.newBuilder(at("/metrics"))
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build();
        assertThat(send(post).statusCode()).isEqualTo(405);
        var head = send(HttpRequest.newBuilder(at("/health/live")).HEAD().build());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void each_other_path_is_told_which_there_are() throws Exception {
        for (var path : List.of("/", "/metrics/", "/health", "/health/live/x")) {
            var response = get(path);
            assertThat(response.statusCode()).as(path).isEqualTo(404);
            assertThat(response.body()).as(path).contains("There are /metrics, /health/live and /health/ready");
        }
    }

    @Test
    void a_name_that_was_rebound_to_this_machine_is_given_nothing() throws Exception {
        try (var page = connection("GET /metrics HTTP/1.1\r\nHost: rebound.example:9464\r\n\r\n")) {
            assertThat(new String(page.getInputStream().readNBytes(12), US_ASCII))
                    .isEqualTo("HTTP/1.1 403");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"GET /health/ready HTTP/1.0\r\n\r\n", "GET /health/live HTTP/1.1\r\nHost: tools.example\r\n\r\n"
            })
    void health_is_told_for_any_host_and_without_one(String request) throws Exception {
        try (var server = serve();
                var page = connection(request)) {
            assertThat(new String(page.getInputStream().readNBytes(12), US_ASCII))
                    .endsWith(" 200");
            assertThat(server.readiness()).isNotNull();
        }
    }

    @Test
    void metrics_are_given_to_no_request_without_a_host() throws Exception {
        try (var page = connection("GET /metrics HTTP/1.0\r\n\r\n")) {
            assertThat(new String(page.getInputStream().readNBytes(12), US_ASCII))
                    .endsWith(" 403");
        }
    }

    @Test
    void connections_whose_requests_do_not_come_are_bounded_and_in_the_way_of_no_scraper() throws Exception {
        var silent = new ArrayList<Socket>();
        try {
            for (int i = 0; i <= MetricsPort.CONNECTIONS; i++) {
                silent.add(connection("G"));
            }
            assertThat(silent.getFirst().getInputStream().read()).isNegative();
            assertThat(get("/metrics").statusCode()).isEqualTo(200);
        } finally {
            for (var one : silent) {
                one.close();
            }
        }
    }

    private Socket connection(String sent) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port.address().getPort());
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(sent.getBytes(US_ASCII));
        return socket;
    }

    @Test
    void a_port_that_is_taken_is_told() {
        assertThatThrownBy(() -> MetricsPort.on(port.address()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("Metrics cannot be served: ")
                .hasMessageContaining("choose another port");
    }

    @Test
    void a_host_that_is_not_known_is_told() {
        var nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 9464);
        assertThatThrownBy(() -> MetricsPort.on(nowhere))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no address of the name nowhere.invalid");
    }
}
