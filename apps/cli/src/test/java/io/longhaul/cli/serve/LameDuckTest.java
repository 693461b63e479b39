// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.StartedJvm;
import io.longhaul.file.settings.Limit;
import io.longhaul.file.settings.Limits;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebRequests;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes of {@code serve} that are told to end while calls are under way. */
@Timeout(120)
class LameDuckTest {

    @TempDir
    Path folder;

    private @Nullable Process process;

    private BufferedReader start(String limits, String... options) throws IOException {
        var file = Files.writeString(
                folder.resolve("tools.yaml"),
                "limits: " + limits + """

                tools:
                  greet: {command: [echo, hello], quick: true}
                  waits: {command: [sh, -c, 'touch %s; until [ -e %s ]; do sleep 0.1; done; echo there'], quick: true}
                """.formatted(folder.resolve("begun"), folder.resolve("go")));
        var command = new ArrayList<>(StartedJvm.program());
        command.addAll(List.of(
                "serve", file.toString(), "--data", folder.resolve("data").toString()));
        command.addAll(List.of(options));
        process = new ProcessBuilder(command).start();
        return process.errorReader(UTF_8);
    }

    @AfterEach
    void stop() {
        if (process != null) {
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    private static String said(BufferedReader lines, String start) throws IOException {
        var line = lines.readLine();
        while (!line.startsWith(start)) {
            line = lines.readLine();
        }
        return line.substring(start.length());
    }

    @Test
    void a_server_that_is_told_to_end_says_so_and_goes_on_serving_for_a_while() throws Exception {
        var lines = start("{lameDuck: 1m}", "--http=0", "--metrics=0");
        var url = URI.create(said(lines, "longhaul: at "));
        var metrics = URI.create(said(lines, "longhaul: metrics at ").split(",")[0]);
        process.destroy();
        var ready = WebRequests.to(metrics.resolve("/health/ready"));
        while (ready.get(Map.of()).status() != 503) {
            Thread.onSpinWait();
        }
        assertThat(StatelessClient.to(url, "{}").call("greet", "{}").response()).contains("hello");
    }

    @Test
    void a_quick_call_ends_within_the_grace_after_sigterm() throws Exception {
        var lines = start("{handBackGrace: 1m}", "--http=0");
        var url = URI.create(said(lines, "longhaul: at "));
        var client = StatelessClient.to(url, "{}");
        var call = client.call("waits", "{}");
        while (!Files.exists(folder.resolve("begun"))) {
            Thread.onSpinWait();
        }
        process.destroy();
        while (client.call("greet", "{}").status() != 503) {
            Thread.onSpinWait();
        }
        Files.createFile(folder.resolve("go"));
        assertThat(call.response()).contains("there");
    }

    @Test
    void a_server_without_health_is_no_lame_duck() {
        assertThat(Limits.DEFAULT.lameDuck(true)).isEqualTo(Duration.ofSeconds(5));
        assertThat(Limits.DEFAULT.lameDuck(false)).isZero();
        assertThat(Limits.DEFAULT.with(Limit.LAME_DUCK, "9s").lameDuck(false)).isEqualTo(Duration.ofSeconds(9));
    }
}
