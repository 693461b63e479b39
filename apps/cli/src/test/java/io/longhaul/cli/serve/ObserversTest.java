// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.longhaul.cli.Cli;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.server.FileServer;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.file.ServerFile;
import io.longhaul.file.settings.PortAddress;
import io.longhaul.oauth.ApiKey;
import io.longhaul.server.LogLines;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebRequests;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What those who run a file's server see of it. */
@Timeout(60)
class ObserversTest {
    private static final String URL = "metrics at (http://127\\.0\\.0\\.1:\\d+/metrics), health at .*";

    @TempDir
    Path folder;

    @AutoClose
    private final LogLines log = new LogLines("io.longhaul.receiver.observe.ObservedServer");

    private Path written(String first) throws IOException {
        return Files.writeString(folder.resolve("a.yaml"), first + """

                tools:
                  - {name: list_files, command: [ls]}
                """);
    }

    private static Arguments parsed(String... line) {
        return Arguments.parse(List.of(line), ServeOptions.ALL);
    }

    @ParameterizedTest
    @CsvSource({"9464,,9464", "0.0.0.0:9464,0.0.0.0,9464", "[::1]:0,[::1],0", "metrics.internal:1,metrics.internal,1"})
    void metrics_are_at_a_port_or_at_an_address_and_a_port(String text, String host, int port) throws IOException {
        var expected = Optional.of(new PortAddress(Optional.ofNullable(host), port));
        assertThat(PortOptions.over(ServerFile.read(written("")), parsed("--metrics", text))
                        .metrics())
                .isEqualTo(expected);
        assertThat(ServerFile.read(written("metrics: '" + text + "'")).metrics())
                .isEqualTo(expected);
    }

