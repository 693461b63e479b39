// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.server.FileServer;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.file.ServerFile;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator does with the tasks of a real server, by {@code tasks} and {@code attach}. */
@Timeout(120)
class OperatedServerTest {

    @TempDir
    Path folder;

    private FileServer server;
    private String url;
    private TestTerminal user = TestTerminal.silent();

    @BeforeEach
    void serve() throws IOException {
        Files.writeString(folder.resolve("tools.yaml"), """
                tools:
                  good:
                    input: {name: string}
                    command: [sh, -c, 'echo began; echo "Hello, $0."', "{name}"]
                    partial: began
                  bad: {command: [sh, -c, 'exit 3']}
                  greet:
                    command: [echo, "Hello, {who.name}, {who.size}."]
                    elicit:
                      key: who
                      message: Who is there?
                      fields:
                        name: {type: string, maxLength: 5}
                        size: {enum: [small, large], default: small}
                """);
        server = started(0);
    }

    private FileServer started(int port) throws IOException {
        var http = Http.onPort(port);
        var data = new DataFolder(folder.resolve("data"), DataKeys.NONE);
        var started = FileServer.start(ServerFile.read(folder.resolve("tools.yaml")), data, http);
        url = http.url().toString();
        return started;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_list_shows_the_tools_and_is_narrowed_by_tool_state_and_time() {
        done("call", url, "good", "name=Ada");
        assertThat(run("call", url, "bad")).isEqualTo(1);
        done("call", url, "greet", "--detach");
        assertThat(done("tasks", "list", url)).contains("good", "bad", "greet").contains("failed (tool)");
        assertThat(done("tasks", "list", url, "--tool", "good"))
                .contains("good")
                .doesNotContain("bad");
        assertThat(done("tasks", "list", url, "--state", "live"))
                .contains("greet")
                .doesNotContain("good");
        assertThat(done("tasks", "list", url, "--state", "completed,failed")).doesNotContain("greet");
        assertThat(done("tasks", "list", url, "--state", "failed"))
                .contains("bad")
                .doesNotContain("good", "greet");
        assertThat(done("tasks", "list", url, "--since", "2030-01-01T00:00:00Z", "--state", "completed"))
                .isEmpty();
        assertThat(json("tasks", "list", url, "--since", "1h")).hasSize(3);
        assertThat(done("tasks", "list", url, "--output", "wide"))
                .contains("OWNER", "local")
                .contains("QUESTIONS");
        assertThat(json("tasks", "list", url, "--tool", "bad")
                        .get(0)
                        .path("isError")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void a_list_goes_on_where_it_was_cut() {
        for (var name : List.of("a", "b", "c")) {
            done("call", url, "good", "name=" + name);
        }
        var first = json("tasks", "list", url, "--limit", "2");
        assertThat(first).hasSize(2);
        var cursor = user.err().replaceAll("(?s).*--cursor (\\S+).*", "$1");
        var rest = json("tasks", "list", url, "--limit", "2", "--cursor", cursor);
        assertThat(rest).hasSize(1);
        assertThat(user.err()).doesNotContain("--cursor");
        assertThat(first.findValuesAsString("id")).doesNotContainAnyElementsOf(rest.findValuesAsString("id"));
    }

    @Test
    void options_that_make_no_sense_are_told_before_anything_is_asked() {
        assertThat(run("tasks", "list", url, "--state", "runing")).isEqualTo(2);
        assertThat(user.err()).contains("there is no state \"runing\". ");
        assertThat(run("tasks", "list", url, "--since", "yesterday")).isEqualTo(2);
        assertThat(run("tasks", "list", url, "--limit", "0")).isEqualTo(2);
        assertThat(run("tasks", "purge", url, "--state", "working", "--yes")).isEqualTo(2);
        assertThat(user.err()).contains("only tasks that have ended can be purged");
        assertThat(run("tasks", "list", url, "--output", "xml")).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "purge,--limit 1,list",
        "purge,--cursor x,list",
        "purge,--owner bob,list",
        "list,--older-than 7d,purge",
        "watch,--tool good,list and purge and cancel and retry and answer",
        "cancel,--decline,answer",
        "history,-f,logs"
    })
    void an_option_of_another_verb_is_refused_before_anything_is_asked(String verb, String option, String taker) {
        var words = Stream.of("tasks " + verb + " 127.0.0.1:1/mcp", option).flatMap(part -> Stream.of(part.split(" ")));
        assertThat(run(words.toArray(String[]::new))).isEqualTo(2);
        assertThat(user.err().strip())
                .isEqualTo("longhaul: tasks " + verb + " does not take " + option.split(" ")[0] + ", which is for "
                        + taker + ".");
    }

    @Test
    void the_question_before_a_purge_names_the_caller_of_the_tasks() {
        user = TestTerminal.interactive().type("n");
        assertThat(new Cli(user.terminal()).run(List.of("tasks", "purge", url, "--parent", "7", "--tool", "bad")))
                .isEqualTo(5);
        assertThat(user.err()).contains("Remove all your tasks of bad called by 7 that have ended");
    }

    @Test
    void the_history_and_the_log_of_a_task_are_printed() {
        done("call", url, "good", "name=Ada");
        var id = onlyId();
        assertThat(done("tasks", "history", url, id)).contains("created", "started, attempt 1", "ended: success");
        var events =
                done("tasks", "history", url, id, "--output", "json").lines().toList();
        assertThat(events.getFirst()).contains("\"seq\":1").contains("\"type\":\"created\"");
        assertThat(done("tasks", "logs", url, id)).contains("began").doesNotContain("created");
    }

    @Test
    void the_log_of_a_task_is_followed_to_its_end() throws Exception {
        done("call", url, "greet", "--detach");
        var id = onlyId();
        var follower = TestTerminal.silent();
        var following = CompletableFuture.supplyAsync(
                () -> new Cli(follower.terminal()).run(List.of("tasks", "logs", "-f", url, id)));
        while (!done("tasks", "get", url, id).contains("Who is there?")) {
            Thread.onSpinWait();
        }
        done("tasks", "answer", url, id, "name=Ada");
        assertThat(following.get()).isZero();
    }

    @Test
    void a_task_that_has_ended_is_called_once_more() {
        done("call", url, "good", "name=Ada");
        var again = done("tasks", "retry", url, onlyId()).strip();
        assertThat(done("tasks", "result", url, again)).contains("Hello, Ada.");
        assertThat(json("tasks", "list", url)).hasSize(2);
    }

    @Test
    void a_task_without_recorded_steps_is_not_resumed() {
        done("call", url, "good", "name=Ada");
        assertThat(run("tasks", "retry", url, onlyId(), "--resume")).isEqualTo(3);
        assertThat(user.err()).contains("it has recorded no step");
        assertThat(json("tasks", "list", url)).hasSize(1);
    }

    @Test
    void tasks_are_removed_when_a_person_agrees() {
        done("call", url, "good", "name=Ada");
        assertThat(run("call", url, "bad")).isEqualTo(1);
        assertThat(run("tasks", "purge", url)).isEqualTo(2);
        assertThat(user.err()).contains("Give --yes");
        user = TestTerminal.interactive().type("n");
        assertThat(new Cli(user.terminal()).run(List.of("tasks", "purge", url))).isEqualTo(5);
        assertThat(user.err()).contains("Remove all your tasks that have ended");
        done("tasks", "purge", url, "--older-than", "1h", "--yes");
        assertThat(json("tasks", "list", url)).hasSize(2);
        user = TestTerminal.interactive().type("y");
        assertThat(new Cli(user.terminal()).run(List.of("tasks", "purge", url, "--tool", "bad")))
                .isZero();
        assertThat(json("tasks", "list", url).findValuesAsString("tool")).containsExactly("good");
    }

    @Test
    void a_question_is_shown_with_its_fields_and_a_bad_answer_leaves_it_open() {
        var reference = done("call", url, "greet", "--detach").strip();
        var id = onlyId();
        awaitQuestion(id);
        assertThat(done("tasks", "get", url, id))
                .contains("asks      who: Who is there?")
                .contains("name: string, required")
                .contains("size: one of small, large")
                .contains("default small");
        assertThat(run("attach", reference, "--answer", "name=Nebuchadnezzar")).isEqualTo(6);
        assertThat(user.err()).contains("\"name\" takes at most 5 characters");
        assertThat(done("tasks", "get", url, id)).contains("state     input_required");
        assertThat(run("attach", reference, "--answer", "name=Ada", "--answer", "size=huge"))
                .isEqualTo(6);
        assertThat(done("attach", reference, "--answer", "name=Ada", "--answer", "size=large"))
                .contains("Hello, Ada, large.");
    }

    @Test
    void a_task_that_is_left_running_is_one_object_for_programs() {
        var left = JsonMapper.shared().readTree(done("call", url, "greet", "--detach", "--output", "json"));
        assertThat(left.path("outcome").asString()).isEqualTo("left");
        assertThat(done("attach", left.path("task").asString(), "--answer", "name=Ada", "--yes"))
                .contains("Hello, Ada");
    }

    @Test
    void errors_are_one_object_for_programs() {
        assertThat(run("tasks", "get", url, "nosuch", "--output", "json")).isEqualTo(3);
        var refused = JsonMapper.shared().readTree(user.out()).path("error");
        assertThat(refused.path("kind").asString()).isEqualTo("refused");
        assertThat(refused.path("exitCode").asInt()).isEqualTo(3);
        assertThat(refused.path("message").asString()).contains("Task not found");
        assertThat(user.err()).isEmpty();
        assertThat(run("call", "127.0.0.1:1/mcp", "good", "--output=json")).isEqualTo(4);
        assertThat(JsonMapper.shared().readTree(user.out()).at("/error/kind").asString())
                .isEqualTo("connection");
        assertThat(run("attach", "xyz", "--output", "json")).isEqualTo(2);
        assertThat(JsonMapper.shared().readTree(user.out()).at("/error/kind").asString())
                .isEqualTo("usage");
    }

    @Test
    void attach_waits_for_a_server_that_is_down() throws Exception {
        var reference = done("call", url, "greet", "--detach").strip();
        int port = URI.create(url).getPort();
        server.close();
        assertThat(run("attach", reference, "--answer", "name=Ada", "--yes")).isEqualTo(4);
        var waiter = TestTerminal.silent();
        var waiting = CompletableFuture.supplyAsync(() -> new Cli(waiter.terminal())
                .run(List.of("attach", reference, "--wait", "1m", "--answer", "name=Ada", "--yes")));
        waiter.awaitErr("waiting for it");
        server = started(port);
        assertThat(waiting.get()).as(waiter::err).isZero();
        assertThat(waiter.out()).contains("Hello, Ada, small.");
    }

    private void awaitQuestion(String id) {
        while (!done("tasks", "get", url, id).contains("asks ")) {
            Thread.onSpinWait();
        }
    }

    private String onlyId() {
        return json("tasks", "list", url).get(0).path("id").asString();
    }

    private JsonNode json(String... line) {
        var whole = new ArrayList<>(Arrays.asList(line));
        whole.addAll(List.of("--output", "json"));
        return JsonMapper.shared().readTree(done(whole.toArray(String[]::new)));
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
