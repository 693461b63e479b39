// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An API whose jobs have a log that grows while they run, behind a served file. */
@Timeout(120)
class ServedJobOutputTest {

    private static final Pattern OUTPUT = Pattern.compile("output (line \\d+)");

    @TempDir
    Path folder;

    private final TestTerminal user = TestTerminal.silent();
    private LocalHttp api;
    private volatile String log = "";
    private volatile String state = "running";

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
            exchange.getRequestBody().readAllBytes();
            var query = exchange.getRequestURI().getQuery();
            var said = query != null
                    ? log.substring(Integer.parseInt(query.replace("start=", "")))
                    : "{\"id\":7,\"state\":\"" + state + "\"}";
            var bytes = said.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private ServedFile serve(String more) throws IOException {
        var yaml = """
                tools:
                  build:
                    http:
                      url: ORIGIN/builds
                      id: /id
                      status: {url: "ORIGIN/builds/{job.id}", state: /state, every: 10ms}
                      partial: "ORIGIN/builds/{job.id}/log?start={job.offset}"
                """.replace("ORIGIN", api.origin());
        return ServedFile.at(0, Files.writeString(folder.resolve("tools.yaml"), yaml + more), folder.resolve("data"));
    }

    private int run(String... line) {
        return new Cli(user.terminal()).run(List.of(line));
    }

    private String begin(ServedFile server) {
        assertThat(run("call", server.url(), "build", "--detach"))
                .as(user.err())
                .isZero();
        return user.out().strip().split("/")[3];
    }

    private String history(ServedFile server, String task) {
        int before = user.out().length();
        assertThat(run("tasks", "history", server.url(), task)).isZero();
        return user.out().substring(before);
    }

    private void await(ServedFile server, String task, String said) {
        String history;
        do {
            history = history(server, task);
        } while (!history.contains(said));
    }

    private void end(ServedFile server, String task) {
        state = "done";
        assertThat(run("tasks", "watch", server.url(), task)).isZero();
    }

    @Test
    void lines_of_a_running_job_reach_its_task_each_once_across_servers() throws IOException {
        String task;
        try (var server = serve("")) {
            task = begin(server);
            log = "line 1\n";
            await(server, task, "output line 1");
            log += "line 2\nli";
            await(server, task, "output line 2");
        }
        log += "ne 3\n";
        try (var server = serve("")) {
            await(server, task, "output line 3");
            log += "line 4";
            end(server, task);
            assertThat(OUTPUT.matcher(history(server, task)).results().map(found -> found.group(1)))
                    .containsExactly("line 1", "line 2", "line 3", "line 4");
        }
    }

    @Test
    void output_beyond_the_limit_of_a_task_is_left_out_and_the_job_goes_on() throws IOException {
        try (var server = serve("limits: {outputBytes: 1KB, pieceBytes: 1KB}\n")) {
            var task = begin(server);
            log = "x".repeat(800) + "\n";
            await(server, task, "output xxx");
            log += "x".repeat(800) + "\n";
            await(server, task, "The partial output ends here: it has reached its limit.");
            end(server, task);
            assertThat(run("tasks", "result", server.url(), task)).isZero();
            var history = history(server, task);
            assertThat(Pattern.compile("output xxx").matcher(history).results()).hasSize(1);
            assertThat(Pattern.compile("The partial output ends here")
                            .matcher(history)
                            .results())
                    .as("the output is read no more")
                    .hasSize(1);
        }
    }
}
