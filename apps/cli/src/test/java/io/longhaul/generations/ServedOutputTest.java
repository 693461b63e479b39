// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The output of a command without {@code partial:}, which people read while it runs, although its server is killed. */
@Timeout(120)
class ServedOutputTest {

    @TempDir
    Path folder;

    @Test
    void the_log_of_a_command_is_read_while_it_runs_across_a_kill_and_after_its_end_each_line_once() throws Exception {
        var key = Files.writeString(folder.resolve("key"), "k-1234567");
        Files.setPosixFilePermissions(key, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
        var file = Files.writeString(folder.resolve("tools.yaml"), """
                tools:
                  talks:
                    command: [sh, -c, 'echo one $KEY; while [ ! -e go ]; do sleep 0.1; done; echo two; echo three']
                    cwd: %s
                    env: {KEY: {file: %s}}
                """.formatted(folder, key));
        var node = new ServedNode(file, folder.resolve("data"));
        try {
            node.start();
            var id = run("call", url(node), "talks", "--detach").strip().split("/")[3];
            String log;
            do {
                log = run("tasks", "logs", url(node), id);
            } while (log.isEmpty());
            assertThat(log).isEqualTo("one ***\n");
            node.kill();
            node.start();
            Files.createFile(folder.resolve("go"));
            assertThat(run("tasks", "logs", "-f", url(node), id)).isEqualTo("one ***\ntwo\nthree\n");
            assertThat(run("tasks", "result", url(node), id)).isEqualTo("one ***\ntwo\nthree\n");
            node.stop();
            node.start();
            assertThat(run("tasks", "logs", url(node), id)).isEqualTo("one ***\ntwo\nthree\n");
            assertThat(run("tasks", "history", url(node), id))
                    .contains("says three")
                    .doesNotContain("output");
        } finally {
            node.kill();
        }
    }

    /** What a command says. */
    private static String run(String... line) {
        var user = TestTerminal.silent();
        assertThat(new Cli(user.terminal()).run(List.of(line))).as(user.err()).isZero();
        return user.out();
    }

    private static String url(ServedNode node) {
        return Objects.requireNonNull(node.uri()).toString();
    }
}
