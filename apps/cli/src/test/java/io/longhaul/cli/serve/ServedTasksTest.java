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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The verbs of {@code tasks} in every generation, against a real server. */
@Timeout(120)
class ServedTasksTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    Path folder;

    private FileServer server;
    private String url;

    @BeforeEach
    void serve() throws IOException {
        var file = Files.writeString(folder.resolve("tools.yaml"), """
                tools:
                  good: {command: [echo, done]}
                  bad: {command: [sh, -c, 'exit 3']}
                  slow: {command: [sleep, "1000"], timeout: 1s}
                  ever: {command: [sleep, "1000"], concurrency: 1}
                """);
        var http = Http.onPort(0);
        server = FileServer.start(ServerFile.read(file), new DataFolder(folder.resolve("data"), DataKeys.NONE), http);
        url = http.url().toString();
    }

    @AfterEach
    void stop() {
        removeAll();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2025-11-25", "sep-1686", "sep-1391", "tools-async", "sep-1003"})
    void a_task_has_the_same_state_in_a_list_and_by_itself(String generation) {
        for (var tool : List.of("good", "bad", "slow")) {
            said("", "call", url, tool);
        }
        said("", "call", url, "ever", "--detach");
        said("", "call", url, "ever", "--detach");
        var listed = states(generation);
        assertThat(listed).hasSize(5).containsValues("completed", "working");
        listed.forEach((id, state) -> assertThat(state(id, generation)).isEqualTo(state));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25", "sep-1686", "sep-1391", "tools-async", "sep-1003"})
    void every_reference_that_is_printed_can_be_looked_at_cancelled_and_deleted(String generation) {
        var reference = said(generation, "call", url, "ever", "--detach").strip();
        assertThat(reference).matches("longhaul-task/[12]/" + generation + "/.*");
        for (var verb : List.of("get", "cancel", "delete")) {
            assertDone("tasks", verb, reference);
        }
        assertThat(states("")).isEmpty();
    }

    @Test
    void a_task_that_was_cancelled_is_shown_with_its_tool() {
        var reference = said("", "call", url, "ever", "--detach").strip();
        assertThat(said("", "tasks", "cancel", reference)).contains("state     cancelled", "tool      ever");
    }

    @Test
    void a_reference_that_is_damaged_is_told_as_such() {
        var user = TestTerminal.silent();
        assertThat(new Cli(user.terminal()).run(List.of("tasks", "get", "longhaul-task/1/sep-1003/abc/" + url)))
                .isEqualTo(2);
        assertThat(user.err()).startsWith("longhaul: This task reference");
    }

    private Map<String, String> states(String generation) {
        var tasks = JSON.readTree(said(generation, "tasks", "list", url, "--output", "json"));
        return tasks.valueStream()
                .collect(Collectors.toMap(
                        task -> task.path("id").stringValue(),
                        task -> task.path("state").stringValue()));
    }

    private String state(String id, String generation) {
        return JSON.readTree(said(generation, "tasks", "get", url, id, "--output", "json"))
                .path("state")
                .stringValue();
    }

    /** A task is deleted when its job is gone, which would write into the folder while that is removed. */
    private void removeAll() {
        states("").forEach((id, state) -> {
            said("", "tasks", "cancel", url, id);
            assertDone("tasks", "delete", url, id);
        });
    }

    private static void assertDone(String... words) {
        var user = TestTerminal.silent();
        int code;
        do {
            code = new Cli(user.terminal()).run(List.of(words));
        } while (code != 0 && user.err().endsWith("its work is still being stopped, try again (-32602)\n"));
        assertThat(code).as(user::err).isZero();
    }

    private static String said(String generation, String... words) {
        var line = new ArrayList<>(List.of(words));
        if (!generation.isEmpty()) {
            line.addAll(List.of("--generation", generation));
        }
        var user = TestTerminal.silent();
        new Cli(user.terminal()).run(line);
        return user.out();
    }
}
