// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.serve.ServedFile;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.text.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that are named shortly, at a real server. */
@Timeout(120)
class TaskNamesTest {

    @TempDir
    Path folder;

    private ServedFile server;
    private TestTerminal user;

    @BeforeEach
    void serve() throws IOException {
        var file = Files.writeString(
                folder.resolve("tools.yaml"), "tools: {good: {input: {word: string}, command: [echo, '{word}']}}");
        server = ServedFile.at(0, file, folder.resolve("data"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int run(String... line) {
        user = TestTerminal.with(Map.of("LONGHAUL_URL", server.url()));
        return new Cli(user.terminal()).run(List.of(line));
    }

    private String newest() {
        run("tasks", "list", "--limit", "1", "--output", "json");
        return JsonText.read(user.out()).path(0).path("id").asString();
    }

    private String called(String word) {
        assertThat(run("call", "good", "word=" + word)).isZero();
        return newest();
    }

    private static String end(String id) {
        return id.substring(id.length() - 8);
    }

    @Test
    void a_task_is_named_by_the_end_of_its_id_or_as_the_last() {
        assertThat(run("tasks", "get", "last")).isEqualTo(3);
        assertThat(user.err()).contains("there is no task that you may see");
        var first = called("one");
        var second = called("two");
        assertThat(run("tasks", "result", end(first))).isZero();
        assertThat(user.out()).contains("one");
        assertThat(run("attach", end(first))).isZero();
        assertThat(user.out()).contains("one");
        assertThat(run("attach", server.url(), "last")).isZero();
        assertThat(user.out()).contains("two");
        assertThat(run("tasks", "delete", "last")).as(user.err()).isZero();
        assertThat(user.err()).contains(second);
        assertThat(newest()).isEqualTo(first);
    }

    @Test
    void a_name_of_several_tasks_or_of_none_is_refused_with_the_tasks() {
        var first = called("one");
        var second = called("two");
        assertThat(run("tasks", "delete", first.substring(0, 4))).isEqualTo(2);
        assertThat(user.err()).contains("several tasks can be meant", first + "  completed", second);
        assertThat(run("tasks", "delete", "nope")).isEqualTo(3);
        assertThat(user.err()).contains("The server refused", "The newest are:", first, second);
        assertThat(run("tasks", "delete", first.substring(33))).isEqualTo(3);
        assertThat(user.err()).contains("Four characters of an id suffice.");
        assertThat(run("tasks", "list")).isZero();
        assertThat(user.out()).contains(first, second);
    }
}
