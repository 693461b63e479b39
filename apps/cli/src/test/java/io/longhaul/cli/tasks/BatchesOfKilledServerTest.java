// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.StartedServersFixture;
import io.longhaul.cli.text.JsonText;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Commands for several tasks, and for a long result, at a process that was killed and started again. */
@Timeout(180)
class BatchesOfKilledServerTest extends StartedServersFixture {
    private static final String TOOLS = """
        tools:
          nap: {command: [sleep, '1000']}
          bad: {command: [sh, -c, 'exit 3']}
          long: {command: [seq, '1', '20000']}
          ship:
            command: [echo, '{what.size}']
            elicit: {key: what, message: Which?, fields: {size: [small, large]}}
        """;

    private JsonNode list(String... filter) {
        var line = new ArrayList<>(List.of("tasks", "list", "--output", "json"));
        line.addAll(List.of(filter));
        assertThat(run(line.toArray(String[]::new))).as(user.err()).isZero();
        return JsonText.read(user.out());
    }

    @Test
    void they_find_the_tasks_of_the_killed_process() throws Exception {
        var file = Files.writeString(folder.resolve("tools.yaml"), TOOLS);
        servers.serve(file);
        for (var tool : new String[] {"nap", "nap", "ship"}) {
            assertThat(run("call", tool, "--detach")).as(user.err()).isZero();
        }
        assertThat(run("call", "bad")).isEqualTo(1);
        assertThat(run("call", "long", "--output", "json")).isZero();
        var link = user.out().replaceFirst("(?s).*\"(longhaul://tasks/[^\"]*/result)\".*", "$1");
        servers.kill();
        servers.serve(file);

        assertThat(run("read", link)).as(user.err()).isZero();
        assertThat(user.out().lines()).hasSize(20_000);
        assertThat(run("tasks", "cancel", "--tool", "nap", "--yes")).isZero();
        assertThat(user.err()).contains("2 of 2 tasks are cancelled");
        assertThat(run("tasks", "retry", "--state", "failed", "--yes"))
                .as(user.err())
                .isZero();
        assertThat(list("--tool", "bad")).hasSize(2);
        while (list("--state", "input_required").isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(run("tasks", "answer", "--tool", "ship", "size=small", "--yes"))
                .as(user.err())
                .isZero();
        assertThat(run("attach", "last")).isEqualTo(1);
        while (!list("--state", "live").isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(run("tasks", "purge", "--older-than", "1ms", "--yes"))
                .as(user.err())
                .isZero();
        assertThat(list()).isEmpty();
    }

    @Test
    void a_process_that_watches_the_list_prints_each_change() throws Exception {
        servers.serve("tools", TOOLS);
        var watch = servers.begin(folder, "tasks", "list", "--state", "live", "--watch");
        try (var said = watch.inputReader()) {
            assertThat(run("call", "nap", "--detach")).isZero();
            assertThat(said.lines().anyMatch(line -> line.contains("nap") && line.contains("working")))
                    .isTrue();
            assertThat(run("tasks", "cancel", "--state", "live", "--yes")).isZero();
            assertThat(said.lines().anyMatch(line -> line.contains("cancelled")))
                    .isTrue();
        } finally {
            watch.destroyForcibly();
        }
    }
}
