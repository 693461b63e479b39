// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.StartedJvm;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebRequests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real processes of {@code serve}: what the command line and the file say reaches the server. */
@Timeout(120)
class ServeCommandTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    Path folder;

    private Process process;

    private void start(String limits, String... options) throws IOException {
        var file = Files.writeString(
                folder.resolve("tools.yaml"), limits + "tools: {greet: {command: [echo, hello], quick: true}}\n");
        var command = new ArrayList<>(StartedJvm.program());
        command.addAll(List.of(
                "serve", file.toString(), "--data", folder.resolve("data").toString()));
        command.addAll(List.of(options));
        process = new ProcessBuilder(command).start();
    }

    @AfterEach
    void stop() {
        process.destroy();
        process.onExit().join();
    }

    /** What the line that begins so says further. */
    private static String said(BufferedReader lines, String start) throws IOException {
        var all = new StringBuilder();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(start)) {
                return line.substring(start.length());
            }
            all.append(line).append('\n');
        }
        throw new IOException("the server never said \"" + start + "\" but: " + all);
    }

    private List<JsonNode> lines(String file) throws IOException {
        return Files.readAllLines(folder.resolve(file)).stream()
                .map(JSON::readTree)
                .toList();
    }

    @Test
    void the_limits_the_metrics_and_the_logs_of_the_command_line_are_those_of_the_server() throws Exception {
        start(
                "",
                "--http=0",
                "--limit=listsPerMinute=1",
                "--metrics=0",
                "--audit=" + folder.resolve("who.log"),
                "--log-file=" + folder.resolve("calls.log"),
                "--log-format=json",
                "--log-level=debug");
        var lines = process.errorReader(UTF_8);
        var url = URI.create(said(lines, "longhaul: at "));
        var metrics = URI.create(said(lines, "longhaul: metrics at ").split(",")[0]);
        Thread.ofVirtual().start(() -> drain(lines));
        var client = StatelessClient.to(url, "{}");
        assertThat(client.call("greet", "{}").response()).contains("hello");
        assertThat(client.call("nothing", "{}").response()).contains("error");
        assertThat(client.send("tools/list", "{}").status()).isEqualTo(200);
        assertThat(client.send("tools/list", "{}").status()).isEqualTo(429);
        assertThat(WebRequests.to(metrics).get(Map.of()).response())
                .containsPattern("longhaul_call_duration_seconds_count\\{.*tool=\"greet\"} 1");
        stop();
        assertThat(lines("who.log")).anyMatch(line -> line.toString().contains("\"rule\":\"unknown-tool\""));
        assertThat(lines("calls.log"))
                .anyMatch(line -> line.toString().contains("greet result in"))
                .anyMatch(line -> line.path("level").asString("").equals("debug"));
    }

    private static void drain(BufferedReader lines) {
        try {
            lines.transferTo(Writer.nullWriter());
        } catch (IOException e) {
            // The process has ended.
        }
    }

    @Test
    void a_line_over_the_limit_of_the_file_is_refused_on_standard_input() throws Exception {
        start("limits: {messageBytes: 1KB}\n", "--stdio");
        try (var in = process.outputWriter(UTF_8)) {
            in.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":\"" + "x".repeat(1 << 10)
                    + "\"}}\n");
        }
        assertThat(process.inputReader(UTF_8).readLine()).contains("-32600", "\"id\":null", "at most 1024 bytes");
        assertThat(process.waitFor()).isZero();
    }
}
