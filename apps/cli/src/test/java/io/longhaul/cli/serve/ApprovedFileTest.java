// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.longhaul.cli.Cli;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.server.FileServer;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.file.ServerFile;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools of a file that run only where a person agrees, and what is told of a person who does not. */
@Timeout(120)
class ApprovedFileTest {
    private static final String TO_DO = "longhaul: without a terminal, add --yes, or --answer FIELD=VALUE for a field"
            + " of a form; or call with --detach, and answer later: longhaul tasks answer REFERENCE yes|no\n";
    private static final int TOOL_ERROR = 1;

    @TempDir
    Path folder;

    private final AtomicInteger started = new AtomicInteger();
    private HttpServer api;
    private FileServer server;
    private String url;
    private TestTerminal user = TestTerminal.silent();

    @BeforeEach
    void serve() throws IOException {
        api = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        api.createContext("/start", exchange -> {
            started.incrementAndGet();
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        api.start();
        var file = Files.writeString(
                folder.resolve("tools.yaml"), """
                tools:
                  deploy:
                    input: {version: string, env: [staging, production]}
                    command: [sh, -c, 'echo "$1" >> ran; echo deployed', deploy, "{version} to {env}"]
                    approve: 'Deploy {version} to {env}?'
                  erase:
                    command: [sh, -c, 'echo erased | tee -a ran']
                    elicit: {key: sure, message: 'Erase it?', fields: {really: boolean}, must: {really: true}}
                  grown:
                    command: [sh, -c, 'echo "$1" | tee -a ran', grown, "{by.count}"]
                    elicit: {key: by, message: 'How many?', fields: {count: integer}, must: {count: {maximum: 10}}}
                    approve: 'Grow by {by.count}?'
                  formula:
                    command: [sh, -c, 'echo "50%% E=mc2"; echo E=mc2 >&2']
                    progress: '(?<percent>\\d+)%% (?<message>.+)'
                    partial: 'E'
                    stderr: log
                    elicit: {message: 'Hand it out?', fields: {ok: boolean}, must: {ok: true}, after: true}
                  start:
                    http: {url: 'http://127.0.0.1:%d/start'}
                    approve: 'Start it?'
                  free: {command: [echo, free]}
                """.formatted(api.getAddress().getPort()));
        var http = Http.onPort(0);
        server = FileServer.start(ServerFile.read(file), new DataFolder(folder.resolve("data"), DataKeys.NONE), http);
        url = http.url().toString();
    }

    @AfterEach
    void stop() {
        server.close();
        api.stop(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"2026-07-28", "2025-11-25", "sep-1686", "sep-1391", "tools-async", "sep-1003", "2025-06-18"})
    void only_a_yes_runs_the_command_in_every_generation(String generation) throws IOException {
        assertThat(answered("no", "deploy", "version=1", "env=staging", "--generation", generation))
                .isEqualTo(TOOL_ERROR);
        assertThat(user.out() + user.err())
                .contains("Deploy 1 to staging?")
                .contains("The question \"Deploy 1 to staging?\" was declined, so that nothing was run.");
        assertThat(answered(":c", "deploy", "version=2", "env=staging", "--generation", generation))
                .isEqualTo(TOOL_ERROR);
        assertThat(user.out() + user.err()).contains("was dismissed without an answer, so that nothing was run.");
        assertThat(ran()).isEmpty();
        assertThat(answered("yes", "deploy", "version=3", "env=staging", "--generation", generation))
                .isZero();
        assertThat(run("call", url, "deploy", "version=4", "env=production", "--yes", "--generation", generation))
                .isZero();
        assertThat(user.out()).endsWith("deployed\n");
        assertThat(ran()).containsExactly("3 to staging", "4 to production");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"2026-07-28", "2025-11-25", "sep-1686", "sep-1391", "tools-async", "sep-1003", "2025-06-18"})
    void only_an_answer_that_must_allows_runs_the_command(String generation) throws IOException {
        assertThat(run("call", url, "erase", "--answer", "really=false", "--generation", generation))
                .isEqualTo(TOOL_ERROR);
        assertThat(user.out() + user.err())
                .contains("The question \"Erase it?\" was answered with really = false, so that nothing was run.");
        assertThat(ran()).isEmpty();
        assertThat(run("call", url, "erase", "--answer", "really=true", "--generation", generation))
                .isZero();
        assertThat(ran()).containsExactly("erased");
    }

    @Test
    void a_limit_on_an_answer_holds_and_the_approval_names_the_answer() throws IOException {
        assertThat(run("call", url, "grown", "--answer", "count=11", "--yes")).isEqualTo(TOOL_ERROR);
        assertThat(user.out() + user.err()).contains("was answered with count = 11, so that nothing was run.");
        assertThat(run("call", url, "grown", "--answer", "count=10")).isNotZero();
        assertThat(ran()).isEmpty();
        assertThat(run("call", url, "grown", "--answer", "count=9", "--yes")).isZero();
        assertThat(user.err()).contains("Grow by 9?");
        assertThat(ran()).containsExactly("9");
    }

    @Test
    void a_result_is_handed_out_only_after_an_answer_that_must_allows() {
        assertThat(run("call", url, "formula", "--answer", "ok=false")).isEqualTo(TOOL_ERROR);
        assertThat(user.out()).doesNotContain("E=mc2").contains("its result is not handed out");
        var held = asking("formula");
        assertThat(done("tasks", "get", held) + done("tasks", "history", held))
                .contains("Hand it out?")
                .contains("50%")
                .doesNotContain("E=mc2");
        assertThat(run("call", url, "formula", "--answer", "ok=true")).isZero();
        assertThat(user.out()).contains("E=mc2");
    }

    @Test
    void a_job_of_an_api_is_started_only_after_a_yes() {
        assertThat(answered("no", "start")).isEqualTo(TOOL_ERROR);
        assertThat(started).hasValue(0);
        assertThat(run("call", url, "start", "--yes")).isZero();
        assertThat(started).hasValue(1);
    }

    @Test
    void a_task_that_was_declined_is_listed_and_removed_as_such() throws IOException {
        var declined = asking("deploy", "version=1", "env=staging");
        assertThat(done("tasks", "answer", declined, "no"))
                .contains("tool      deploy")
                .doesNotContain("failed");
        var approved = asking("deploy", "version=2", "env=staging");
        assertThat(run("tasks", "answer", approved, "yes")).isZero();
        assertThat(run("attach", approved)).isZero();
        assertThat(run("call", url, "erase", "--answer", "really=false")).isEqualTo(TOOL_ERROR);
        assertThat(run("call", url, "free")).isZero();
        assertThat(done("tasks", "watch", declined)).endsWith("declined\n");
        assertThat(run("tasks", "answer", declined, "no")).isEqualTo(2);
        assertThat(user.err()).isEqualTo("longhaul: the task has ended: it asks nothing.\n");
        assertThat(done("tasks", "get", declined))
                .contains("state     declined")
                .contains("ended     declined");
        assertThat(done("tasks", "history", declined)).contains("ended: declined");
        assertThat(states("ended")).containsExactly("completed", "declined", "completed", "declined");
        assertThat(states("declined")).containsExactly("declined", "declined");
        assertThat(states("completed")).containsExactly("completed", "completed");
        assertThat(run("tasks", "purge", url, "--state", "completed", "--yes")).isZero();
        assertThat(states("ended")).containsExactly("declined", "declined");
        assertThat(run("tasks", "purge", url, "--state", "declined", "--yes")).isZero();
        assertThat(states("ended")).isEmpty();
    }

    @Test
    void consent_is_never_taken_for_granted() throws IOException {
        var task = asking("deploy", "version=1", "env=staging");
        assertThat(run("tasks", "answer", task)).isEqualTo(2);
        assertThat(user.err()).contains("the question asks for yes or no. Write yes or no behind the id.");
        assertThat(run("tasks", "answer", task, "approve", "perhaps")).isEqualTo(2);
        assertThat(run("tasks", "answer", task, "--json", "{}")).isEqualTo(2);
        assertThat(done("tasks", "get", task))
                .contains("state     input_required")
                .contains("asks      approve: Deploy 1 to staging?\n          yes or no\n");
        assertThat(run("tasks", "answer", task, "approve", "no")).isZero();
        assertThat(ran()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25", "2025-06-18"})
    void a_call_that_nobody_answers_tells_once_why_and_what_to_do(String generation) {
        assertThat(run("call", url, "deploy", "version=1", "env=staging", "--generation", generation))
                .isNotZero();
        assertThat(user.err())
                .containsOnlyOnce("did not declare that it can be asked")
                .endsWith(TO_DO);
    }

    @Test
    void an_answer_to_a_field_does_not_say_no_and_what_does_is_told() {
        assertThat(run("call", url, "deploy", "version=1", "env=staging", "--answer", "approve=no"))
                .isEqualTo(6);
        assertThat(user.err()).contains("(it asks for yes or no)").endsWith(TO_DO);
    }

    private String asking(String... call) {
        var line = new ArrayList<>(List.of("call", url));
        line.addAll(List.of(call));
        line.add("--detach");
        var reference = done(line.toArray(String[]::new)).strip();
        while (!done("tasks", "get", reference).contains("asks ")) {
            Thread.onSpinWait();
        }
        return reference;
    }

    private List<String> states(String which) {
        return done("tasks", "list", url, "--state", which)
                .lines()
                .map(line -> line.split(" +")[1])
                .toList();
    }

    private List<String> ran() throws IOException {
        var file = folder.resolve("ran");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private int answered(String answer, String... call) {
        user = TestTerminal.interactive().type(answer);
        var line = new ArrayList<>(List.of("call", url));
        line.addAll(List.of(call));
        return new Cli(user.terminal()).run(line);
    }

    private String done(String... line) {
        assertThat(run(line)).as(user::err).isZero();
        return user.out();
    }

    private int run(String... line) {
        user = TestTerminal.silent();
        return new Cli(user.terminal()).run(List.of(line));
    }
}
