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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({
        "--python, count_words.py, longhaul.py, test_count_words.py, python3 -m unittest",
        "--node, count_words.mjs, longhaul.mjs, count_words.test.mjs, node --test",
        "--sh, count_words.sh, longhaul.sh, test_count_words.sh, sh test_count_words.sh"
    })
    void a_tool_with_a_script_has_its_helper_and_a_test(
            String option, String script, String helper, String test, String testing) {
        var user = TestTerminal.silent();
        assertThat(run(user, "init", option, file.toString())).isZero();
        var written = Stream.of("tools.yaml", script, helper, test)
                .map(name -> folder.resolve(name).toString())
                .toList();
        assertThat(user.out())
                .isEqualTo("wrote " + String.join(", ", written) + "\ntest: " + testing + "\nnext: longhaul check "
                        + file + ", then longhaul serve " + file + "\n");
        var checking = TestTerminal.silent();
        assertThat(run(checking, "check", file.toString())).isZero();
        assertThat(checking.out()).endsWith(file + ": can be served\n").doesNotContain("reaches no command");
        var printing = TestTerminal.silent();
        assertThat(run(printing, "helper", option.substring(2))).isZero();
        assertThat(folder.resolve(helper)).content().isEqualTo(printing.out());
        assertThat(folder.resolve("longhaul.schema.json")).exists();
    }

    @Test
    void nothing_is_written_where_one_of_the_files_is_there() throws IOException {
        Files.writeString(folder.resolve("longhaul.py"), "mine");
        var user = TestTerminal.silent();
        assertThat(run(user, "init", "--python", file.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("longhaul.py is there. Name another file, or add --force");
        assertThat(file).doesNotExist();
        assertThat(run(TestTerminal.silent(), "init", "--python", file.toString(), "--force"))
                .isZero();
        assertThat(folder.resolve("longhaul.py")).content().contains("def step");
    }

    @Test
    void a_script_is_in_one_known_language() {
        var user = TestTerminal.silent();
        assertThat(run(user, "init", "--sh", "--node", file.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("a script is in one language");
        assertThat(run(user, "helper", "nod")).isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("there is no helper for \"nod\". Did you mean node?");
        assertThat(run(user, "helper")).isEqualTo(ExitCode.USAGE);
        assertThat(file).doesNotExist();
    }
}
