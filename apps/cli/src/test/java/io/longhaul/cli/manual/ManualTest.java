// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is generated from the tables of commands and options. */
@Timeout(60)
class ManualTest {

    private TestTerminal user = TestTerminal.silent();

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void a_shell_completes_commands_verbs_options_and_values(Shell shell) throws Exception {
        shell.assumeIsThere();
        assertThat(completed(shell, "longhaul ta")).containsExactly("tasks");
        assertThat(completed(shell, "longhaul tasks hi")).containsExactly("history");
        assertThat(completed(shell, "longhaul tasks list --st")).containsExactly("--state");
        assertThat(completed(shell, "longhaul tasks purge --older")).containsExactly("--older-than");
        assertThat(completed(shell, "longhaul tasks list --o")).doesNotContain("--older-than");
        assertThat(completed(shell, "longhaul tasks list --output w")).containsExactly("wide");
        assertThat(completed(shell, "longhaul call --output j")).containsExactly("json");
        assertThat(completed(shell, "longhaul tasks cancel --yes --st")).containsExactly("--state");
        assertThat(completed(shell, "longhaul ps --wat")).containsExactly("--watch");
        assertThat(completed(shell, "longhaul doc")).containsExactly("doctor");
        assertThat(completed(shell, "longhaul top --on")).containsExactly("--once");
        assertThat(completed(shell, "longhaul helper py")).containsExactly("python");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "gateway", "check", "try", "bundle", "install claude"})
    void bash_leaves_a_word_that_can_be_a_file_to_its_completion_of_files(String command) throws Exception {
        Shell.BASH.assumeIsThere();
        assertThat(completed(Shell.BASH, "longhaul " + command + " ")).containsExactly("");
        assertThat(completed(Shell.BASH, "longhaul " + command + " --h")).contains("--help");
        assertThat(completed(Shell.BASH, "longhaul bundle --to ")).containsExactly("");
        assertThat(completed(Shell.BASH, "longhaul install cl")).containsExactly("claude", "claude-code");
        assertThat(completed(Shell.BASH, "longhaul tasks list l")).containsExactly("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"try", "bundle"})
    void zsh_and_fish_complete_files(String command) throws Exception {
        for (var shell : List.of(Shell.ZSH, Shell.FISH)) {
            shell.assumeIsThere();
            Files.createFile(folder.resolve(shell.word() + ".yaml"));
            assertThat(completed(shell, "longhaul " + command + " " + folder.resolve(shell.word() + ".ya")))
                    .containsExactly(folder.resolve(shell.word() + ".yaml").toString());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BASH", "FISH"})
    void a_shell_offers_all_values_of_an_option(Shell shell) throws Exception {
        shell.assumeIsThere();
        assertThat(completed(shell, "longhaul tasks list --output ")).containsExactlyInAnyOrder("text", "json", "wide");
        assertThat(completed(shell, "longhaul call --output ")).containsExactlyInAnyOrder("text", "json");
    }

    @Test
    void zsh_and_fish_have_scripts_of_the_same_tables() {
        assertThat(run("completion", "zsh")).isZero();
        assertThat(user.out()).startsWith("#compdef longhaul\n").contains("complete -o default -F _longhaul longhaul");
        assertThat(run("completion", "fish")).isZero();
        assertThat(user.out())
                .contains("complete -c longhaul -n __fish_use_subcommand -f -a tasks ")
                .contains("complete -c longhaul -n '__fish_seen_subcommand_from tasks' -f -a history")
                .contains("-l output -x -a 'text json wide'");
        assertThat(run("completion", "tcsh")).isEqualTo(2);
        assertThat(user.err()).contains("there is no completion for \"tcsh\".");
    }

    @Test
    void the_manual_has_every_command_and_option_and_no_line_that_would_be_a_request() {
        assertThat(run("manual")).isZero();
        assertThat(user.out())
                .startsWith(".TH LONGHAUL 1")
                .contains(".SS longhaul tasks ")
                .contains(".B \\-\\-older\\-than TIME")
                .contains(".SS longhaul stop [URL] ID", ".SS longhaul status")
                .contains(".B LONGHAUL_URL\n")
                .contains(".SH EXIT STATUS\n.nf\nexit codes: 0 success");
        assertThat(user.out().lines().filter(line -> line.startsWith(".") || line.startsWith("'")))
                .allMatch(line -> line.matches("\\.(TH|SH|SS|TP|PP|B|nf|fi)( .*)?"));
    }

    /** What a shell offers for the last word of a line. */
    private List<String> completed(Shell shell, String line) throws IOException, InterruptedException {
        assertThat(run("completion", shell.word())).isZero();
        return shell.offers(Files.writeString(folder.resolve("completion"), user.out()), line);
    }

    private int run(String... line) {
        user = TestTerminal.silent();
        return new Cli(user.terminal()).run(List.of(line));
    }
}
