// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.author;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.file.ServerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class InitCommandTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("tools.yaml");
    }

    private static int run(TestTerminal user, String... line) {
        return new Cli(user.terminal()).run(List.of(line));
    }

    @Test
    void the_defaults_are_a_file_that_check_takes() throws IOException {
        var user = TestTerminal.silent();
        assertThat(run(user, "init", file.toString(), "--yes")).isZero();
        assertThat(user.out())
                .isEqualTo("wrote " + file + "\nnext: longhaul check " + file + ", then longhaul serve " + file + "\n");
        var checking = TestTerminal.silent();
        assertThat(run(checking, "check", file.toString())).isZero();
        assertThat(checking.out()).isEqualTo(file + ": can be served\n");
        assertThat(file).content().startsWith("# yaml-language-server: $schema=longhaul.schema.json\n");
        assertThat(folder.resolve("longhaul.schema.json")).content().contains("\"title\"");
    }

    @Test
    void a_person_is_asked_until_the_answers_can_be_written() {
        var user = TestTerminal.interactive()
                .type("my tool")
                .type("grep_it")
                .type("Finds a 'word'.")
                .type("{program}")
                .type("grep -r \"--regexp={word}\" -- {folder}")
                .type("soon")
                .type("1h");
        assertThat(run(user, "init", file.toString())).isZero();
        assertThat(user.err())
                .contains("Name of the tool [disk_usage]: Use up to 128 letters")
                .contains("Begin with a program")
                .contains("Write a number and a unit");
        var tool = ServerFile.read(file).tools().getFirst();
        assertThat(tool.name()).isEqualTo("grep_it");
        assertThat(tool.label().description()).isEqualTo("Finds a 'word'.");
        assertThat(tool.inputSchema().path("required")).hasToString("[\"word\",\"folder\"]");
        assertThat(tool.command().orElseThrow().arguments()).hasSize(4);
        assertThat(tool.running().durable().timeout()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void a_file_that_is_there_is_overwritten_only_when_that_is_said() throws IOException {
        Files.writeString(file, "mine");
        var user = TestTerminal.silent();
        assertThat(run(user, "init", file.toString(), "--yes")).isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("is there. Name another file, or add --force");
        assertThat(file).hasContent("mine");
        assertThat(run(TestTerminal.silent(), "init", file.toString(), "--yes", "--force"))
                .isZero();
        assertThat(file).content().contains("disk_usage");
    }

    @Test
    void nothing_is_written_where_nobody_answers() {
        assertThat(run(TestTerminal.silent(), "init", file.toString())).isEqualTo(ExitCode.UNANSWERED);
        assertThat(file).doesNotExist();
    }
}
