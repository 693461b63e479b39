// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.longhaul.cli.Cli;
import io.longhaul.cli.StartedJvm;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.ToolInfo;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.server.LogLines;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** A file with servers behind it. */
@Timeout(120)
class GatewayCommandTest {

    @TempDir
    Path folder;

    private TestTerminal user = TestTerminal.silent();

    private int run(String... line) {
        user = TestTerminal.silent();
        return new Cli(user.terminal()).run(List.of(line));
    }

    private Path file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("gateway.yaml"), yaml);
    }

    @Test
    void tools_of_a_file_and_of_servers_behind_it_are_served_together() throws Exception {
        var http = Http.onPort(0);
        try (var behind = McpServer.builder("behind", "1.0")
                .tool(Tool.define("echo").handler((input, call) -> "hello"))
                .tool(Tool.define("list").handler((input, call) -> "of behind"))
                .serve(http)) {
            var file = file("""
                upstreams:
                  tests: {url: "%s", long: [echo]}
                tools:
                  list: {command: [ls], quick: true}
                """.formatted(http.url()));
            try (var served = ServedFile.at(0, file, folder.resolve("data"));
                    var client = McpClient.to(URI.create(served.url())).connect()) {
                awaitTool(client, "tests_list");
                assertThat(client.tools())
                        .extracting(ToolInfo::name)
                        .containsExactlyInAnyOrder("list", "echo", "tests_list");
                var call = client.call("echo", Map.of());
                assertThat(call.await())
                        .isInstanceOfSatisfying(
                                CallOutcome.ToolResult.class,
                                end -> assertThat(end.result().toString()).contains("hello"));
                assertThat(call.reference()).isPresent();
            }
        }
    }

    @Test
    void a_tool_that_is_named_as_long_and_is_not_there_is_told_once() throws Exception {
        var http = Http.onPort(0);
        try (var behind = McpServer.builder("behind", "1.0")
                        .tool(Tool.define("echo").handler((input, call) -> "hello"))
                        .serve(http);
                var log = new LogLines("io.longhaul.gateway")) {
            var file = file("upstreams: {tests: {url: '%s', long: [eco], quick: [echo]}}".formatted(http.url()));
            try (var served = ServedFile.at(0, file, folder.resolve("data"));
                    var client = McpClient.to(URI.create(served.url())).connect()) {
                awaitTool(client, "echo");
            }
            assertThat(log.all())
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .filteredOn(line -> line.contains("has no tool"))
                    .containsExactly("upstream tests has no tool eco, which its entry names; its tools are [echo]");
        }
    }

    @Test
    void all_that_is_wrong_with_servers_of_a_file_is_told() throws IOException {
        var file = file("""
            upstreams:
              both: {url: "http://a.example/mcp", command: [x]}
              none: {prefix: x_}
              bad name: {url: "http://a.example/mcp"}
              typo: {ulr: "http://a.example/mcp"}
              ftp: {url: "ftp://a.example"}
              started: {command: [ls], headers: {X-Key: a}}
              twice: {url: "http://a.example/mcp", headers: {X-Key: {env: A, file: b}}}
            """);
        assertThat(run("check", file.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(user.out().replace(folder + "/", "").lines())
                .containsExactly(
                        "gateway.yaml:2:9: upstreams.both: says twice where the server is. Leave out url: or command:.",
                        "gateway.yaml:3:9: upstreams.none: does not say where the server is."
                                + " Add url: with an address, or command: with a program.",
                        "gateway.yaml:4:3: upstreams.bad name: must be a name, but is \"bad name\"."
                                + " Use up to 32 letters, digits, _ and -.",
                        "gateway.yaml:5:10: upstreams.typo.ulr: is no field that Longhaul knows here."
                                + " Did you mean url?",
                        "gateway.yaml:6:14: upstreams.ftp.url: must be an address, but is \"ftp://a.example\"."
                                + " Write one such as http://127.0.0.1:9000/mcp.",
                        "gateway.yaml:7:37: upstreams.started.headers: are for a server at an address. Leave them out.",
                        "gateway.yaml:8:57: upstreams.twice.headers.X-Key: does not say where the secret is."
                                + " Write one of file: and env:.");
    }

    static Stream<String> generations() {
        return ClientDialects.spoken().stream().map(Generation::label);
    }

    @ParameterizedTest
    @MethodSource("generations")
    void each_generation_can_be_named_for_a_server(String generation) throws IOException {
        var file = file("upstreams: {a: {url: 'http://a.example/mcp', generation: " + generation + "}}\n");
        assertThat(run("check", file.toString())).isEqualTo(ExitCode.OK);
    }

    @Test
    void what_is_no_generation_is_refused_for_a_server() throws IOException {
        var file = file("upstreams: {a: {url: 'http://a.example/mcp', generation: sep-1}}\n");
        assertThat(run("check", file.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(user.out()).contains("upstreams.a.generation: must be a generation that this gateway speaks");
    }

    @Test
    void the_generation_of_a_file_is_the_only_one_that_is_spoken_with_the_server() throws Exception {
        var first = new CompletableFuture<String>();
        try (var behind = new LocalHttp("/mcp", exchange -> {
            try (exchange) {
                first.complete(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                exchange.sendResponseHeaders(503, -1);
            }
        })) {
            var file = file("upstreams: {a: {url: '" + behind.origin() + "/mcp', generation: '2025-03-26'}}\n");
            try (var served = ServedFile.at(0, file, folder.resolve("data"))) {
                assertThat(first.get())
                        .contains("\"initialize\"", "\"protocolVersion\":\"2025-03-26\"")
                        .doesNotContain("server/discover");
            }
        }
    }

    @Test
    void a_file_without_tools_and_without_servers_is_refused() throws IOException {
        assertThat(run("check", file("name: a\n").toString())).isEqualTo(ExitCode.USAGE);
        assertThat(user.out()).contains("has no tools");
    }

    @Test
    void a_call_at_a_gateway_whose_server_is_away_is_no_mistake_in_the_command_line() throws IOException {
        var file = file("upstreams: {away: {url: 'http://127.0.0.1:1/mcp'}}\n");
        try (var served = ServedFile.at(0, file, folder.resolve("data"))) {
            assertThat(run("call", served.url(), "it")).isEqualTo(ExitCode.PROTOCOL_ERROR);
        }
        assertThat(user.err()).contains("the server has no tools now").contains("while the servers behind it are away");
    }

    @Test
    void a_program_that_is_not_there_is_a_warning() throws IOException {
        var file = file("upstreams: {files: {command: [no-such-program]}}\n");
        assertThat(run("check", file.toString())).isEqualTo(ExitCode.OK);
        assertThat(user.out()).contains("warning: upstreams.files: there is no program no-such-program here");
    }

    @Test
    void options_of_http_need_a_port_and_long_needs_a_server() throws IOException {
        var file = file("upstreams: {files: {command: [ls]}}\n").toString();
        assertThat(run("gateway", file, "--bind", "0.0.0.0")).isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("--bind goes with --http");
        assertThat(run("gateway", file, "--long", "x")).isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("--long goes with one server");
        assertThat(run("gateway", "ftp://a.example")).isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("is no address of a server");
    }

    /** The command of a server without tasks, as the gateway starts it. */
    private static List<String> foreign() {
        return StartedJvm.command(ForeignMain.class);
    }

    /** Starts the command as a host does, which speaks to it over its standard input and output. */
    private McpClient started(String... arguments) {
        var data = Stream.of("--data", folder.resolve("data").toString());
        var words = Stream.concat(Stream.of("gateway"), Stream.concat(Stream.of(arguments), data));
        return McpClient.launch(
                        Stream.concat(StartedJvm.program().stream(), words).toList())
                .connect();
    }

    /** Waits for a tool, which is served once its server has answered. */
    private static void awaitTool(McpClient client, String tool) throws InterruptedException {
        var changes = new LinkedBlockingQueue<Object>();
        try (var listening = client.onListChange(changes::add)) {
            while (client.tools().stream().noneMatch(its -> its.name().equals(tool))) {
                changes.take();
            }
        }
    }

    private static boolean isTask(McpClient client, String tool) throws InterruptedException {
        awaitTool(client, tool);
        var call = client.call(tool, Map.of());
        assertThat(call.await())
                .isInstanceOfSatisfying(
                        CallOutcome.ToolResult.class,
                        end -> assertThat(end.result().toString()).contains("done"));
        return call.reference().isPresent();
    }

    @Test
    void the_command_serves_a_file_with_a_server_that_it_starts() throws Exception {
        var file = file("""
            upstreams:
              bank: {command: %s, prefix: bank_, long: [pay, look], quick: [look]}
            """.formatted(JsonMapper.shared().writeValueAsString(foreign())));
        try (var client = started(file.toString())) {
            assertThat(isTask(client, "bank_pay")).isTrue();
            assertThat(isTask(client, "bank_look")).isFalse();
        }
    }

    @Test
    void the_command_starts_one_server_and_runs_calls_of_the_tools_after_long_as_tasks() throws Exception {
        try (var client = started("stdio:" + String.join(" ", foreign()), "--long", "pay")) {
            assertThat(isTask(client, "pay")).isTrue();
            assertThat(isTask(client, "look")).isFalse();
        }
    }

    private static String json(Object value) {
        return JsonMapper.shared().writeValueAsString(value);
    }

    @Test
    void the_command_serves_the_servers_of_a_host_as_their_file_has_them() throws Exception {
        var words = foreign();
        var host = Files.writeString(folder.resolve("claude_desktop_config.json"), """
            {"globalShortcut": "", "mcpServers": {
              "bank": {"command": "${JAVA:-%s}", "args": %s, "env": {"KEY": "x"}},
              "off": {"command": "no-such-program", "disabled": true}
            }}
            """.formatted(
                        words.getFirst(), json(words.subList(1, words.size()))));
        try (var client = started(host.toString())) {
            assertThat(isTask(client, "pay")).isFalse();
        }
        assertThat(run("gateway", folder.resolve("none.json").toString(), "--http", "0"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("there is no file " + folder.resolve("none.json"));
    }

    @Test
    void what_is_wrong_with_the_file_of_a_host_is_told_of_that_file() throws IOException {
        var host = Files.writeString(folder.resolve("mcp.json"), "{\n  \"mcpServers\": {]\n}");
        var data = folder.resolve("data").toString();
        assertThat(run("gateway", host.toString(), "--http", "0", "--data", data))
                .isEqualTo(ExitCode.USAGE);
        assertThat(user.err())
                .containsPattern("gateway-[0-9a-f]{8}\\.yaml stands for " + host + "\n")
                .contains(host + ":2:18: is no JSON: Unexpected close marker ']'")
                .doesNotContain("Source", data);
        Files.writeString(host, "{\"mcpServers\": {}}");
        assertThat(run("gateway", host.toString(), "--http", "0", "--data", data))
                .isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains(host + ": has no server that is on. Add one, or switch one on.");
    }

    @Test
    void tools_are_chosen_renamed_and_described_by_the_file() throws Exception {
        var file = file("""
            upstreams:
              bank:
                command: %s
                exclude: [lo*]
                tools:
                  pay: {rename: send_money, describe: Sends money., hints: {destructive: true}, concurrency: 1}
            """.formatted(json(foreign())));
        try (var served = ServedFile.at(0, file, folder.resolve("data"));
                var client = McpClient.to(URI.create(served.url())).connect()) {
            awaitTool(client, "send_money");
            assertThat(client.tools())
                    .singleElement()
                    .satisfies(tool -> assertThat(tool.definition().toString())
                            .contains("Sends money.", "\"destructiveHint\":true"));
            assertThat(isTask(client, "send_money")).isFalse();
        }
    }
}
