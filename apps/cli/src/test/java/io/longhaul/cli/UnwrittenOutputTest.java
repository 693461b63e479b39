// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.serve.ServedFile;
import io.longhaul.cli.terminal.TestTerminal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands whose output goes into a file on a full disk. */
@Timeout(120)
class UnwrittenOutputTest {

    private static final String TOLD = "longhaul: the output cannot be written: No space left on device\n";

    @TempDir
    Path folder;

    private ServedFile server;
    private TestTerminal user;

    @BeforeEach
    void serve() throws IOException {
        var tools = Files.writeString(folder.resolve("tools.yaml"), """
                tools:
                  slow: {command: [sh, -c, 'echo began; sleep 600'], partial: began}
                """);
        server = ServedFile.at(0, tools, folder.resolve("data"));
    }

    @AfterEach
    void stop() {
        server.closeWithTasks();
    }

    private int run(String... line) {
        return runInto("No space left on device", line);
    }

    private int runInto(String failure, String... line) {
        user = TestTerminal.into(new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException(failure);
            }
        });
        return new Cli(user.terminal()).run(List.of(line));
    }

    private String done(String... line) {
        var other = TestTerminal.silent();
        assertThat(new Cli(other.terminal()).run(List.of(line))).as(other::err).isZero();
        return other.out();
    }

    @Test
    void a_result_that_is_not_written_is_no_success() {
        assertThat(run("tools", server.url())).isEqualTo(4);
        assertThat(user.err()).isEqualTo(TOLD);
    }

    @Test
    void a_reader_that_has_enough_is_told_nothing() {
        for (var command : List.of(
                List.of("tools", server.url()),
                List.of("help"),
                List.of("manual"),
                List.of("tasks", "list", server.url(), "--output", "json"),
                List.of("tasks", "get", server.url(), "nosuch", "--output", "json"))) {
            runInto("Broken pipe", command.toArray(String[]::new));
            assertThat(user.err()).as("%s", command).doesNotContain("Broken pipe", "cannot be written");
        }
    }

    @Test
    void an_error_for_a_program_that_is_not_written_is_told_to_a_person() {
        assertThat(run("tasks", "get", server.url(), "nosuch", "--output", "json"))
                .isEqualTo(4);
        assertThat(user.err()).isEqualTo(TOLD);
    }

    @Test
    void a_live_task_is_followed_no_further_than_its_log_is_written() {
        var reference = done("call", server.url(), "slow", "--detach").strip();
        assertThat(run("tasks", "logs", "-f", reference)).isEqualTo(4);
        assertThat(run("tasks", "watch", reference)).isEqualTo(4);
        assertThat(done("tasks", "get", reference)).contains("state     working");
    }

    @Test
    void a_call_whose_output_is_not_written_leaves_its_task_running() {
        assertThat(run("call", server.url(), "slow")).isEqualTo(4);
        assertThat(user.err()).contains("the task goes on without you").endsWith(TOLD);
        assertThat(done("tasks", "list", server.url())).contains("working");
    }
}