    @Test
    void the_command_line_wins_over_the_file() throws IOException {
        var file = ServerFile.read(written("metrics: 9464"));
        assertThat(PortOptions.over(file, parsed()).metrics().orElseThrow().port())
                .isEqualTo(9464);
        assertThat(PortOptions.over(file, parsed("--metrics", "1"))
                        .metrics()
                        .orElseThrow()
                        .port())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "65536", ":9464", "a:b"})
    void what_is_no_port_is_told(String text) throws IOException {
        var file = ServerFile.read(written(""));
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> PortOptions.over(file, parsed("--metrics", text)))
                .withMessage(
                        "--metrics \"" + text + "\" is no port. Write a port such as 9464, or an address and a port"
                                + " such as 0.0.0.0:9464.");
    }

    @Test
    void a_served_file_has_its_metrics_and_health_on_a_port_of_their_own() throws Exception {
        var file = ServerFile.read(written("metrics: 0"));
        try (var server =
                FileServer.start(file, new DataFolder(folder.resolve("data"), DataKeys.NONE), Http.onPort(0))) {
            var metrics = metricsOf(server);
            assertThat(get(metrics)).contains("longhaul_tasks{state=\"working\",tool=\"list_files\"} 0.0");
            assertThat(get(metrics.resolve("/health/ready"))).isEqualTo("{\"status\":\"ready\"}");
        }
    }

    @Test
    void a_host_of_metrics_that_is_not_known_is_told() throws IOException {
        var file = ServerFile.read(written("metrics: 'nowhere.invalid:9464'"));
        var data = new DataFolder(folder.resolve("data"), DataKeys.NONE);
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> FileServer.start(file, data, Http.onPort(0)))
                .withMessage("the metrics cannot be served: There is no address of the name nowhere.invalid.");
    }

    @Test
    void a_command_that_ran_too_long_is_told_apart_from_one_that_failed() throws Exception {
        var tools = Files.writeString(folder.resolve("b.yaml"), """
                metrics: 0
                tools:
                  - {name: slow, command: [sh, -c, 'echo began; exec sleep 1000'], timeout: 3s}
                  - {name: bad, command: [sh, -c, 'exit 3']}
                """);
        var window = Http.onPort(0);
        var data = new DataFolder(folder.resolve("data"), DataKeys.NONE);
        try (var server = FileServer.start(ServerFile.read(tools), data, window)) {
            for (var tool : List.of("slow", "bad")) {
                var line = List.of("call", window.url().toString(), tool);
                assertThat(new Cli(TestTerminal.silent().terminal()).run(line)).isNotZero();
            }
            var metrics = get(metricsOf(server));
            assertThat(metrics.lines().filter(line -> line.startsWith("longhaul_call_duration_seconds_count")))
                    .hasSize(2)
                    .anyMatch(line -> line.matches(".*outcome=\"timed_out\",tool=\"slow\"} 1"))
                    .anyMatch(line -> line.matches(".*outcome=\"tool_error\",tool=\"bad\"} 1"));
            assertThat(metrics.lines().filter(line -> line.startsWith("longhaul_task_duration_seconds_count")))
                    .containsExactlyInAnyOrder(
                            "longhaul_task_duration_seconds_count{outcome=\"timed_out\",tool=\"slow\"} 1",
                            "longhaul_task_duration_seconds_count{outcome=\"tool_error\",tool=\"bad\"} 1");
        }
    }

    @Test
    void a_caller_that_guesses_ids_is_counted_and_warned_of_once_and_streams_and_missing_keys_are_counted()
            throws Exception {
        var file = ServerFile.read(written("metrics: 0\nauth: {resource: https://tools.example/mcp, keys: [{name: ci,"
                + " sha256: " + ApiKey.hash("lhk_a") + "}]}"));
        var http = HttpSetup.http(ServeOptions.of(parsed("a.yaml", "--http", "0")), file, Map.of());
        try (var server = FileServer.start(file, new DataFolder(folder.resolve("data"), DataKeys.NONE), http)) {
            assertThat(StatelessClient.to(http.url(), "{}")
                            .send("tools/list", "{}")
                            .status())
                    .isEqualTo(401);
            var web = WebRequests.to(http.url()).with("Authorization", "Bearer lhk_a");
            var caller = new StatelessClient<>(web, StatelessClient.TASKS);
            for (int i = 0; i < 120; i++) {
                assertThat(caller.send("tasks/get", "{\"taskId\":\"guess-" + i + "\"}")
                                .response())
                        .contains("-32602");
            }
            try (var stream = caller.send("subscriptions/listen", "{\"notifications\":{\"toolsListChanged\":true}}")) {
                assertThat(stream.next()).isPresent();
                assertThat(get(metricsOf(server)))
                        .contains(
                                "longhaul_access_denied_total{status=\"401\"} 1.0\n",
                                "longhaul_patterns_total{pattern=\"unknown_ids\"} 1.0\n",
                                "longhaul_streams 1.0\n")
                        .containsPattern("longhaul_connections [1-9]");
            }
        }
        assertThat(log.all())
                .filteredOn(line -> line.getLevel().equals(Level.WARN))
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .contains("of one caller within", "so far, from 127.0.0.1");
    }

    private static URI metricsOf(FileServer server) {
        var line = server.announcement().stream()
                .filter(text -> text.matches(URL))
                .findFirst()
                .orElseThrow();
        return URI.create(line.replaceFirst(URL, "$1"));
    }

    private static String get(URI from) {
        return WebRequests.to(from).get(Map.of()).response();
    }

    @Test
    void spans_are_sent_to_the_collector_that_the_environment_names_also_the_last_ones() throws Exception {
        var received = new LinkedBlockingQueue<String>();
        var collector = new LocalHttp("/v1/traces", exchange -> {
            received.add(exchange.getRequestHeaders().getFirst("Content-Type") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        var file = ServerFile.read(written("name: files"));
        var http = Http.onPort(0);
        var env = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.origin());
        var data = new DataFolder(folder.resolve("data"), DataKeys.NONE);
        try (collector) {
            try (var server = FileServer.start(file, data, http, env)) {
                assertThat(server.announcement()).contains("traces are sent as the variables of OpenTelemetry say");
                assertThat(new Cli(TestTerminal.silent().terminal())
                                .run(List.of("call", http.url().toString(), "list_files")))
                        .isZero();
            }
            var sent = String.join("", received);
            assertThat(sent)
                    .startsWith("application/x-protobuf ")
                    .contains("tools/call list_files", "execute_tool list_files", "service.name", "files");
        }
    }

    @Test
    void a_variable_of_opentelemetry_that_cannot_be_followed_is_told() throws IOException {
        var file = ServerFile.read(written(""));
        var env = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1", "OTEL_TRACES_SAMPLER", "nonsense");
        var data = new DataFolder(folder.resolve("data"), DataKeys.NONE);
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> FileServer.start(file, data, Http.onPort(0), env))
                .withMessageContaining("the variables of OpenTelemetry (OTEL_...) cannot be followed")
                .withMessageContaining("nonsense");
    }

    @Test
    void a_server_that_is_not_looked_at_loads_no_library_for_it() throws Exception {
        var log = folder.resolve("classes.log");
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process = new ProcessBuilder(
                        java,
                        "-Xlog:class+load:file=" + log,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.longhaul.cli.Main",
                        "serve",
                        written("").toString(),
                        "--stdio",
                        "--data",
                        folder.resolve("data").toString())
                .redirectError(folder.resolve("err.log").toFile())
                .start();
        process.getOutputStream().close();
        assertThat(process.waitFor()).isZero();
        assertThat(Files.readAllLines(log))
                .anyMatch(line -> line.contains("io.longhaul.cli.server.Observers"))
                .noneMatch(line -> line.contains("io.micrometer.")
                        || line.contains("io.opentelemetry.")
                        || line.contains("io.longhaul.observe."));
    }
}
