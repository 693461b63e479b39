// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is generated from the tables of commands and options. */
@Timeout(60)
class ManualTest {

    private TestTerminal user = TestTerminal.silent();

    @TempDir
    Path folder;

    @Test
    void bash_completes_commands_verbs_options_and_values() throws Exception {
        assertThat(completed("longhaul", "ta")).containsExactly("tasks");
        assertThat(completed("longhaul", "tasks", "hi")).containsExactly("history");
        assertThat(completed("longhaul", "tasks", "list", "--st")).containsExactly("--state");
        assertThat(completed("longhaul", "tasks", "list", "--output", "")).containsExactly("text", "json", "wide");
        assertThat(completed("longhaul", "call", "--output", "")).containsExactly("text", "json");
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
                .contains(".SH EXIT STATUS\n.nf\nexit codes: 0 success");
        assertThat(user.out().lines().filter(line -> line.startsWith(".") || line.startsWith("'")))
                .allMatch(line -> line.matches("\\.(TH|SH|SS|TP|PP|B|nf|fi)( .*)?"));
    }

    /** What bash offers for the last word. */
    private List<String> completed(String... words) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")));
        assertThat(run("completion", "bash")).isZero();
        var script = Files.writeString(folder.resolve("completion"), user.out());
        var line = "source " + script + "; COMP_WORDS=(" + quoted(words) + "); COMP_CWORD=" + (words.length - 1)
                + "; _longhaul; printf '%s\\n' \"${COMPREPLY[@]}\"";
        var bash = new ProcessBuilder("/bin/bash", "-euc", line)
                .redirectErrorStream(true)
                .start();
        var said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(said).isZero();
        return said.lines().toList();
    }

    private static String quoted(String... words) {
        return "'" + String.join("' '", words) + "'";
    }

    private int run(String... line) {
        user = TestTerminal.silent();
        return new Cli(user.terminal()).run(List.of(line));
    }
}
