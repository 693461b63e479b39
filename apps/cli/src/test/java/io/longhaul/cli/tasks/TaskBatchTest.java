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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Verbs for all tasks that match a filter, and a list that goes on, at a real server. */
@Timeout(120)
class TaskBatchTest {

    @TempDir
    Path folder;

    private ServedFile server;
    private TestTerminal user;

    @BeforeEach
    void serve() throws IOException {
        var file = Files.writeString(folder.resolve("tools.yaml"), """
                tools:
                  nap: {command: [sleep, '1000']}
                  bad: {command: [sh, -c, 'exit 3']}
                  ship:
                    command: [echo, '{what.size}']
                    elicit: {key: what, message: Which?, fields: {size: [small, large]}}
                """);
        server = ServedFile.at(0, file, folder.resolve("data"));
    }

    @AfterEach
    void stop() {
        server.closeWithTasks();
    }

    private int run(TestTerminal at, String... line) {
        user = at;
        return new Cli(at.terminal()).run(List.of(line));
    }

    private int tasks(TestTerminal at, String verb, String... rest) {
        var line = new ArrayList<>(List.of("tasks", verb, server.url()));
        line.addAll(List.of(rest));
        return run(at, line.toArray(String[]::new));
    }

    private void begin(String tool) {
        assertThat(run(TestTerminal.silent(), "call", server.url(), tool, "--detach"))
                .as(user.err())
                .isZero();
    }

    private JsonNode list(String... filters) {
        var words = new ArrayList<>(List.of(filters));
        words.addAll(List.of("--output", "json"));
        assertThat(tasks(TestTerminal.silent(), "list", words.toArray(String[]::new)))
                .isZero();
        return JsonText.read(user.out());
    }

    @Test
    void tasks_are_cancelled_by_a_filter_when_a_person_has_seen_how_many() {
        begin("nap");
        begin("nap");
        begin("ship");
        assertThat(tasks(TestTerminal.silent(), "cancel", "--tool", "nap")).isEqualTo(2);
        assertThat(user.err()).contains("this would cancel 2 tasks. Give --yes");
        assertThat(tasks(TestTerminal.interactive().type("n"), "cancel", "--tool", "nap"))
                .isEqualTo(5);
        assertThat(user.err()).contains("Cancel 2 tasks of nap in the state ", "? (y/N): ", "no task is cancelled");
        assertThat(tasks(TestTerminal.interactive().type("y"), "cancel", "--tool", "nap"))
                .isZero();
        assertThat(user.err()).contains("2 of 2 tasks are cancelled");
        assertThat(list("--state", "live").findValuesAsString("tool")).containsExactly("ship");
        assertThat(run(TestTerminal.silent(), "call", server.url(), "bad")).isEqualTo(1);
        assertThat(tasks(TestTerminal.silent(), "cancel", "last")).isEqualTo(3);
        assertThat(user.err()).contains("had ended before, and stays ");
        assertThat(tasks(TestTerminal.silent(), "cancel", "--tool", "nap", "--yes"))
                .isZero();
        assertThat(user.err()).contains("there is no task of nap in the state ");
    }

    @Test
    void tasks_are_called_again_and_answered_by_a_filter() {
        assertThat(run(TestTerminal.silent(), "call", server.url(), "bad")).isEqualTo(1);
        assertThat(tasks(TestTerminal.silent(), "retry", "--tool", "bad", "--state", "ended", "--yes"))
                .isZero();
        assertThat(user.out().strip()).hasSize(36);
        assertThat(list("--tool", "bad")).hasSize(2);

        begin("ship");
        begin("ship");
        while (list("--state", "input_required").size() < 2) {
            Thread.onSpinWait();
        }
        assertThat(tasks(TestTerminal.silent(), "answer", "--tool", "ship", "size=huge", "--yes"))
                .isEqualTo(3);
        assertThat(user.err()).contains("0 of 2 tasks are answered");
        assertThat(tasks(TestTerminal.silent(), "answer", "--tool", "ship", "size=small", "--yes", "--output", "json"))
                .as(user.err())
                .isZero();
        assertThat(JsonText.read(user.out()).path("tasks")).hasSize(2);
        assertThat(list("--state", "input_required")).isEmpty();
    }

    @Test
    void a_state_that_cannot_be_meant_and_an_id_beside_filters_are_refused() {
        assertThat(tasks(TestTerminal.silent(), "cancel", "--state", "ended", "--yes"))
                .isEqualTo(2);
        assertThat(user.err()).contains("only tasks that are ", " can be cancelled.");
        assertThat(tasks(TestTerminal.silent(), "retry", "last", "--tool", "bad"))
                .isEqualTo(2);
        assertThat(user.err()).contains("\"last\" is one word too many.");
        assertThat(tasks(TestTerminal.silent(), "cancel")).isEqualTo(2);
        assertThat(user.err()).contains("the id of the task is missing.");
    }

    @Test
    void a_list_goes_on_with_each_task_that_changes() throws Exception {
        begin("nap");
        var watching = TestTerminal.watched();
        var code = new AtomicInteger();
        var watch = Thread.ofVirtual()
                .start(() -> code.set(new Cli(watching.terminal())
                        .run(List.of("tasks", "list", server.url(), "--state", "live", "--watch"))));
        watching.awaitOut("nap");
        begin("ship");
        watching.awaitOut("ship");
        assertThat(tasks(TestTerminal.silent(), "cancel", "--tool", "nap", "--yes"))
                .isZero();
        watching.awaitOut("cancelled");
        watch.interrupt();
        watch.join();
        assertThat(code).hasValue(130);
    }
}
