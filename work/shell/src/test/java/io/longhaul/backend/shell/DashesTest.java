// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.backend.shell.command.BadArgumentException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A value that begins with a dash never becomes an option, unless the author of the command allows that. */
class DashesTest {

    private static final Map<String, List<String>> GIVEN =
            Map.of("a", List.of("-delete"), "b", List.of("--"), "none", List.of(""), "all", List.of("x", "-y"));

    @ParameterizedTest
    @ValueSource(strings = {"{a}", "{b}", "{all}", "{none}{a}", "{none}-x", "-{a}", "--{a}", "{a}.txt"})
    void a_value_that_could_become_an_option_is_refused(String template) {
        assertThatRefused(ls().argument(template));
        assertThatRefused(ls().argument("--size").argument(template));
        assertThat(ls().optional(template).build().refusal(GIVEN)).isPresent();
    }

    private static ShellCommand.Builder ls() {
        return ShellCommand.program("ls").list("all");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--path={a}", "./{a}", "-o{a}", "a{a}", "--x{all}", "{{a}"})
    void a_value_behind_text_of_the_template_is_free(String template) {
        var given = Map.of("a", List.of("-delete"), "all", List.of("-y"));
        var command = ShellCommand.program("ls").argument(template).build();
        assertThat(command.refusal(given)).isEmpty();
        assertThat(command.commandLine(given))
                .hasSize(2)
                .last()
                .asString()
                .endsWith(template.contains("all") ? "-y" : "-delete");
    }

    @Test
    void values_behind_the_end_of_options_are_free() {
        var command = ShellCommand.program("cp")
                .argument("-r")
                .argument("--")
                .list("all")
                .argument("{all}")
                .argument("{a}");
        assertThat(command.build().commandLine(GIVEN)).containsExactly("cp", "-r", "--", "x", "-y", "-delete");
    }

    @Test
    void the_end_of_options_counts_only_where_it_is_there() {
        assertThatRefused(ShellCommand.program("rm").optional("--", "{missing}").argument("{a}"));
        assertThatRefused(ShellCommand.program("rm").argument("{b}").argument("{a}"));
        assertThatRefused(
                ShellCommand.program("rm").argument("{a}").argument("--").argument("{none}"));
    }

    @Test
    void a_fixed_word_behind_the_end_of_options_can_be_another_program() {
        assertThatRefused(
                ShellCommand.program("env").argument("--").argument("ls").argument("{a}"));
    }

    @Test
    void find_has_expressions_behind_the_end_of_options() {
        assertThatRefused(ShellCommand.program("/usr/bin/find").argument("--").argument("{a}"));
        assertThatRefused(
                ShellCommand.program("nice").argument("find").argument("--").argument("{a}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh -c", "/bin/bash -c", "perl -E", "python3.12 -c"})
    void a_script_can_hand_a_value_to_any_program(String interpreter) {
        var script = command(interpreter).argument("find \"$1\"").argument("name");
        assertThatRefused(script.argument("{a}"));
        assertThatRefused(script.argument("--").argument("{none}").argument("{a}"));
    }

    @Test
    void an_author_can_allow_dashes() {
        var script = ShellCommand.program("sh")
                .argument("-c")
                .argument("cd -- \"$1\"")
                .argument("name");
        var command = script.argument("{a}")
                .argument("fixed")
                .argument("{b}")
                .dashesAllowed(true)
                .build();
        assertThat(command.refusal(GIVEN)).isEmpty();
        assertThat(command.commandLine(GIVEN)).endsWith("name", "-delete", "fixed", "--");
    }

    @Test
    void the_refusal_says_which_argument_and_what_to_do() {
        assertThat(ShellCommand.program("ls").argument("{a}").build().refusal(GIVEN))
                .contains(
                        "The argument 'a' must not begin with a dash, because the command could take it for an option."
                                + " Write ./-name for a path, or give a value that begins with another character:"
                                + " this tool takes such values only where its file says dashes: allowed.");
    }

    @Test
    void what_is_not_given_yet_is_not_looked_at() {
        var command =
                ShellCommand.program("ls").argument("{later}").argument("{a}").build();
        assertThat(command.refusal(Map.of())).isEmpty();
        assertThat(command.refusal(Map.of("a", List.of("-x")))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "env bash -euc {a}",
                "bash -c -e {a}",
                "bash -euco pipefail {a}",
                "bash -c'{a}'",
                "fish --command=echo_{a}",
                "fish -c {a}",
                "python3 -Ic {a}",
                "python3 -W error -cprint({a})",
                "perl -E {a}",
                "perl -I lib -lane fixed -e {a}",
                "perl -ne'print/{a}/'",
                "ruby -r json -e {a}",
                "node -p {a}",
                "node -r ./setup --print {a}",
                "node --eval=f({a})",
                "php -r {a}",
                "lua -l lib -e {a}",
                "pwsh -NoProfile -Command {a}",
                "awk -F : /{a}/ file",
                "gawk --source {a} file",
                "sed -n -e p -e s/x/{a}/ file",
                "sed -E s/x/{a}/ file",
                "su - app -c {a}",
                "runuser app --command=ls_{a}",
                "ssh -p 22 host ls {a}",
                "ssh host ls_{a}",
                "timeout 5 ssh host -- {a}"
            })
    void no_value_comes_into_a_script(String line) {
        assertThatIllegalArgumentException().isThrownBy(command(line)::build).withMessageContaining("use \"$1\" in it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bash -c fixed name {a}",
                "sh -c fixed awk {a}",
                "bash script.sh -c {a}",
                "python3 -E tool.py -c {a}",
                "perl -Mre=debug tool.pl -e {a}",
                "node -r ./setup tool.js -e {a}",
                "awk -F : -v x={a} -f program.awk {a}",
                "awk -F : fixed {a}",
                "sed -n -e fixed {a}",
                "sed -i.bak fixed {a}",
                "su - app -c fixed",
                "ssh -l user {a} uptime",
                "runuser -u app -- grep -c {a}",
                "grep -e {a}"
            })
    void a_value_beside_a_script_is_a_value(String line) {
        assertThat(command(line).build().refusal(Map.of("a", List.of("x")))).isEmpty();
    }

    /** The command whose words stand between the spaces. */
    private static ShellCommand.Builder command(String line) {
        var words = line.split(" ");
        var command = ShellCommand.program(words[0]);
        Arrays.stream(words).skip(1).forEach(command::argument);
        return command;
    }

    private static void assertThatRefused(ShellCommand.Builder builder) {
        var command = builder.build();
        assertThatExceptionOfType(BadArgumentException.class).isThrownBy(() -> command.commandLine(GIVEN));
        assertThat(command.refusal(GIVEN)).isPresent();
    }
}
